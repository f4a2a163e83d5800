import FileParts
import HDRCore

/// The head of a WebP bit stream, VP8 or VP8L: size and alpha, before the library sees it. Source: RFC 6386 clause 9.1;
/// RFC 9649 clauses 2.5 and 3.4.
struct WebPBitstream {
  let isLossless: Bool
  let width: Int
  let height: Int
  /// True if a lossless stream has alpha of its own.
  let hasAlpha: Bool

  /// Reads the head of a chunk's payload.
  init(_ payload: ArraySlice<UInt8>, isLossless: Bool) throws(DecodeError) {
    self.isLossless = isLossless
    let place = isLossless ? "WebP VP8L" : "WebP VP8"
    var reader = ByteReader(payload, place: place, isLittleEndian: true)
    if isLossless {
      guard try reader.u8() == 0x2F else { throw .malformed(where: place, what: "it does not begin with 2F") }
      let word = try reader.u32()
      guard word >> 29 == 0 else { throw .unsupported(feature: "this version of WebP", found: "\(word >> 29)") }
      (width, height, hasAlpha) = (word & 0x3FFF + 1, word >> 14 & 0x3FFF + 1, word >> 28 & 1 == 1)
      return
    }
    let tag = try reader.unsigned(3)
    guard tag & 1 == 0 else { throw .malformed(where: place, what: "it does not begin with a key frame") }
    guard Array(try reader.take(3)) == [0x9D, 0x01, 0x2A] else {
      throw .malformed(where: place, what: "it has no start code")
    }
    (width, height, hasAlpha) = (try reader.u16() & 0x3FFF, try reader.u16() & 0x3FFF, false)
    guard width > 0, height > 0 else { throw .malformed(where: place, what: "picture size is \(width)x\(height)") }
  }
}
