import FileParts
import HDRCore
import TestSupport
import Testing
import VideoStreams

/// NAL units of packets, and metadata taken out of them and put into them.
@Suite struct AccessUnitTests {
  private static let delimiter: [UInt8] = [35 << 1, 1, 0x50], slice: [UInt8] = [1 << 1, 1, 0x80, 9, 9]
  private static let end: [UInt8] = [36 << 1, 1]

  private static func packet(_ units: [[UInt8]], _ framing: AccessUnit.Framing) -> [UInt8] {
    switch framing {
    case .lengths(let size):
      units.flatMap { unit in (0..<size).map { UInt8(unit.count >> (8 * (size - 1 - $0)) & 255) } + unit }
    case .startCodes: units.flatMap { [0, 0, 0, 1] + $0 }
    }
  }

  /// Returns the payload of the box `mdat`, whose NAL units have 4 bytes of length.
  private static func media(_ name: String) throws -> AccessUnit {
    var reader = ByteReader(try #require(SharedData.bytes("data/video/" + name)), place: name)
    let media = try #require(try readBoxes(&reader, place: name).first { $0.type == "mdat" })
    return try AccessUnit(media.payload, .lengths(4))
  }

  @Test(
    "a packet whose units are not changed is written as it was read",
    arguments: [AccessUnit.Framing.lengths(1), .lengths(2), .lengths(4), .startCodes])
  func unchangedPacketsAreKept(framing: AccessUnit.Framing) throws {
    let packet = Self.packet([Self.delimiter, Self.slice, [], Self.slice], framing)
    let unit = try AccessUnit(packet[...], framing)
    #expect(unit.units.map { Array($0.bytes) } == [Self.delimiter, Self.slice, [], Self.slice])
    #expect(unit.bytes == packet)
    #expect(try AccessUnit([], framing).bytes == [])
    // Start codes of 3 and more bytes, and zeros at the end.
    if framing == .startCodes {
      let odd =
        [0, 0, 1] + Self.delimiter + [0, 0, 0, 0, 1] + Self.slice + [0, 0, 1, 0, 0, 1] + Self.end + [0, 0, 0]
      let unit = try AccessUnit(odd[...], framing)
      #expect(unit.units.map { Array($0.bytes) } == [Self.delimiter, Self.slice, [], Self.end] && unit.bytes == odd)
      #expect(throws: DecodeError.self) { try AccessUnit([0, 2, 0, 0, 1, 9], framing) }
    } else {
      #expect(throws: DecodeError.self) { try AccessUnit(packet.dropLast(), framing) }
    }
  }

  @Test("messages lie before the first slice and RPUs behind the last unit but ends", arguments: [false, true])
  func metadataIsInsertedInItsPlace(hasStartCodes: Bool) throws {
    let framing = hasStartCodes ? AccessUnit.Framing.startCodes : .lengths(4)
    var unit = try AccessUnit(Self.packet([Self.delimiter, Self.slice, Self.slice, Self.end], framing)[...], framing)
    let message = T35Message(.hdr10Plus, payload: [1, 0, 0, 1, 0, 0, 0, 3])
    let rpu = try MadeRPU.read("full")
    try unit.insert(message)
    try unit.append(rpuUnit: rpu.unit)
    #expect(unit.units.map(\.type) == [35, 39, 1, 1, 62, 36])
    let again = try AccessUnit(unit.bytes[...], framing)
    #expect(again.t35 == [message] && again.rpu == rpu.bytes && !again.hasEnhancement)
    #expect(again.units.map(\.bytes) == unit.units.map(\.bytes))
    var bare = again
    bare.removeDolby()
    #expect(bare.rpu == nil && bare.units.map(\.type) == [35, 39, 1, 1, 36])
    var none = try AccessUnit(Self.packet([Self.delimiter], framing)[...], framing)
    #expect(throws: DecodeError.self) { try none.insert(message) }
  }

  @Test("a unit that its length cannot state is refused")
  func lengthsHaveABound() throws {
    var unit = try AccessUnit([], .lengths(1))
    #expect(throws: DecodeError.limit(what: "the size of a NAL unit", found: 256, allowed: 255)) {
      try unit.append(rpuUnit: [UInt8](repeating: 1, count: 256))
    }
  }

  @Test(
    "each picture of a Dolby Vision clip has the RPU of the vectors",
    .enabled(if: DolbySamples.areHere, "skipped: no ../shared/data/video"),
    arguments: [("dv-p5.mp4", "p5-real"), ("dv-p5-mmr.mp4", "p5-mmr"), ("dv-p84.mov", "p84"), ("dv-p81.mp4", "p81")])
  func clipsHaveTheRPUOfTheVectors(clip: String, name: String) throws {
    let vectors = try #require(DolbySamples.vectors?["dolby"] as? [String: Any])
    let hex = try #require((vectors[name] as? [String: Any])?["rpu_hex"] as? String)
    let all = try Self.media(clip).units.filter { $0.type == 62 }.map {
      EmulationPrevention.removed($0.bytes.dropFirst(2))
    }
    #expect(all == [[UInt8]](repeating: DolbySamples.bytes(hex: hex), count: 12))
    // Units are made as the clip has them.
    let rpu = try DolbyRPU(parsing: all[0][...])
    #expect(try Self.media(clip).rpuUnit.map(Array.init) == rpu.unit)
  }

  @Test(
    "all RPUs of a stream with an enhancement layer are read and written",
    .enabled(if: DolbySamples.areHere, "skipped: no ../shared/data/video"))
  func enhancedStreamsAreRead() throws {
    let bytes = try #require(SharedData.bytes("data/video/dv7-muxed.hevc"))
    let stream = try AccessUnit(bytes[...], .startCodes)
    #expect(stream.bytes == bytes && stream.hasEnhancement)
    var state = DolbyState(), count = 0
    for unit in stream.units where unit.type == 62 {
      let frame = try state.read(EmulationPrevention.removed(unit.bytes.dropFirst(2))[...], startsOver: count == 0)
      #expect(frame.rpu.unit == Array(unit.bytes))
      // These RPUs do not say that there is an enhancement layer; its units do.
      #expect(frame.rpu.profile == .eight)
      count += 1
    }
    #expect(count == 259)
  }

  @Test(
    "damaged and missing RPUs are found", .enabled(if: DolbySamples.areHere, "skipped: no ../shared/data/video"))
  func damagedRPUsAreFound() throws {
    let damaged = try Self.media("malformed/11-rpu-crc.mp4").units.filter { $0.type == 62 }
    let faults = damaged.count { unit in
      (try? DolbyRPU(parsing: EmulationPrevention.removed(unit.bytes.dropFirst(2))[...])) == nil
    }
    #expect(faults >= 1)
    let missing = try Self.media("malformed/12-rpu-missing.mp4").units
    #expect(missing.count { $0.type == 62 } == 1 && missing.count { ($0.type ?? 64) < 32 } == 12)
  }
}
