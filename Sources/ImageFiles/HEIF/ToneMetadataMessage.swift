import HDRCore

/// SMPTE ST 2094-50 metadata in coded pictures: an ITU-T T.35 message, in HEVC an SEI message of type 4, in AV1 a
/// metadata OBU of type 4 (docs/tone-formulas.md#st-2094-50). No item property of HEIF and no chunk of PNG is published
/// for it.
enum ToneMetadataMessage {
  /// The payload in an HEVC picture's NAL units, the first one that is there.
  static func find(in units: [ArraySlice<UInt8>]) -> [UInt8]? {
    for unit in units {
      guard let header = HEVCUnitHeader(unit), header.type == HEVCUnitHeader.prefixSEI else { continue }
      // Messages of a picture come before it and are small: no unit is read further than its first bytes.
      if let payload = message(inSEI: unescaped(unit.dropFirst(2).prefix(4 * HeadroomAdaptiveMetadata.maxBytes))) {
        return payload
      }
    }
    return nil
  }

  /// The payload among the OBUs of an AV1 picture (AV1 specification 5.3 and 5.8), the first one that is there.
  static func find(inOBUs data: ArraySlice<UInt8>) -> [UInt8]? {
    var rest = data
    while let head = rest.popFirst() {
      if head & 0x04 != 0, rest.popFirst() == nil { return nil }
      guard head & 0x02 != 0 else { return payload(ofOBU: head, rest) }
      guard let size = leb128(&rest), size <= rest.count else { return nil }
      if let found = payload(ofOBU: head, rest.prefix(size)) { return found }
      rest = rest.dropFirst(size)
    }
    return nil
  }

  private static func payload(ofOBU head: UInt8, _ body: ArraySlice<UInt8>) -> [UInt8]? {
    let metadata = 5, itutT35 = 4
    guard Int(head >> 3 & 15) == metadata else { return nil }
    var body = body
    guard leb128(&body) == itutT35 else { return nil }
    return HeadroomAdaptiveMetadata.payload(ofT35: body)
  }

  /// A number of at most 8 bytes of 7 bits, low ones first; `nil` where it does not end or exceeds 32 bits.
  private static func leb128(_ bytes: inout ArraySlice<UInt8>) -> Int? {
    var value: UInt64 = 0
    for shift in stride(from: 0, to: 56, by: 7) {
      guard let byte = bytes.popFirst() else { return nil }
      value |= UInt64(byte & 0x7f) << UInt64(shift)
      if byte & 0x80 == 0 { return value <= UInt64(UInt32.max) ? Int(value) : nil }
    }
    return nil
  }

  /// Type and size of each message are bytes of 255 and one that ends them (H.265 clause 7.3.5).
  private static func message(inSEI bytes: [UInt8]) -> [UInt8]? {
    var rest = bytes[...]
    func number() -> Int? {
      var sum = 0
      while let byte = rest.popFirst() {
        sum += Int(byte)
        if byte != 255 { return sum }
      }
      return nil
    }
    // What is left of the last byte is a stop bit.
    while rest.count > 1, let type = number(), let size = number(), size <= rest.count {
      if type == 4, let payload = HeadroomAdaptiveMetadata.payload(ofT35: rest.prefix(size)) { return payload }
      rest = rest.dropFirst(size)
    }
    return nil
  }

  /// Without emulation prevention bytes (H.265 clause 7.4.2: 00 00 03).
  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var plain: [UInt8] = [], zeros = 0
    plain.reserveCapacity(bytes.count)
    for byte in bytes {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      plain.append(byte)
    }
    return plain
  }
}

extension ItemPictures {
  /// ST 2094-50 metadata of a picture; of a grid those of its first tile.
  ///
  /// - Parameter warnings: gets a warning for metadata that cannot be read.
  func toneMetadata(of id: Int, warnings: inout [Warning]) -> [UInt8]? {
    guard let payload = toneMetadataPayload(of: id, steps: BoxLimits.derivationDepth) else { return nil }
    do throws(DecodeError) {
      _ = try HeadroomAdaptiveMetadata(parsing: payload)
      return payload
    } catch {
      warnings.append(Warning("tone.metadata", "ST 2094-50 metadata are ignored: \(error)"))
      return nil
    }
  }

  private func toneMetadataPayload(of id: Int, steps: Int) -> [UInt8]? {
    guard steps >= 0, let item = try? file.item(id, for: "picture") else { return nil }
    switch item.type {
    case "hvc1":
      guard let hevc = try? file.properties(of: id).hevc, let data = try? file.data(of: id),
        let units = try? hevc.split(data, place: "data of item \(id)")
      else { return nil }
      return ToneMetadataMessage.find(in: hevc.nalUnits + units)
    case "av01":
      guard let av1 = try? file.properties(of: id).av1, let data = try? file.data(of: id) else { return nil }
      return ToneMetadataMessage.find(inOBUs: data) ?? ToneMetadataMessage.find(inOBUs: av1.configOBUs)
    case "grid", "iden":
      return file.targets("dimg", from: id).first.flatMap { toneMetadataPayload(of: $0, steps: steps - 1) }
    default: return nil
    }
  }
}
