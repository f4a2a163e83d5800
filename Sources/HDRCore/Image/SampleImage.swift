/// The meaning of a coded picture's colour channels before any matrix.
package enum ColorModel: String, Sendable, Hashable, Codable {
  /// A single channel.
  case grey
  /// Y', Cb, Cr (or G, B, R when the matrix is "identity", CICP 0; or I, Ct, Cp for CICP 14).
  case ycc
  /// R', G', B'.
  case rgb
}

/// The type of one stored sample.
package enum SampleFormat: String, Sendable, Hashable, Codable {
  case uint8, uint16
  /// IEEE binary16, little endian.
  case float16
  /// IEEE binary32, little endian, for planes between passes.
  case float32

  package var isInteger: Bool { self == .uint8 || self == .uint16 }

  package var bytes: Int {
    switch self {
    case .uint8: 1
    case .uint16, .float16: 2
    case .float32: 4
    }
  }
}

/// The chroma subsampling of a Y'CbCr picture, as shifts of the chroma size per axis.
package enum ChromaSubsampling: String, Sendable, Hashable, Codable, CaseIterable {
  case none = "4:0:0"
  case s444 = "4:4:4"
  case s422 = "4:2:2"
  case s440 = "4:4:0"
  case s420 = "4:2:0"
  case s411 = "4:1:1"

  /// The log2 of luma columns per chroma column.
  package var horizontalShift: Int {
    switch self {
    case .s411: 2
    case .s422, .s420: 1
    default: 0
    }
  }
  /// The log2 of luma rows per chroma row.
  package var verticalShift: Int { self == .s440 || self == .s420 ? 1 : 0 }
  /// True if chroma planes are smaller than the picture.
  package var isSubsampled: Bool { horizontalShift + verticalShift > 0 }
}

/// The position of a subsampled chroma sample on each axis (ITU-T H.273 ChromaSampleLocType).
package struct ChromaSiting: Sendable, Hashable, Codable {
  /// True if on the first luma sample of its group, false if in the middle of the group.
  package var horizontallyCosited: Bool
  package var verticallyCosited: Bool

  package init(horizontallyCosited: Bool, verticallyCosited: Bool) {
    self.horizontallyCosited = horizontallyCosited
    self.verticallyCosited = verticallyCosited
  }

  /// Type 0, "left": the default of HEVC and AV1 for 4:2:0; for 4:2:2 the vertical half means nothing.
  package static let left = ChromaSiting(horizontallyCosited: true, verticallyCosited: false)
  /// Type 1, "centre", as in JPEG.
  package static let center = ChromaSiting(horizontallyCosited: false, verticallyCosited: false)
  /// Type 2, "top-left".
  package static let topLeft = ChromaSiting(horizontallyCosited: true, verticallyCosited: true)
}

/// A channel of a picture in memory. Channels of a picture may interleave (same buffer, step > sample size) or not.
package struct SamplePlane: Sendable {
  package var buffer: PixelBuffer
  /// The byte offset of the first sample of the first row.
  package var offset: Int
  /// Bytes from a row to the next.
  package var rowBytes: Int
  /// Bytes from a sample to the next in a row.
  package var stepBytes: Int
  /// The width in samples of this channel (chroma may be smaller than the picture).
  package var width: Int
  package var height: Int

  package init(buffer: PixelBuffer, offset: Int = 0, rowBytes: Int, stepBytes: Int, width: Int, height: Int) {
    self.buffer = buffer
    self.offset = offset
    self.rowBytes = rowBytes
    self.stepBytes = stepBytes
    self.width = width
    self.height = height
  }
}

