/// The gain map box of JPEG XL, `jhgm`: metadata, colour of the alternate, and the map as a naked codestream.
///
/// Source: ISO/IEC 18181-2 third edition (docs/gain-map-maths.md#containers). Integers are big-endian: u8 version, u16
/// length and ISO 21496-1 metadata (no leading byte), u8 length and packed colour encoding, u32 length and ICC profile
/// in JPEG XL's own compression, then the codestream to the end. Nothing here decodes the last three.
package struct JHGM: Sendable, Hashable {
  package enum ParseError: Error, Sendable, Hashable {
    case truncated
    case unsupportedVersion(Int)
  }

  /// The payload for `parseISO21496(jpegPayload:warnings:)`.
  package var metadata: [UInt8]
  /// The colour of the alternate as bit-packed `JxlColorEncoding`; empty when absent.
  package var colorEncoding: [UInt8]
  /// The ICC profile in JPEG XL's compression; empty when absent.
  package var compressedICC: [UInt8]
  package var codestream: [UInt8]

  package init(metadata: [UInt8], colorEncoding: [UInt8] = [], compressedICC: [UInt8] = [], codestream: [UInt8]) {
    self.metadata = metadata
    self.colorEncoding = colorEncoding
    self.compressedICC = compressedICC
    self.codestream = codestream
  }

  /// Reads the payload of a box, after its header.
  package init(parsing payload: ArraySlice<UInt8>) throws(ParseError) {
    var rest = payload
    func take(_ count: Int) throws(ParseError) -> ArraySlice<UInt8> {
      guard count <= rest.count else { throw .truncated }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }
    func number(_ count: Int) throws(ParseError) -> Int { try take(count).reduce(0) { $0 << 8 | Int($1) } }
    let version = try number(1)
    guard version == 0 else { throw .unsupportedVersion(version) }
    metadata = Array(try take(try number(2)))
    colorEncoding = Array(try take(try number(1)))
    compressedICC = Array(try take(try number(4)))
    codestream = Array(rest)
  }

  /// The payload to write; `nil` if a part is too long for its length field.
  package var serialized: [UInt8]? {
    guard metadata.count <= 0xFFFF, colorEncoding.count <= 0xFF, compressedICC.count <= 0xFFFF_FFFF else { return nil }
    func bytes(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }
    return [0] + bytes(metadata.count, 2) + metadata + bytes(colorEncoding.count, 1) + colorEncoding
      + bytes(compressedICC.count, 4) + compressedICC + codestream
  }
}
