import HDRCore

/// Takes the one coded picture out of a file that libheif has just written.
enum HEVCPayload {
  /// - Returns: configuration and NAL units without SEI; sizes 0, which the caller knows better.
  static func read(_ file: [UInt8]) throws(DecodeError) -> CodedHEVCPicture {
    let meta = try child("meta", of: file[...])
    // Version and flags.
    let metaContent = try tail(meta, from: 4)
    let container = try child("ipco", of: child("iprp", of: metaContent))
    let configuration = Array(try child("hvcC", of: container))
    let item = try onlyItem(child("iloc", of: metaContent), in: file)
    // Byte 21 holds lengthSizeMinusOne in its low bits.
    guard configuration.count > 22 else { throw .truncated(where: "hvcC") }
    let data = try withoutSEI(item, lengthBytes: Int(configuration[21] & 3) + 1)
    return CodedHEVCPicture(configuration: configuration, data: data, width: 0, height: 0)
  }

  private static func tail(_ bytes: ArraySlice<UInt8>, from count: Int) throws(DecodeError) -> ArraySlice<UInt8> {
    guard bytes.count >= count else { throw .truncated(where: "box") }
    return bytes.dropFirst(count)
  }

  /// Content of the first child box of a type.
  private static func child(_ type: String, of bytes: ArraySlice<UInt8>) throws(DecodeError) -> ArraySlice<UInt8> {
    var reader = ByteReader(bytes, place: type)
    while !reader.isAtEnd {
      let size = try reader.u32()
      let found = try reader.fourCC()
      guard size >= 8 else { throw .malformed(where: type, what: "box of size \(size)") }
      let content = try reader.take(size - 8)
      if found == type { return content }
    }
    throw .malformed(where: type, what: "the box is missing")
  }

  /// The extent of the single item (ISO/IEC 14496-12, 8.11.3, versions 0 and 1, construction method 0).
  private static func onlyItem(_ iloc: ArraySlice<UInt8>, in file: [UInt8]) throws(DecodeError) -> ArraySlice<UInt8> {
    var reader = ByteReader(iloc, place: "iloc")
    let version = try reader.u8()
    try reader.skip(3)
    let sizes = try reader.u16()
    let offsetBytes = sizes >> 12, lengthBytes = sizes >> 8 & 15, baseBytes = sizes >> 4 & 15
    guard version <= 1, try reader.u16() == 1 else { throw .malformed(where: "iloc", what: "not one item") }
    try reader.skip(version == 1 ? 6 : 4)
    func field(_ count: Int) throws(DecodeError) -> Int {
      guard count <= 8, let value = Int(exactly: try reader.bigEndian(count)) else {
        throw .malformed(where: "iloc", what: "number too large")
      }
      return value
    }
    let base = try field(baseBytes)
    guard try reader.u16() == 1 else { throw .malformed(where: "iloc", what: "not one extent") }
    if version == 1 { try reader.skip(sizes & 15) }
    let (start, overflow) = base.addingReportingOverflow(try field(offsetBytes))
    let length = try field(lengthBytes)
    guard !overflow, start >= 0, start <= file.count, length <= file.count - start else {
      throw .truncated(where: "iloc")
    }
    return file[start..<start + length]
  }

  /// NAL unit types 39 and 40 are prefix and suffix SEI (H.265 table 7-1).
  private static func withoutSEI(_ item: ArraySlice<UInt8>, lengthBytes: Int) throws(DecodeError) -> [UInt8] {
    var reader = ByteReader(item, place: "HEVC item")
    var result = ByteSink(reserving: item.count)
    while !reader.isAtEnd {
      let size = Int(try reader.bigEndian(lengthBytes))
      let unit = try reader.take(size)
      guard let first = unit.first else { continue }
      let type = first >> 1 & 63
      if type == 39 || type == 40 { continue }
      result.integer(size, bytes: lengthBytes)
      result.append(unit)
    }
    return result.bytes
  }
}
