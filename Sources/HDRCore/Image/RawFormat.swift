/// The memory layout of the samples of a picture without a header, by ffmpeg's name if it has one
/// (docs/formats.md#raw). Words are little endian.
package struct RawFormat: Sendable, Hashable, CaseIterable {
  package enum Packing: Sendable, Hashable {
    /// A plane each for Y', Cb and Cr, or a plane for the single channel.
    case planar
    /// A plane of Y', then one with Cb and Cr interleaved.
    case biplanar
    /// Interleaved R, G, B, and A if there is any.
    case interleaved(channels: Int)
    /// A pixel in 32 bits: from the lowest, ten each of B, G and R, and two of A or set to 1.
    case word(hasAlpha: Bool)
  }

  package let name: String
  package let packing: Packing
  package let sample: SampleFormat
  /// The bits of a colour sample.
  package let bitDepth: Int
  /// The bits below the value in a word.
  package let lowZeroBits: Int
  /// The subsampling: `none` for one channel, 4:4:4 for R, G, B.
  package let chroma: ChromaSubsampling

  private init(
    _ name: String, _ packing: Packing, _ sample: SampleFormat, _ bitDepth: Int, low: Int = 0,
    _ chroma: ChromaSubsampling = .s444
  ) {
    self.name = name
    self.packing = packing
    self.sample = sample
    self.bitDepth = bitDepth
    lowZeroBits = low
    self.chroma = chroma
  }

  package static let allCases = [
    RawFormat("nv12", .biplanar, .uint8, 8, .s420),
    RawFormat("p010", .biplanar, .uint16, 10, low: 6, .s420),
    RawFormat("p016", .biplanar, .uint16, 16, .s420),
    RawFormat("p210", .biplanar, .uint16, 10, low: 6, .s422),
    RawFormat("yuv420p", .planar, .uint8, 8, .s420),
    RawFormat("yuv422p", .planar, .uint8, 8, .s422),
    RawFormat("yuv444p", .planar, .uint8, 8, .s444),
    RawFormat("yuv420p10", .planar, .uint16, 10, .s420),
    RawFormat("yuv422p10", .planar, .uint16, 10, .s422),
    RawFormat("yuv444p10", .planar, .uint16, 10, .s444),
    RawFormat("yuv420p12", .planar, .uint16, 12, .s420),
    RawFormat("yuv422p12", .planar, .uint16, 12, .s422),
    RawFormat("yuv444p12", .planar, .uint16, 12, .s444),
    RawFormat("gray16", .planar, .uint16, 16, .none),
    RawFormat("x2rgb10", .word(hasAlpha: false), .uint16, 10),
    RawFormat("bgra10", .word(hasAlpha: true), .uint16, 10),
    RawFormat("rgb24", .interleaved(channels: 3), .uint8, 8),
    RawFormat("rgba", .interleaved(channels: 4), .uint8, 8),
    RawFormat("rgb48", .interleaved(channels: 3), .uint16, 16),
    RawFormat("rgba64", .interleaved(channels: 4), .uint16, 16),
    RawFormat("rgbah", .interleaved(channels: 4), .float16, 16),
    RawFormat("rgbaf", .interleaved(channels: 4), .float32, 32),
  ]

  /// The ffmpeg names of the two formats that have other names here.
  private static let aliases = ["rgbaf16": "rgbah", "rgbaf32": "rgbaf"]

  /// Finds a format by its name, with or without ffmpeg's suffix `le`; `nil` for others.
  package static func named(_ name: String) -> RawFormat? {
    let plain = name.hasSuffix("le") ? String(name.dropLast(2)) : name
    return allCases.first { $0.name == aliases[plain] ?? plain }
  }

  package var model: ColorModel {
    switch packing {
    case .planar where chroma == .none: .grey
    case .planar, .biplanar: .ycc
    case .interleaved, .word: .rgb
    }
  }

  package var hasAlpha: Bool { packing == .interleaved(channels: 4) || packing == .word(hasAlpha: true) }

  /// The Y4M word for the format; `nil` if a Y4M stream cannot hold it.
  package var y4m: String? {
    guard packing == .planar else { return nil }
    if chroma == .none { return "mono\(bitDepth)" }
    // MPEG-2's siting of 4:2:0 samples is used here; deeper formats have no word for theirs.
    let digits = String(name.dropFirst(3)), isByte = sample == .uint8
    return isByte ? String(digits.dropLast()) + (chroma == .s420 ? "mpeg2" : "") : digits
  }
}