/// A picture exactly as it was coded: integer or half samples in their own layout, not converted.
///
/// `[rows][columns][channels]` through `SamplePlane` strides; stored orientation; the transfer function is not undone.
package struct SampleImage: Sendable {
  /// The width in pixels (of luma for Y'CbCr).
  package var width: Int
  package var height: Int
  package var model: ColorModel
  package var format: SampleFormat
  /// The number of significant bits of a colour sample, 1...16.
  package var bitDepth: Int
  /// The bits below the value in a stored word: 6 for P010 (10 bits at the top of 16), 0 for right-aligned samples.
  package var lowZeroBits: Int
  package var chroma: ChromaSubsampling
  package var siting: ChromaSiting
  /// The channels: 1 (grey) or 3 (Y Cb Cr, or R G B).
  package var channels: [SamplePlane]
  /// Full-range alpha of the picture's size, right-aligned; `nil` for an opaque picture.
  package var alpha: SamplePlane?
  package var alphaFormat: SampleFormat
  package var alphaBitDepth: Int
  /// True if colour was multiplied by alpha before it was stored.
  package var alphaIsPremultiplied: Bool
  /// The samples that were NaN or infinite in the file and that the reader made finite. Most readers leave halves as they
  /// are.
  package var madeFinite = 0
  /// The size before the picture was decoded smaller; `nil`: there is a sample for each pixel.
  package var reduction: Reduction?
  /// The coded picture that a device has made; the channels may be missing then.
  package var scan: JPEGScan?
  /// The rows that a device has deflated for PNG, TIFF or OpenEXR; the channels are missing then.
  package var deflated: DeflatedRows?
  /// The scan that a decoder hands over, or why it does not; `nil` if it was not asked to.
  package var handover: JPEGHandover?

  package init(
    width: Int, height: Int, model: ColorModel, format: SampleFormat, bitDepth: Int, lowZeroBits: Int = 0,
    chroma: ChromaSubsampling = .s444, siting: ChromaSiting = .left, channels: [SamplePlane],
    alpha: SamplePlane? = nil, alphaFormat: SampleFormat? = nil, alphaBitDepth: Int? = nil,
    alphaIsPremultiplied: Bool = false
  ) {
    self.width = width
    self.height = height
    self.model = model
    self.format = format
    self.bitDepth = bitDepth
    self.lowZeroBits = lowZeroBits
    self.chroma = chroma
    self.siting = siting
    self.channels = channels
    self.alpha = alpha
    self.alphaFormat = alphaFormat ?? format
    self.alphaBitDepth = alphaBitDepth ?? bitDepth
    self.alphaIsPremultiplied = alphaIsPremultiplied
  }

  package var pixelCount: Int { width * height }

  /// True if there are samples, or a scan to decode.
  package var holdsPixels: Bool {
    if case .scan = handover { return true }
    return !channels.isEmpty
  }

  /// Returns some rows of a picture without subsampled channels, in the same memory.
  package func rows(_ rows: Range<Int>) -> SampleImage {
    func part(_ plane: SamplePlane) -> SamplePlane {
      var part = plane
      part.offset += rows.lowerBound * plane.rowBytes
      part.height = rows.count
      return part
    }
    var image = self
    image.height = rows.count
    image.channels = channels.map(part)
    image.alpha = alpha.map(part)
    return image
  }
}

extension SampleImage {
  /// An encoder needs this of the picture: it has no samples if the picture is coded already.
  package var forEncoder: SampleImage {
    guard scan != nil || deflated != nil else { return self }
    var image = self
    (image.channels, image.alpha) = ([], nil)
    return image
  }

  /// Gives back the memory of rows before one that nothing reads any more; what they held is lost. The picture fills its
  /// buffers from their first bytes on.
  package func forget(before row: Int) {
    var last: PixelBuffer?
    for plane in channels + (alpha.map { [$0] } ?? []) where plane.buffer !== last {
      plane.buffer.forget(first: row * plane.rowBytes)
      last = plane.buffer
    }
  }

  /// Allocates zeroed planes with rows rounded up to 64 bytes: Y, Cb, Cr or R, G, B or grey (+ alpha).
  package static func planar(
    width: Int, height: Int, model: ColorModel, format: SampleFormat, bitDepth: Int,
    chroma: ChromaSubsampling = .s444, siting: ChromaSiting = .left, hasAlpha: Bool = false
  ) -> SampleImage {
    func plane(_ w: Int, _ h: Int) -> SamplePlane {
      let row = (w * format.bytes + 63) & ~63
      return SamplePlane(
        buffer: PixelBuffer(byteCount: row * h), rowBytes: row, stepBytes: format.bytes, width: w, height: h)
    }
    var channels = [plane(width, height)]
    if model != .grey {
      let hs = chroma.horizontalShift, vs = chroma.verticalShift
      let w = (width + (1 << hs) - 1) >> hs, h = (height + (1 << vs) - 1) >> vs
      channels += [plane(w, h), plane(w, h)]
    }
    return SampleImage(
      width: width, height: height, model: model, format: format, bitDepth: bitDepth,
      chroma: model == .grey ? .none : chroma, siting: siting, channels: channels,
      alpha: hasAlpha ? plane(width, height) : nil)
  }

  /// Allocates interleaved samples in tightly packed rows; 1 to 4 channels: grey, grey and alpha, R G B, R G B A.
  package static func interleaved(
    width: Int, height: Int, channelCount: Int, format: SampleFormat, bitDepth: Int
  ) -> SampleImage {
    precondition((1...4).contains(channelCount))
    let step = channelCount * format.bytes, row = width * step
    let buffer = PixelBuffer(byteCount: row * height)
    func plane(_ index: Int) -> SamplePlane {
      SamplePlane(
        buffer: buffer, offset: index * format.bytes, rowBytes: row, stepBytes: step, width: width, height: height)
    }
    let colors = channelCount < 3 ? 1 : 3
    return SampleImage(
      width: width, height: height, model: colors == 1 ? .grey : .rgb, format: format, bitDepth: bitDepth,
      chroma: colors == 1 ? .none : .s444, channels: (0..<colors).map(plane),
      alpha: channelCount == 2 || channelCount == 4 ? plane(channelCount - 1) : nil)
  }
}
