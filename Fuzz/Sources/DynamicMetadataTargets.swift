import FileParts
import HDRCore
@testable import VideoStreams

/// Metadata that changes from frame to frame: RPUs of Dolby Vision, and what carries them and HDR10+.
extension Target {
  static let rpu = Target("rpu", maxLength: 2048, mutate: RPUGrammar.mutate) { bytes in
    var state = DolbyState()
    guard let frame = try? state.read(bytes[...], startsOver: true) else {
      // Without matrices it may still be read.
      if let rpu = try? DolbyRPU(parsing: bytes[...]) { demand(rpu.bytes == bytes, "other bytes than were read") }
      return
    }
    demand(frame.rpu.bytes == bytes, "other bytes than were read")
    let display = frame.rpu.display
    _ = (frame.rpu.profile, frame.mapping.isMinimal(frame.rpu.sequence), display?.frameLight, display?.borders)
    let reshape = frame.reshape, most = Float(1 << frame.rpu.sequence.baseDepth - 1)
    demand(reshape.table.allSatisfy { $0 == 0 || $0.isNormal }, "a table with a number that stages do not know")
    for code in [0, 1, most / 4, most / 2, most] {
      let signal = reshape.signal(SIMD3(code, most - code, most / 3)), light = reshape.light(SIMD3(code, code, code))
      for index in 0..<3 {
        demand((0...1).contains(signal[index]) && light[index].isFinite, "a signal of \(signal), light of \(light)")
      }
    }
    let message = DolbyEMDF.message(frame.rpu.body)
    demand((try? DolbyEMDF.body(of: message.payload)) == frame.rpu.body, "another RPU comes out of AV1's container")
  }

  /// Packets of NAL units and of OBUs, and messages; the first byte says which.
  static let sei = Target("sei", maxLength: 2048) { bytes in
    guard let kind = bytes.first else { return }
    let body = bytes.dropFirst()
    switch kind % 8 {
    case 0...3: accessUnit(body, [.startCodes, .lengths(1), .lengths(2), .lengths(4)][Int(kind % 8)])
    case 4:
      guard let metadata = try? HDR10PlusMetadata(parsing: body) else { return }
      demand((1...3).contains(metadata.windows.count) && metadata.peak <= 13_108, "HDR10+ that cannot be")
    case 5:
      guard let messages = try? AV1Messages.t35(in: body) else { return }
      for message in messages { demand(message.bytes.count < bytes.count, "a message longer than its unit") }
      carry(body, .av1)
    case 6:
      guard let rpu = try? DolbyEMDF.body(of: body) else { return }
      demand((try? DolbyEMDF.body(of: DolbyEMDF.message(rpu).payload)) == rpu, "another RPU than was put in")
    default:
      let message = T35Message(Array(body))
      let again = T35Message(message.kind, payload: Array(message.payload))
      demand(again.kind == message.kind && again.payload == message.payload, "another message than its parts")
      _ = message.isReadable
    }
  }

  /// Puts the metadata of a packet into a picture that has none, and takes them out again.
  private static func carry(_ packet: ArraySlice<UInt8>, _ coding: PacketCoding) {
    guard var frame = try? FrameMetadata(packet, coding) else { return }
    frame.messages.removeAll { !$0.isReadable }
    if frame.rpu.map({ (try? DolbyRPU(parsing: $0[...])) == nil }) == true { frame.rpu = nil }
    let bare: (bytes: [UInt8], coding: PacketCoding) =
      coding == .av1 ? ([0, 0, 0, 1, 2, 1, 9], .hevc(.startCodes)) : ([0x32, 1, 9], .av1)
    guard let whole = try? frame.inserted(into: bare.bytes[...], bare.coding) else { return }
    demand((try? FrameMetadata(whole[...], bare.coding)) == frame, "other metadata than were put in")
    var ignored: [Warning] = []
    let transfer = CICP.Transfer.pq
    guard let light = try? LightMetadata(packet: packet, coding, transfer: transfer, warnings: &ignored),
      let lit = try? light.inserted(into: bare.bytes[...], bare.coding)
    else { return }
    let again = try? LightMetadata(packet: lit[...], bare.coding, transfer: transfer, warnings: &ignored)
    demand(again?.clli == light.clli, "another light level than was put in")
  }

  private static func accessUnit(_ packet: ArraySlice<UInt8>, _ framing: AccessUnit.Framing) {
    guard var unit = try? AccessUnit(packet, framing) else { return }
    demand(unit.bytes == Array(packet), "other bytes than were read")
    carry(packet, .hevc(framing))
    let before = unit.t35, rpu = [62 << 1, 1] + EmulationPrevention.added([0x19, 0, 0, 1, 0x80])
    for message in before { _ = message.isReadable }
    guard (try? unit.append(rpuUnit: rpu)) != nil, (try? unit.insert(T35Message(.hdr10Plus, payload: [1]))) != nil,
      let again = try? AccessUnit(unit.bytes[...], framing)
    else { return }
    demand(again.rpuUnit.map(Array.init) == rpu, "another RPU than was appended")
    demand(again.t35.count == before.count + 1, "other messages than were inserted")
  }
}

/// RPUs with a right checksum.
enum RPUGrammar {
  @Sendable static func mutate(_ bytes: [UInt8], maxSize: Int, random: inout Random) -> [UInt8] {
    guard maxSize > 16 else { return bytes }
    var body = Array(bytes.dropFirst().dropLast(5))
    if random.one(in: 2), !body.isEmpty {
      for _ in 0...random.below(3) { body[random.below(body.count)] ^= 1 << UInt8(random.below(8)) }
    } else {
      body = blindly(body, maxSize: maxSize - 8)
    }
    let padding = random.one(in: 16) ? random.below(3) : 0
    return [0x19] + body + u32(Int(CRC32.sum(body, start: .max))) + [0x80] + [UInt8](repeating: 0, count: padding)
  }
}
