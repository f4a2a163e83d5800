import FileParts
import HDRCore

/// The colour of a clip: what its bitstream and its container state, and what is used.
package struct TrackColor: Sendable, Hashable {
  /// The one that stated a value that is used.
  package enum Source: String, Sendable, Hashable { case stream, container, rule, setting }

  /// The code points as stated; what is not stated is `nil`.
  package let stream: BitstreamColor
  package let container: BitstreamColor
  package private(set) var used = CICP.unspecified
  /// The source of the code points, of the range, and of the place of chroma.
  package private(set) var from = Source.rule
  package private(set) var rangeFrom = Source.rule
  /// The type of the place of chroma samples (ITU-T H.273, figure 1); `nil` where chroma is in full size.
  package private(set) var chromaLocation: Int?
  package private(set) var sitingFrom = Source.rule
  package private(set) var warnings: [Warning] = []

  /// Decides between what is stated.
  ///
  /// The stream goes before the container, and each fills what the other leaves out. Code points that no edition of
  /// H.273 has count as not stated.
  ///
  /// - Parameters:
  ///   - stream: what the bitstream says; `nil`: it was not read, or its codec says nothing.
  ///   - container: what the container says; `nil` as above.
  ///   - pictures: what a decoder makes.
  /// - Throws: `TrackColorFault` for colour that is not described, or that kernels do not know.
  package init(
    stream: CodedVideo?, container: ContainerVideo?, pictures: TrackPictures, choice: TrackColorChoice = .init()
  ) throws(TrackColorFault) {
    self.stream = stream?.color ?? BitstreamColor()
    self.container = container?.color ?? BitstreamColor()
    let first = Stated(choice.trust == .stream ? self.stream : self.container)
    let second = Stated(choice.trust == .stream ? self.container : self.stream)
    let codes = try Self.codes(first, second, pictures, choice, &warnings)
    from = codes.isStated ? (choice.isStated ? .setting : first.isEmpty ? choice.trust.other : choice.trust) : .rule
    // Range: the first, the second, the letters of the layout, then limited for Y'CbCr.
    let isFull: Bool
    if let range = first.color.fullRange ?? second.color.fullRange {
      (isFull, rangeFrom) = (range, first.color.fullRange == nil ? choice.trust.other : choice.trust)
    } else {
      isFull = pictures.model == .rgb || pictures.isFullRange
    }
    used = CICP(codes.primaries, codes.transfer, codes.matrix, full: isFull)
    warnIfDifferent(first, second, choice)
    try check(pictures)
    setSiting(stream?.chromaLocation, container?.chromaLocation, pictures)
  }

  /// Checks that kernels know the colour.
  private func check(_ pictures: TrackPictures) throws(TrackColorFault) {
    let matrices = [CICP.Matrix.bt709, 5, CICP.Matrix.bt601, CICP.Matrix.bt2020]
    guard pictures.model != .ycc || matrices.contains(used.matrix) else { throw .matrix(used.matrix) }
    guard isSupported(primaries: used.primaries, transfer: used.transfer) else {
      throw .codePoints(primaries: used.primaries, transfer: used.transfer)
    }
  }

  /// Takes the place of chroma: the stream's, the container's, top-left for 4:2:0 of HDR by codecs that write it so,
  /// else left (ITU-T H.273 clause 8.7; BT.2100 and Blu-ray place it top-left).
  private mutating func setSiting(_ stream: Int?, _ container: Int?, _ pictures: TrackPictures) {
    guard pictures.chroma.isSubsampled else { return }
    guard pictures.chroma == .s420 else {
      chromaLocation = 0
      return
    }
    if let location = stream ?? container {
      (chromaLocation, sitingFrom) = (location, stream == nil ? .container : .stream)
    } else {
      let isWide = used.isHDR && used.primaries == CICP.Primaries.bt2020
      chromaLocation = isWide && pictures.codec.isModern ? 2 : 0
    }
  }

  /// The place of chroma as the model has it.
  package var siting: ChromaSiting { chromaLocation.map { ChromaSiting(location: $0) } ?? .left }

  private mutating func warnIfDifferent(_ first: Stated, _ second: Stated, _ choice: TrackColorChoice) {
    for (name, reserved) in [("stream", Stated(stream).reserved), ("container", Stated(container).reserved)]
    where !reserved.isEmpty {
      let codes = reserved.map(String.init).joined(separator: ", ")
      warnings.append(Warning("video.tags-differ", "the \(name) states code points that are reserved: \(codes)"))
    }
    guard !choice.isStated, first.differs(from: second) else { return }
    warnings.append(
      Warning(
        "video.tags-differ",
        "the stream says \(Self.text(stream)), the container \(Self.text(container)): those of the "
          + "\(choice.trust.rawValue) are used; \(setting: "trust") \(choice.trust.other.rawValue) takes the others"))
  }

  /// Returns code points with slashes between, as `--cicp` takes them, 2 for those that are not stated.
  package static func text(_ color: BitstreamColor) -> String {
    [color.primaries, color.transfer, color.matrix].map { "\($0 ?? 2)" }.joined(separator: "/")
      + (color.fullRange.map { $0 ? " full" : " limited" } ?? "")
  }
}

