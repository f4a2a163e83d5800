import HDRCore

/// A tile of a DNG in lossy JPEG: codes of 8 bits of camera values. Y'CbCr is converted to three colours as by every
/// reader of JPEG. Source: DNG 1.7.1, Compression 34892.
struct LossyJPEGTile {
  let width: Int
  let height: Int
  let planes: Int
  let place: String

  /// Decodes the tile; returns interleaved codes in words, rows tightly packed.
  ///
  /// - Throws: `.malformed` for a stream of another size, `.truncated` for one without its end, `.library`.
  func decode(_ bytes: ArraySlice<UInt8>, warnings: inout [Warning]) throws(DecodeError) -> PixelBuffer {
    let file = Array(bytes), jpeg = try JPEGStructure(file, at: 0)
    guard jpeg.width == width, jpeg.height == height, jpeg.components.count == planes else {
      throw .malformed(
        where: place,
        what: "JPEG of \(jpeg.width)x\(jpeg.height)x\(jpeg.components.count) for \(width)x\(height)x\(planes)")
    }
    guard jpeg.hasEnd else { throw .truncated(where: place) }
    let codes = try decodeJPEGColors(jpeg, file, warnings: &warnings), count = width * height * planes
    let words = PixelBuffer(uninitializedByteCount: 2 * count)
    for at in 0..<count {
      words.base.storeBytes(
        of: UInt16(codes.base.load(fromByteOffset: at, as: UInt8.self)), toByteOffset: 2 * at, as: UInt16.self)
    }
    return words
  }
}
