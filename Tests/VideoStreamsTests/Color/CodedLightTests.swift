import FileParts
import HDRCore
import Testing
import VideoStreams

/// Light metadata in messages of HEVC, in packets as FFmpeg copies them into NUT.
@Suite struct CodedLightTests {
  private static let display = MasteringDisplay.forOutput(
    primaries: CICP.Primaries.bt2020, contentHeadroom: 1000.0 / 203)

  /// A packet with messages in a unit before a slice.
  private static func packet(_ messages: [SEIMessage]) -> [UInt8] {
    let unit = [0x4E, 0x01] + messages.flatMap(\.bytes) + [0x80]
    return [0, 0, 0, 1] + EmulationPrevention.added(unit) + [0, 0, 1, 0x26, 0x01, 0xAF]
  }

  private static func light(
    _ packet: [UInt8], codec: FourCC = "HEVC"
  ) throws -> (light: LightMetadata, warnings: [Warning]) {
    let stream = NUTStream(codec: codec, timeBase: TimeBase(1, 25), width: 16, height: 16)
    var warnings: [Warning] = []
    let light = try LightMetadata(stream, firstPacket: packet[...], transfer: CICP.Transfer.pq, warnings: &warnings)
    return (light, warnings)
  }

  @Test func messagesOfTheFirstPictureStateLight() throws {
    let display = try #require(Self.display.payload(order: .greenBlueRed))
    let packet = Self.packet([
      SEIMessage(type: 137, payload: display[...]), SEIMessage(type: 144, payload: [0x03, 0xE8, 0x01, 0x90]),
      // A second one of its kind does not count.
      SEIMessage(type: 144, payload: [0, 9, 0, 1]),
    ])
    let found = try Self.light(packet)
    #expect(found.light.mdcv == Self.display)
    #expect(found.light.clli == ContentLightLevel(maxCLL: 1000, maxFALL: 400) && found.warnings.isEmpty)
    #expect(try Self.light(packet, codec: "H264").light == LightMetadata())
  }

  @Test func messagesThatCannotBeTrueAreWarnings() throws {
    let found = try Self.light(Self.packet([SEIMessage(type: 144, payload: [0, 1, 0, 9])]))
    #expect(found.light == LightMetadata() && found.warnings.map(\.code) == ["light.clli"])
  }

  @Test func aLightLevelOfZerosIsNotKnown() throws {
    let found = try Self.light(Self.packet([SEIMessage(type: 144, payload: [0, 0, 0, 0])]))
    #expect(found.light == LightMetadata() && found.warnings.isEmpty)
  }

  @Test func refusesPacketsThatAreNoUnits() {
    #expect(throws: DecodeError.self) { try Self.light([1, 2, 3, 4]) }
  }
}
