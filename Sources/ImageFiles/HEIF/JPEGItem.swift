import FileParts
import HDRCore

/// A picture of a `jpeg` item: a JPEG stream, whose first bytes may stand in `jpgC` (ISO/IEC 23008-12 annex H).
struct JPEGItem {
  static let reader = "libjpeg-turbo"

  private let bytes: [UInt8]
  private let jpeg: JPEGStructure
  let format: CodedFormat

  /// Reads the headers.
  ///
  /// - Parameters:
  ///   - prefix: the bytes of `jpgC`.
  ///   - width, height: the size by `ispe`.
  /// - Throws: `.malformed` for a stream of another size, `.unsupported` for a kind of JPEG that is not read.
  init(
    _ data: ArraySlice<UInt8>, prefix: ArraySlice<UInt8>?, width: Int, height: Int, place: String
  ) throws(DecodeError) {
    bytes = (prefix.map { Array($0) } ?? []) + data
    jpeg = try JPEGStructure(bytes, at: 0)
    guard jpeg.width == width, jpeg.height == height else {
      throw .malformed(where: place, what: "coded size \(jpeg.width)x\(jpeg.height), ispe says \(width)x\(height)")
    }
    let image = try describeJPEGSamples(jpeg), isRGB = image.model == .rgb
    var format = CodedFormat(
      bitDepth: image.bitDepth, chroma: image.chroma, siting: image.siting,
      color: BitstreamColor(matrix: isRGB ? CICP.Matrix.identity : CICP.Matrix.bt601, fullRange: true))
    if image.model == .grey { format.chroma = .none }
    format.isRGB = isRGB
    self.format = format
  }

  /// Returns the profile within the stream, for items that state no colour.
  func profile(_ limits: DecodeLimits, warnings: inout [Warning]) -> [UInt8]? {
    JPEGMetadata(jpeg, bytes, limits: limits, warnings: &warnings).icc
  }

  /// Decodes the samples to planes.
  func decode(warnings: inout [Warning]) throws(DecodeError) -> SampleImage {
    let decoded = try decodeJPEGSamples(jpeg, bytes, warnings: &warnings)
    guard decoded.model == .rgb else { return decoded }
    let image = format.makeImage(width: decoded.width, height: decoded.height)
    for (from, to) in zip(decoded.channels, image.channels) {
      for y in 0..<to.height {
        let source = from.buffer.base + from.offset + y * from.rowBytes,
          row = to.buffer.base + to.offset + y * to.rowBytes
        for x in 0..<to.width {
          row.storeBytes(
            of: source.load(fromByteOffset: x * from.stepBytes, as: UInt8.self), toByteOffset: x, as: UInt8.self)
        }
      }
    }
    return image
  }
}
