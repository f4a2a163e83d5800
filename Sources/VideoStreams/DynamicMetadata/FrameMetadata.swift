import FileParts
import HDRCore

/// The metadata of one frame that change from frame to frame and are carried on, whatever codec holds them.
package struct FrameMetadata: Sendable, Hashable {
  /// The RPU of Dolby Vision as `DolbyRPU` reads it, without zeros behind its end. It may be damaged.
  package var rpu: [UInt8]?
  /// Messages of HDR10+ and of SMPTE ST 2094-50, in their order.
  package var messages: [T35Message] = []

  package init(rpu: [UInt8]? = nil, messages: [T35Message] = []) { (self.rpu, self.messages) = (rpu, messages) }

  package var isEmpty: Bool { rpu == nil && messages.isEmpty }

  package func has(_ kind: T35Message.Kind) -> Bool { messages.contains { $0.kind == kind } }

  /// The first message of a kind.
  package func message(_ kind: T35Message.Kind) -> T35Message? { messages.first { $0.kind == kind } }

  /// Reads the metadata of a packet: one HEVC picture, or one AV1 temporal unit.
  package init(_ packet: ArraySlice<UInt8>, _ coding: PacketCoding) throws(DecodeError) {
    let found: [T35Message]
    switch coding {
    case .hevc(let framing):
      let unit = try AccessUnit(packet, framing)
      (rpu, found) = (unit.rpu, unit.t35)
    case .av1:
      found = try AV1Messages.t35(in: packet)
      // A payload that is no RPU stays as it is, and is refused by those who need one.
      rpu = found.last { $0.kind == .dolby }.map { message in
        (try? DolbyEMDF.body(of: message.payload)).map { [DolbyRPU.prefix] + $0 } ?? Array(message.payload)
      }
    }
    rpu = rpu.map { Array($0[...($0.lastIndex { $0 != 0 } ?? -1)]) }
    messages = found.filter { $0.kind == .hdr10Plus || $0.kind == .headroomAdaptive }
  }

  /// Returns a packet with these metadata beside those that it has.
  ///
  /// - Throws: `.malformed` for a packet without a picture.
  package func inserted(into packet: ArraySlice<UInt8>, _ coding: PacketCoding) throws(DecodeError) -> [UInt8] {
    switch coding {
    case .hevc(let framing):
      var unit = try AccessUnit(packet, framing)
      for message in messages { try unit.insert(message) }
      if let rpu { try unit.append(rpuUnit: DolbyRPU.unit(rpu)) }
      return unit.bytes
    case .av1:
      let dolby = rpu.map { [DolbyEMDF.message(Array($0.dropFirst()))] } ?? []
      return try AV1Messages.inserting(messages + dolby, into: packet)
    }
  }
}