extension TrackColor.Source {
  fileprivate var other: TrackColor.Source { self == .stream ? .container : .stream }
}

/// The pictures that a decoder makes of a track, apart from their colour.
package struct TrackPictures: Sendable, Hashable {
  package var codec: TrackCodec
  package var height: Int
  package var bitDepth: Int
  package var model: ColorModel
  package var chroma: ChromaSubsampling
  /// True if the decoder calls its layout one of full range (`yuvj`).
  package var isFullRange: Bool

  package init(
    codec: TrackCodec, height: Int, bitDepth: Int, model: ColorModel = .ycc, chroma: ChromaSubsampling = .s420,
    isFullRange: Bool = false
  ) {
    (self.codec, self.height, self.bitDepth) = (codec, height, bitDepth)
    (self.model, self.chroma, self.isFullRange) = (model, chroma, isFullRange)
  }
}

/// The choices of a caller about colour that is missing, wrong or stated twice.
package struct TrackColorChoice: Sendable, Hashable {
  /// Colour of clips that state none.
  package enum Untagged: String, Sendable, Hashable { case bt709, bt601, fail }

  /// The statement that counts where two differ: `stream` or `container`.
  package var trust = TrackColor.Source.stream
  /// Code points in the place of those of the clip.
  package var primaries: Int?
  package var transfer: Int?
  package var matrix: Int?
  /// `nil`: SDR for 8 bits, an error for more.
  package var untagged: Untagged?

  package init() {}

  var isStated: Bool { primaries != nil && transfer != nil }
}

/// The reason why the colour of a clip is not taken.
package enum TrackColorFault: Error, Sendable, Hashable {
  case matrix(Int)
  case codePoints(primaries: Int, transfer: Int)
  case undescribed(bitDepth: Int)

  package var code: String {
    switch self {
    case .matrix: "video.matrix"
    case .codePoints: "decode.unsupported"
    case .undescribed: "decode.undescribed"
    }
  }
}

extension TrackColorFault: HasMessage {
  package var message: Message {
    switch self {
    case .matrix(let matrix):
      "matrix coefficients \(matrix) are not supported for clips; \(setting: "cicp") takes others, if they are wrong"
    case .codePoints(let primaries, let transfer):
      "code points are not supported (found \(primaries)/\(transfer)); \(setting: "cicp") takes others"
    case .undescribed(let bitDepth):
      "the clip has \(bitDepth) bits and does not state its colour; give \(setting: "cicp") 9/16/9 for PQ, 9/18/9 for "
        + "HLG, 1/1/1 for BT.709"
    }
  }
}
