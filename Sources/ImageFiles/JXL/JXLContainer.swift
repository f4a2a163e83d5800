import FileParts
import HDRCore

/// A JPEG XL file: boxes in any order, or a codestream alone (ISO/IEC 18181-2).
struct JXLContainer {
  struct Box {
    var type: String
    var payload: ArraySlice<UInt8>
    /// The payload behind its header.
    var whole: ArraySlice<UInt8>
  }

  static let signature: [UInt8] = [0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]
  static let codestreamMark: [UInt8] = [0xFF, 0x0A]
  /// The `ftyp` box with brand `jxl `, version 0.
  static let fileType: [UInt8] = [
    0, 0, 0, 0x14, 0x66, 0x74, 0x79, 0x70, 0x6A, 0x78, 0x6C, 0x20, 0, 0, 0, 0, 0x6A, 0x78, 0x6C, 0x20,
  ]
  static let maxBoxes = 4096

  /// The size of the whole file.
  let byteCount: Int
  /// The codestream's bytes, in parts.
  private(set) var parts: [ArraySlice<UInt8>] = []
  /// The other boxes in their order, `brob` included.
  private(set) var others: [Box] = []

  static func recognizes(_ head: ArraySlice<UInt8>) -> Bool {
    head.starts(with: codestreamMark) || head.starts(with: signature)
  }

  init(_ bytes: [UInt8]) throws(DecodeError) {
    byteCount = bytes.count
    if bytes.starts(with: Self.codestreamMark) {
      parts = [bytes[...]]
      return
    }
    var reader = ByteReader(bytes, place: "JPEG XL box")
    try reader.skip(Self.signature.count)
    var isLast = false, isWhole = false, count = 0
    while !reader.isAtEnd {
      count += 1
      guard count <= Self.maxBoxes else {
        throw .limit(what: "JPEG XL box count", found: count, allowed: Self.maxBoxes)
      }
      let box = try Self.box(&reader)
      switch box.type {
      case "jxlc":
        guard parts.isEmpty else { throw .malformed(where: "JPEG XL jxlc", what: "a second codestream") }
        parts = [box.payload]
        isWhole = true
      case "jxlp":
        var payload = ByteReader(box.payload, place: "JPEG XL jxlp")
        let index = try payload.u32()
        guard !isWhole, !isLast, index & 0x7FFF_FFFF == parts.count else {
          throw .malformed(where: "JPEG XL jxlp", what: "part \(index & 0x7FFF_FFFF) where \(parts.count) belongs")
        }
        isLast = index >> 31 == 1
        parts.append(try payload.take(payload.remaining))
      default: others.append(box)
      }
    }
    guard !parts.isEmpty else { throw .truncated(where: "JPEG XL: no codestream") }
    guard isWhole || isLast else { throw .truncated(where: "JPEG XL jxlp") }
  }

  private static func box(_ reader: inout ByteReader) throws(DecodeError) -> Box {
    let start = reader.position
    var size = try reader.u32()
    let type = try reader.fourCC()
    if size == 1 {
      let long = try reader.unsigned(8)
      guard long <= UInt64(Int.max) else { throw .malformed(where: "JPEG XL box", what: "a box of \(long) bytes") }
      size = Int(long)
    }
    let header = reader.position - start
    if size == 0 { return Box(type: type, payload: try reader.take(reader.remaining), whole: reader.bytes[start...]) }
    guard size >= header else { throw .malformed(where: "JPEG XL box", what: "'\(type)' has \(size) bytes") }
    let payload = try reader.take(size - header)
    return Box(type: type, payload: payload, whole: reader.bytes[start..<reader.position])
  }

  /// The codestream in one piece.
  var codestream: ArraySlice<UInt8> { parts.count == 1 ? parts[0] : Array(parts.joined())[...] }

  // MARK: Writing

  static func append(_ type: String, _ payload: [[UInt8]], to sink: inout ByteSink) {
    appendHeader(type, payload: payload.reduce(0) { $0 + $1.count }, to: &sink)
    for part in payload { sink.append(part) }
  }

  /// Appends the header of a box.
  ///
  /// - Parameter payload: the number of bytes that follow.
  static func appendHeader(_ type: String, payload: Int, to sink: inout ByteSink) {
    let size = 8 + payload
    if size > 0xFFFF_FFFF {
      sink.u32(1)
      sink.ascii(type)
      sink.integer(size + 8, bytes: 8)
    } else {
      sink.u32(size)
      sink.ascii(type)
    }
  }
}
