import HDRCore

/// Code points that a bit stream states about itself. Parts that it leaves open are `nil`.
package struct BitstreamColor: Sendable, Hashable {
  package var primaries: Int?
  package var transfer: Int?
  package var matrix: Int?
  package var fullRange: Bool?
  /// What the stream's standard infers where `fullRange` is `nil`; `nil`: nothing.
  package var inferredFullRange: Bool?

  package init(
    primaries: Int? = nil, transfer: Int? = nil, matrix: Int? = nil, fullRange: Bool? = nil,
    inferredFullRange: Bool? = nil
  ) {
    self.primaries = primaries
    self.transfer = transfer
    self.matrix = matrix
    self.fullRange = fullRange
    self.inferredFullRange = inferredFullRange
  }

  /// An HEVC stream without video_signal_type. H.265 clause E.3.1 infers video_full_range_flag 0.
  static let unstatedHEVC = BitstreamColor(inferredFullRange: false)
}

/// Format of a coded picture by its headers, before any sample is decoded.
package struct CodedFormat: Sendable, Hashable {
  package var bitDepth: Int
  package var chroma: ChromaSubsampling
  package var siting: ChromaSiting
  package var color: BitstreamColor
  /// Three channels are R, G, B instead of Y, Cb, Cr.
  package var isRGB = false
  /// Bits of an alpha channel beside the others; `nil`: there is none.
  package var alphaBitDepth: Int?

  package init(bitDepth: Int, chroma: ChromaSubsampling, siting: ChromaSiting, color: BitstreamColor) {
    self.bitDepth = bitDepth
    self.chroma = chroma
    self.siting = siting
    self.color = color
  }

  private var model: ColorModel { chroma == .none ? .grey : isRGB ? .rgb : .ycc }

  /// Zeroed planes for a picture of this format.
  func makeImage(width: Int, height: Int) -> SampleImage {
    var image = SampleImage.planar(
      width: width, height: height, model: model, format: Self.sample(bitDepth), bitDepth: bitDepth, chroma: chroma,
      siting: siting)
    if let alphaBitDepth {
      image.alphaFormat = Self.sample(alphaBitDepth)
      image.alphaBitDepth = alphaBitDepth
      image.alpha =
        SampleImage.planar(
          width: width, height: height, model: .grey, format: image.alphaFormat, bitDepth: alphaBitDepth
        ).channels[0]
    }
    return image
  }

  /// The same without samples.
  func emptyImage(width: Int, height: Int) -> SampleImage {
    SampleImage(
      width: width, height: height, model: model, format: Self.sample(bitDepth), bitDepth: bitDepth, chroma: chroma,
      siting: siting, channels: [])
  }

  private static func sample(_ bits: Int) -> SampleFormat { bits > 8 ? .uint16 : .uint8 }

  /// - Throws: `.malformed` for planes of G, B, R (matrix 0) that differ in size: every pixel is read in all three;
  ///   `.unsupported` for reversible YCgCo that is not whole.
  func check(matrix: Int, fullRange: Bool) throws(DecodeError) {
    guard model == .ycc else { return }
    switch matrix {
    case CICP.Matrix.identity where chroma.isSubsampled:
      throw .malformed(where: "colr box", what: "identity matrix with \(chroma.rawValue) chroma")
    case CICP.Matrix.ycgcoTwoBits where !fullRange, CICP.Matrix.ycgcoOneBit where !fullRange:
      throw .unsupported(feature: "reversible YCgCo in limited range", found: "matrix coefficients \(matrix)")
    case CICP.Matrix.ycgcoTwoBits where chroma.isSubsampled, CICP.Matrix.ycgcoOneBit where chroma.isSubsampled:
      throw .unsupported(feature: "reversible YCgCo in \(chroma.rawValue)", found: "matrix coefficients \(matrix)")
    default: break
    }
  }
}

extension SamplePlane {
  /// Copies rows of foreign memory into the plane, starting at sample (`x`, `y`); what would pass the edges is left
  /// out.
  ///
  /// - Parameter source: `width` by `height` samples of `sampleBytes`, `stride` bytes from row to row (any sign).
  func copyRows(
    from source: UnsafeRawPointer, stride: Int, width sourceWidth: Int, height sourceHeight: Int, toX x: Int = 0,
    y: Int = 0
  ) {
    let columns = min(sourceWidth, width - x), rows = min(sourceHeight, height - y)
    guard columns > 0, rows > 0 else { return }
    for row in 0..<rows {
      (buffer.base + offset + (y + row) * rowBytes + x * stepBytes).copyMemory(
        from: source + row * stride, byteCount: columns * stepBytes)
    }
  }
}
