import FileParts
import HDRCore

/// The main header of a NUT file: clocks, the table of frame codes, bytes that frames leave out (NUT specification,
/// "main_header").
struct NUTMainHeader: Sendable, Hashable {
  /// The version that FFmpeg writes unless it is asked for experiments.
  static let version = 3

  var streamCount: Int
  var maxDistance: Int
  var timeBases: [TimeBase]
  var frameCodes: [NUTFrameCode]
  /// The bytes that begin payloads and are not stored; the first has none.
  var elisionHeaders: [[UInt8]]

  init(_ body: [UInt8]) throws(DecodeError) {
    var reader = ByteReader(body, place: NUTPacketCode.main.name)
    let version = try reader.nutNumber()
    guard version == Self.version else { throw .unsupported(feature: "this version of NUT", found: "\(version)") }
    streamCount = try reader.nutNumber(atMost: NUTLimits.streams, "stream_count")
    guard streamCount > 0 else { throw .malformed(where: reader.place, what: "there is no stream") }
    // A larger distance counts as this one (NUT specification, "max_distance").
    maxDistance = min(try reader.nutNumber(), 65_536)
    timeBases = []
    for _ in 0..<(try reader.nutNumber(atMost: NUTLimits.streams, "time_base_count")) {
      let base = TimeBase(
        try reader.nutNumber(atMost: Int(Int32.max), "time_base_num"),
        try reader.nutNumber(atMost: Int(Int32.max), "time_base_denom"))
      guard base.numerator > 0, base.denominator > 0 else {
        throw .malformed(where: reader.place, what: "the time base is \(base)")
      }
      timeBases.append(base)
    }
    guard !timeBases.isEmpty else { throw .malformed(where: reader.place, what: "there is no time base") }
    frameCodes = try NUTFrameCode.table(&reader, streams: streamCount)
    elisionHeaders = [[]]
    for _ in 0..<(try reader.nutNumber(atMost: NUTLimits.elisionHeaders - 1, "header_count")) {
      elisionHeaders.append(try reader.nutBytes(atMost: NUTLimits.elisionBytes - 1, "an elision header"))
    }
    guard elisionHeaders.reduce(0, { $0 + $1.count + 1 }) <= NUTLimits.elisionSum else {
      throw .malformed(where: reader.place, what: "elision headers of more than \(NUTLimits.elisionSum) bytes")
    }
  }
}
