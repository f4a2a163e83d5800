import FileParts
import HDRCore
import Testing
import VideoStreams

/// Metadata of frames that are taken out of packets and put into others.
@Suite struct FrameMetadataTests {
  private static let codings: [PacketCoding] = [.hevc(.startCodes), .hevc(.lengths(2)), .hevc(.lengths(4)), .av1]

  /// A random number below a bound.
  private struct Random {
    var state: UInt64
    mutating func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    /// Bytes with many zeros, which need emulation prevention in HEVC.
    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(next(4) == 0 ? next(256) : next(4)) } }
  }

  private static func obu(_ type: Int, _ body: [UInt8], hasSize: Bool = true) -> [UInt8] {
    [UInt8(type << 3 | (hasSize ? 2 : 0))] + (hasSize ? LEB128.bytes(body.count) : []) + body
  }

  /// A picture without metadata.
  private static func packet(_ coding: PacketCoding) -> [UInt8] {
    let units: [[UInt8]] = [[35 << 1, 1, 0x50], [1 << 1, 1, 0x80, 9, 9], [36 << 1, 1]]
    return switch coding {
    case .av1: obu(2, []) + obu(1, [9, 9]) + obu(6, [0x10, 7, 7]) + obu(3, [0x40], hasSize: false)
    case .hevc(.startCodes): units.flatMap { [0, 0, 0, 1] + $0 }
    case .hevc(.lengths(let size)):
      units.flatMap { unit in [UInt8](repeating: 0, count: size - 1) + [UInt8(unit.count)] + unit }
    }
  }

  @Test("metadata come out of a packet as they were put in, whatever the codec", arguments: codings)
  func metadataSurvive(coding: PacketCoding) throws {
    var random = Random(state: 1)
    let packet = Self.packet(coding)
    #expect(try FrameMetadata(packet[...], coding).isEmpty)
    #expect(try FrameMetadata().inserted(into: packet[...], coding) == packet)
    let full = try MadeRPU.read("full").bytes
    for turn in 0..<200 {
      // HDR10+ of one window ends before bits that must stay, whatever they are.
      let plus = T35Message(.hdr10Plus, payload: [1, 0x40] + random.bytes(48))
      let curves = T35Message(.headroomAdaptive, payload: [0, 0x40, 0x4E, UInt8(random.next(256)), 0x80])
      let frame = FrameMetadata(
        rpu: turn % 3 == 0 ? nil : full,
        messages: [[], [plus], [curves], [plus, curves]][turn % 4].filter(\.isReadable))
      let whole = try frame.inserted(into: packet[...], coding)
      #expect(try FrameMetadata(whole[...], coding) == frame)
      // All that was there is there, in its order.
      var rest = whole[...]
      let kept = packet.allSatisfy { byte in
        guard let place = rest.firstIndex(of: byte) else { return false }
        rest = rest[(place + 1)...]
        return true
      }
      #expect(kept && whole.count > packet.count || frame.isEmpty)
    }
  }

  @Test("messages of AV1 precede the header of the frame that is shown")
  func messagesPrecedeTheShownFrame() throws {
    let packet = Self.packet(.av1), message = T35Message(.headroomAdaptive, payload: [0, 0x40, 0, 9, 0x80])
    let whole = try FrameMetadata(messages: [message]).inserted(into: packet[...], .av1)
    let added = Self.obu(5, [4] + message.bytes + [0x80])
    #expect(whole == packet.dropLast(2) + added + packet.suffix(2))
    #expect(throws: DecodeError.self) {
      try FrameMetadata(messages: [message]).inserted(into: Self.obu(2, [])[...], .av1)
    }
  }

  @Test("an RPU goes from HEVC to AV1 and back without a change")
  func rpusChangeTheirCodec() throws {
    let rpu = try MadeRPU.read("full").bytes, hevc = PacketCoding.hevc(.lengths(4))
    let first = try FrameMetadata(rpu: rpu).inserted(into: Self.packet(hevc)[...], hevc)
    let second = try FrameMetadata(first[...], hevc).inserted(into: Self.packet(.av1)[...], .av1)
    let third = try FrameMetadata(second[...], .av1).inserted(into: Self.packet(hevc)[...], hevc)
    #expect(third == first)
    #expect(try AccessUnit(third[...], .lengths(4)).rpu == rpu)
  }

  @Test("what is no RPU in AV1's container is kept for an error")
  func damagedContainersAreKept() throws {
    let damaged = T35Message(.dolby, payload: [1, 2, 3])
    let packet = Self.obu(5, [4] + damaged.bytes + [0x80]) + Self.packet(.av1)
    let rpu = try #require(try FrameMetadata(packet[...], .av1).rpu)
    #expect(throws: DecodeError.self) { try DolbyRPU(parsing: rpu[...]) }
  }

  @Test("an RPU that leans on earlier ones becomes one that stands alone")
  func rpusStandAlone() throws {
    var state = DolbyState()
    let full = try state.read(try MadeRPU.bytes("full")[...], startsOver: true)
    #expect(full.whole == full.rpu)
    #expect(try full.whole.bytes == MadeRPU.bytes("full"))
    var bare = full.rpu
    (bare.mapping, bare.statesSequence, bare.display) = (.earlier(id: full.mapping.id), false, nil)
    for payload in [bare.bytes, try MadeRPU.bytes("compressed")] {
      let frame = try state.read(payload[...], startsOver: false)
      #expect(frame.whole != frame.rpu && frame.rpu.bytes == payload)
      var alone = DolbyState()
      #expect(throws: DecodeError.self) { try alone.read(payload[...], startsOver: true) }
      var again = try DolbyRPU(parsing: frame.whole.bytes[...]), whole = frame.whole
      // Zeros up to a whole byte.
      #expect(again.rest.allSatisfy { !$0 } && again.rest.count < whole.rest.count + 8)
      (again.rest, whole.rest) = ([], [])
      #expect(again == whole && again.mapping == .own(frame.mapping) && again.statesSequence)
      #expect(again.display?.colors == frame.rpu.display.map { _ in frame.colors })
    }
  }
}
