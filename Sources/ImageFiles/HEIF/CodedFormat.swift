import FileParts
import HDRCore

/// The format of a coded picture by its headers, before any sample is decoded.
package struct CodedFormat: Sendable, Hashable {
  package var bitDepth: Int
  package var chroma: ChromaSubsampling
  package var siting: ChromaSiting
  package var color: BitstreamColor
  /// True if three channels are R, G, B instead of Y, Cb, Cr.
  package var isRGB = false
  /// The bits of an alpha channel; `nil`: there is none.
  package var alphaBitDepth: Int?

  package init(bitDepth: Int, chroma: ChromaSubsampling, siting: ChromaSiting, color: BitstreamColor) {
    self.bitDepth = bitDepth
    self.chroma = chroma
    self.siting = siting
    self.color = color
  }

  private var model: ColorModel { chroma == .none ? .grey : isRGB ? .rgb : .ycc }

  /// Makes zeroed planes for a picture of this format.
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

  /// Makes an image of this format without samples.
  func emptyImage(width: Int, height: Int) -> SampleImage {
    SampleImage(
      width: width, height: height, model: model, format: Self.sample(bitDepth), bitDepth: bitDepth, chroma: chroma,
      siting: siting, channels: [])
  }

  private static func sample(_ bits: Int) -> SampleFormat { bits > 8 ? .uint16 : .uint8 }

  /// Checks that the format is possible with a matrix and range.
  ///
  /// - Throws: `.malformed` for planes of G, B, R (matrix 0) that differ in size: every pixel is read in all three;
  ///   `.unsupported` for a reversible YCgCo in limited range or with subsampled chroma.
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
  /// Copies rows of a library's memory into the plane, starting at sample (`x`, `y`); samples beyond the edges are
  /// dropped.
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
