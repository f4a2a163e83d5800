import FileParts
import HDRCore
import TestSupport
import Testing
import VideoStreams

/// HDR10+, ST 2094-50 and RPUs in messages of ITU-T T.35.
@Suite struct T35MessageTests {
  /// The values of HDR10+ that a program wrote into a clip.
  private struct Values: Hashable {
    var maxSCL: [Int], average: Int, percents: [Int], light: [Int]
  }

  @Test(
    "HDR10+ of each frame has the values that were written",
    .enabled(if: SharedData.url("data/video/hdr10plus.mkv") != nil, "skipped: no ../shared/data/video"))
  func hdr10PlusHasItsValues() throws {
    let clip = try #require(SharedData.bytes("data/video/hdr10plus.mkv"))
    let prefix = T35Message.Kind.hdr10Plus.prefix
    var found: [Values: Int] = [:], count = 0
    for start in clip.indices.dropLast(64) where clip[start] == 0xB5 && clip[start...].starts(with: prefix) {
      // Four bytes of length and the unit, whose header, message type and message size are before the prefix.
      let length = clip[(start - 8)..<(start - 4)].reduce(0) { $0 << 8 | Int($1) }
      let unit = try AccessUnit(clip[(start - 8)..<(start - 4 + length)], .lengths(4))
      let message = try #require(unit.t35.first)
      #expect(message.kind == .hdr10Plus && message.isReadable && message.bytes.count == 49)
      let metadata = try HDR10PlusMetadata(parsing: message.payload)
      let window = metadata.windows[0]
      #expect(metadata.windows.count == 1 && metadata.targetPeak == 0 && window.curve == nil)
      let values = Values(
        maxSCL: window.maxSCL, average: window.averageMaxRGB, percents: window.distribution.map(\.percent),
        light: window.distribution.map(\.light))
      found[values, default: 0] += 1
      count += 1
    }
    #expect(count == 259)
    // The list is in the order of display, the clip in that of decoding.
    let json = try #require(SharedData.json("data/video/hdr10plus-metadata.json"))
    for scene in try #require(json["SceneInfo"] as? [[String: Any]]) {
      let light = try #require(scene["LuminanceParameters"] as? [String: Any])
      let shares = try #require(light["LuminanceDistributions"] as? [String: [Int]])
      let values = Values(
        maxSCL: try #require(light["MaxScl"] as? [Int]), average: try #require(light["AverageRGB"] as? Int),
        percents: try #require(shares["DistributionIndex"]), light: try #require(shares["DistributionValues"]))
      found[values, default: 0] -= 1
    }
    #expect(found.values.allSatisfy { $0 == 0 })
  }

  @Test("HDR10+ with windows, tables and a curve is read to its end")
  func everyFieldOfHDR10PlusIsRead() throws {
    var bits = BitSink()
    bits.bits(1, 8)
    bits.bits(2, 2)
    for _ in 0..<9 { bits.bits(77, 16) }
    bits.bits(5, 9)
    bits.bits(4000, 27)
    for _ in 0..<2 {
      // A table of 2 × 3 entries, before and behind the windows.
      bits.bits(1, 1)
      bits.bits(2, 5)
      bits.bits(3, 5)
      bits.bits(0xABCDEF, 24)
      guard bits.bytes.count < 50 else { break }
      for window in 1...2 {
        for light in 1...4 { bits.bits(1000 * window + light, 17) }
        bits.bits(1, 4)
        bits.bits(99, 7)
        bits.bits(9000 + window, 17)
        bits.bits(3, 10)
      }
    }
    bits.bits(1, 1)
    bits.bits(100, 12)
    bits.bits(200, 12)
    bits.bits(2, 4)
    bits.bits(10, 10)
    bits.bits(20, 10)
    bits.bits(1, 1)
    bits.bits(63, 6)
    bits.bits(0, 2)
    let metadata = try HDR10PlusMetadata(parsing: bits.bytes[...])
    #expect(
      metadata.targetPeak == 4000 && metadata.windows.map(\.maxSCL) == [[1001, 1002, 1003], [2001, 2002, 2003]])
    #expect(metadata.windows.map(\.averageMaxRGB) == [1004, 2004] && metadata.peak == 100.3)
    #expect(metadata.windows[1].distribution.map { [$0.percent, $0.light] } == [[99, 9002]])
    #expect(metadata.windows.map { $0.curve.map { $0.knee + $0.anchors } } == [[100, 200, 10, 20], nil])
    for count in 0..<bits.bytes.count - 1 {
      #expect(throws: DecodeError.self) { try HDR10PlusMetadata(parsing: bits.bytes.prefix(count)) }
    }
  }

  @Test("an RPU comes out of its container in AV1 as it went in", arguments: [6, 255, 256, 400])
  func containersKeepRPUs(size: Int) throws {
    let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 * 7 + 1) }
    let message = DolbyEMDF.message(body)
    // The first bytes that every such message has.
    #expect(message.bytes.starts(with: [0xB5, 0, 0x3B, 0, 0, 8, 0, 0x37, 0xCD, 0x08]) && message.kind == .dolby)
    #expect(try DolbyEMDF.body(of: message.payload) == body)
    var changed = message
    changed.bytes[8] ^= 1
    #expect(!changed.isReadable && message.isReadable)
    #expect(throws: DecodeError.self) { try DolbyEMDF.body(of: message.payload.dropLast(3)) }
  }

  @Test("messages are found in metadata OBUs with and without trailing bits")
  func messagesAreFoundInOBUs() throws {
    let rpu = try MadeRPU.read("full"), dolby = DolbyEMDF.message(rpu.body), other = T35Message([0xB5, 0, 0x31, 9])
    func obu(_ type: Int, _ body: [UInt8], hasSize: Bool = true) -> [UInt8] {
      [UInt8(type << 3 | (hasSize ? 2 : 0))] + (hasSize ? LEB128.bytes(body.count) : []) + body
    }
    let light: [UInt8] = [1, 3, 232, 1, 144, 0x80]
    let unit =
      obu(2, []) + obu(5, [4] + dolby.bytes + [0x80]) + obu(5, light) + obu(5, [4] + other.bytes)
      + obu(5, [4] + dolby.bytes + [0x80, 0, 0], hasSize: false)
    let found = try AV1Messages.t35(in: unit[...])
    #expect(found == [dolby, other, dolby])
    #expect(try DolbyRPU(body: DolbyEMDF.body(of: found[0].payload)[...]) == DolbyRPU(parsing: rpu.bytes[...]))
    #expect(throws: DecodeError.self) { try AV1Messages.t35(in: obu(5, [4] + other.bytes).dropLast()) }
  }

  @Test("a message of ST 2094-50 is told from others and read")
  func headroomAdaptiveMessagesAreRead() throws {
    let payload = HeadroomAdaptiveMetadata.payload(
      baseline: 20_000, [CodedToneCurve(headroom: 10_000, x: [0, 1000, 4000], reduction: [0, 2000, 10_000])])
    let message = T35Message(.headroomAdaptive, payload: payload)
    #expect(message.kind == .headroomAdaptive && message.isReadable && Array(message.payload) == payload)
    #expect(!T35Message(.headroomAdaptive, payload: [1]).isReadable)
    let earlier = T35Message([0xB5, 0, 0x90, 0, 5] + payload)
    #expect(earlier.kind == .headroomAdaptive && Array(earlier.payload) == payload && earlier.isReadable)
    #expect(T35Message([0xB5]).kind == .other)
  }
}
