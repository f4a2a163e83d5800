import FileParts
import HDRCore

/// The flags of a frame (NUT specification, "frame_flags").
struct NUTFrameFlags: OptionSet, Sendable {
  let rawValue: Int

  static let key = NUTFrameFlags(rawValue: 1)
  /// A frame without data that ends its stream for now.
  static let endOfRelevance = NUTFrameFlags(rawValue: 2)
  static let codedPTS = NUTFrameFlags(rawValue: 8)
  static let streamID = NUTFrameFlags(rawValue: 16)
  static let sizeMSB = NUTFrameFlags(rawValue: 32)
  static let checksum = NUTFrameFlags(rawValue: 64)
  static let reserved = NUTFrameFlags(rawValue: 128)
  static let sideData = NUTFrameFlags(rawValue: 256)
  static let headerIndex = NUTFrameFlags(rawValue: 1024)
  static let matchTime = NUTFrameFlags(rawValue: 2048)
  static let coded = NUTFrameFlags(rawValue: 4096)
  static let invalid = NUTFrameFlags(rawValue: 8192)
}

/// A row of the table that a frame's first byte selects: what the frame need not say itself (NUT specification,
/// "frame_code").
struct NUTFrameCode: Sendable, Hashable {
  var flags = NUTFrameFlags.invalid.rawValue
  var stream = 0
  var sizeFactor = 1
  var size = 0
  var ptsDelta = 0
  var reservedCount = 0
  var elisionHeader = 0

  /// Reads the table of 256 rows, which a main header holds in runs of equal ones with growing sizes.
  static func table(_ reader: inout ByteReader, streams: Int) throws(DecodeError) -> [NUTFrameCode] {
    var rows: [NUTFrameCode] = [], row = NUTFrameCode()
    while rows.count < 256 {
      row.flags = try reader.nutNumber(atMost: 1 << 20, "a frame's flags")
      let fields = try reader.nutNumber(atMost: 64, "the number of fields")
      if fields > 0 { row.ptsDelta = try reader.nutSigned() }
      if fields > 1 { row.sizeFactor = try reader.nutNumber(atMost: 1 << 40, "data_size_mul") }
      if fields > 2 { row.stream = try reader.nutNumber(atMost: streams - 1, "stream_id") }
      let size = fields > 3 ? try reader.nutNumber(atMost: 1 << 40, "data_size_lsb") : 0
      row.reservedCount = fields > 4 ? try reader.nutNumber(atMost: NUTLimits.reservedFields, "reserved_count") : 0
      let count = fields > 5 ? try reader.nutNumber() : row.sizeFactor - size
      if fields > 6 { _ = try reader.nutSigned() }
      if fields > 7 { row.elisionHeader = try reader.nutNumber(atMost: NUTLimits.elisionHeaders, "header_idx") }
      for _ in 8..<max(8, fields) { _ = try reader.nutNumber() }
      let free = 256 - rows.count - (rows.count <= Int(NUTPacketCode.firstByte) ? 1 : 0)
      guard (1...free).contains(count) else {
        throw .malformed(where: reader.place, what: "\(count) frame codes where \(free) are free")
      }
      for step in 0..<count {
        if rows.count == NUTPacketCode.firstByte { rows.append(NUTFrameCode()) }
        row.size = size + step
        rows.append(row)
      }
      if rows.count == NUTPacketCode.firstByte { rows.append(NUTFrameCode()) }
    }
    return rows
  }
}