/// The positions of the planes of a raw picture.
package struct RawLayout: Sendable, Hashable {
  package var format: RawFormat
  package var width: Int
  package var height: Int
  /// Bytes from a row of the first plane to the next; `nil`: no padding. Rows of half as many samples have half of it.
  package var stride: Int?

  package init(_ format: RawFormat, width: Int, height: Int, stride: Int? = nil) {
    self.format = format
    self.width = width
    self.height = height
    self.stride = stride
  }

  /// The longest side that is accepted.
  package static let maxSide = 1 << 20
  static let maxStride = 1 << 26

  package struct Plane: Sendable, Hashable {
    package var offset: Int
    package var rowBytes: Int
    /// The number of samples of a channel in a row; `height` is the number of rows.
    package var width: Int
    package var height: Int
    /// Bytes from a sample of a channel to the next.
    package var stepBytes: Int
    /// The number of interleaved channels.
    package var channels: Int
  }

  /// The planes in their order.
  package var planes: [Plane] {
    let h = format.chroma.horizontalShift, v = format.chroma.verticalShift
    let small = ((width + (1 << h) - 1) >> h, (height + (1 << v) - 1) >> v)
    var shapes: [(width: Int, height: Int, step: Int, channels: Int)]
    switch format.packing {
    case .planar:
      shapes = [(width, height, format.sample.bytes, 1)]
      if format.model == .ycc { for _ in 0..<2 { shapes.append((small.0, small.1, format.sample.bytes, 1)) } }
    case .biplanar:
      shapes = [(width, height, format.sample.bytes, 1), (small.0, small.1, 2 * format.sample.bytes, 2)]
    case .interleaved(let channels): shapes = [(width, height, channels * format.sample.bytes, channels)]
    case .word: shapes = [(width, height, 4, 1)]
    }
    var offset = 0, result: [Plane] = []
    for (index, shape) in shapes.enumerated() {
      let least = shape.width * shape.step
      let isHalf = index > 0 && format.packing == .planar && h == 1
      let row = stride.map { max(least, isHalf ? ($0 + 1) / 2 : $0) } ?? least
      result.append(
        Plane(
          offset: offset, rowBytes: row, width: shape.width, height: shape.height, stepBytes: shape.step,
          channels: shape.channels))
      offset += row * shape.height
    }
    return result
  }

  /// The number of bytes of a picture.
  package var byteCount: Int { planes.reduce(0) { $0 + $1.rowBytes * $1.height } }

  /// The fault in the numbers; `nil` if there is none.
  package var fault: String? {
    guard (1...Self.maxSide).contains(width), (1...Self.maxSide).contains(height) else {
      return "a picture of \(width)x\(height) is not from 1x1 to \(Self.maxSide)x\(Self.maxSide)"
    }
    guard let stride else { return nil }
    let tight = RawLayout(format, width: width, height: height).planes[0].rowBytes
    let isHalved = format.packing == .planar && format.chroma.horizontalShift == 1
    let unit = isHalved ? 2 * format.sample.bytes : format.packing == .word(hasAlpha: true) ? 4 : format.sample.bytes
    if stride < tight || stride > Self.maxStride { return "a stride of \(stride) is not from \(tight) bytes up" }
    return stride % unit == 0 ? nil : "a stride of \(stride) bytes is no multiple of \(unit)"
  }
}
