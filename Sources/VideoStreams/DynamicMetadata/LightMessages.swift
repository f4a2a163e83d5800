import FileParts
import HDRCore

/// The messages of a stream about its light: the mastering display and the light level, in key frames.
extension LightMetadata {
  /// The types of AV1's metadata (AV1 specification 6.7.2).
  private enum AV1Type {
    static let level = 1, display = 2
  }

  /// Returns the packet of a key frame with the mastering display and the light level beside what it has.
  ///
  /// - Throws: `.malformed` for a packet without a picture.
  package func inserted(into packet: ArraySlice<UInt8>, _ coding: PacketCoding) throws(DecodeError) -> [UInt8] {
    let level = clli.map { level in
      var sink = ByteSink()
      for light in [level.maxCLL, level.maxFALL] { sink.units(light.rounded(.up), per: 1, bytes: 2) }
      return sink.bytes
    }
    switch coding {
    case .hevc(let framing):
      var unit = try AccessUnit(packet, framing)
      for (type, payload) in [
        (MasteringDisplayBox.message, mdcv?.payload(order: .greenBlueRed)), (ContentLightLevelBox.message, level),
      ] {
        if let type, let payload { try unit.insert(SEIMessage(type: type, payload: payload[...])) }
      }
      return unit.bytes
    case .av1:
      let messages = [(AV1Type.level, level), (AV1Type.display, mdcv?.av1Payload)].compactMap { type, payload in
        payload.map { AV1Messages.bytes(type: type, $0) }
      }
      return try AV1Messages.inserting(messages, into: packet)
    }
  }
}

extension LightMetadata {
  /// Reads the metadata of an AV1 temporal unit, the first of each kind.
  ///
  /// - Throws: `DecodeError` for units that cannot be told apart. A message that cannot be true is a warning.
  init(av1 unit: ArraySlice<UInt8>, transfer: Int, warnings: inout [Warning]) throws(DecodeError) {
    var units = AV1Units(unit), levels: [LightProperty] = [], display: MasteringDisplay?
    while var next = try units.next() {
      guard next.type == AV1Units.Kind.metadata, let type = LEB128.take(&next.body) else { continue }
      if type == AV1Type.level, levels.isEmpty {
        levels.append(LightProperty(type: ContentLightLevelBox.type, payload: next.body))
      } else if type == AV1Type.display, display == nil {
        do throws(DecodeError) {
          display = try MasteringDisplay(av1: next.body)
        } catch {
          warnings.append(Warning("light.mdcv", "the mdcv message is ignored: \(error)"))
        }
      }
    }
    self.init(levels.filter { !$0.isUnknown }, .message, transfer: transfer, warnings: &warnings)
    mdcv = display
  }
}

extension MasteringDisplay {
  fileprivate init(av1 bytes: ArraySlice<UInt8>) throws(DecodeError) {
    var reader = ByteReader(bytes, place: "mdcv message")
    var points: [Chromaticity] = []
    for _ in 0..<4 { points.append(try reader.chromaticity(units: 65_536)) }
    let most = Double(try reader.u32()) / 256
    self = try MasteringDisplayBox.display(points, most, Double(try reader.u32()) / 16_384)
  }

  /// The payload of AV1's `metadata_hdr_mdcv`: red, green, blue and white in units of 1/65536, the maximum in 1/256 cd/m²,
  /// the minimum in 1/16384. `nil` without primaries.
  fileprivate var av1Payload: [UInt8]? {
    guard let primaries, primaries.count == 4 else { return nil }
    var sink = ByteSink()
    for point in primaries { sink.chromaticity(point, units: 65_536) }
    sink.units(maxLuminance, per: 256, bytes: 4)
    sink.units(minLuminance, per: 16_384, bytes: 4)
    return sink.bytes
  }
}
