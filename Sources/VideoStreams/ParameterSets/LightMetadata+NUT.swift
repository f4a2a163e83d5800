import FileParts
import HDRCore

extension LightMetadata {
  /// Reads the messages about light of an HEVC stream that FFmpeg has copied into NUT: those of the record of its container
  /// and of its first packet. Of others nothing is read.
  ///
  /// - Parameter transfer: the code point of the stream's transfer function.
  /// - Throws: `DecodeError` for units that cannot be told apart. A message that cannot be true is a warning.
  package init(
    _ stream: NUTStream, firstPacket: ArraySlice<UInt8>, transfer: Int, warnings: inout [Warning]
  ) throws(DecodeError) {
    guard TrackCodec(nut: stream.codec) == .hevc else {
      self.init()
      return
    }
    var units: [ArraySlice<UInt8>] = [], framing = AccessUnit.Framing.startCodes
    if stream.extradata.first == 1 {
      var reader = ByteReader(stream.extradata, place: "hvcC box")
      let record = try HEVCConfiguration(&reader)
      (units, framing) = (record.nalUnits, .lengths(record.lengthSize))
    }
    units += try AccessUnit(firstPacket, framing).units.map(\.bytes)
    self.init(units, transfer: transfer, warnings: &warnings)
  }

  /// Reads the messages about light in a packet of HEVC or AV1, whatever the record of its container says.
  ///
  /// - Throws: `DecodeError` for units that cannot be told apart.
  package init(
    packet: ArraySlice<UInt8>, _ coding: PacketCoding, transfer: Int, warnings: inout [Warning]
  ) throws(DecodeError) {
    switch coding {
    case .hevc(let framing):
      self.init(try AccessUnit(packet, framing).units.map(\.bytes), transfer: transfer, warnings: &warnings)
    case .av1: try self.init(av1: packet, transfer: transfer, warnings: &warnings)
    }
  }

  private init(_ units: [ArraySlice<UInt8>], transfer: Int, warnings: inout [Warning]) {
    var found: [LightProperty] = []
    for unit in units {
      guard let header = HEVCUnitHeader(unit), header.type == HEVCUnitHeader.prefixSEI else { continue }
      for message in SEIMessage.all(in: EmulationPrevention.removed(unit)[2...]) {
        if let box = LightBoxes.message(message.type), !found.contains(where: { $0.type == box.type }) {
          found.append(LightProperty(type: box.type, payload: message.payload))
        }
      }
    }
    self.init(found.filter { !$0.isUnknown }, .message, transfer: transfer, warnings: &warnings)
  }
}

extension LightProperty {
  /// True for a light level of zeros, which encoders write for one that is not known (CTA-861.3).
  var isUnknown: Bool { type == ContentLightLevelBox.type && payload.prefix(4).allSatisfy { $0 == 0 } }
}
