import HDRCore

/// Messages about light as they are written into coded pictures. Boxes say the same of all that has a box; SMPTE ST
/// 2094-50 has none, and goes as an ITU-T T.35 message (docs/tone-formulas.md#st-2094-50).
package enum MessageWriter {
  /// A NAL unit with one SEI message before the picture (H.265 clauses 7.3.1.2, 7.3.2.4 and 7.3.5).
  package static func unit(type: Int, _ payload: [UInt8]) -> [UInt8] {
    var message = ByteSink()
    for number in [type, payload.count] {
      for _ in 0..<number / 255 { message.u8(255) }
      message.u8(number % 255)
    }
    message.append(payload)
    // The stop bit.
    message.u8(0x80)
    return [UInt8(HEVCUnitHeader.prefixSEI << 1), 1] + EmulationPrevention.added(message.bytes)
  }

  /// A metadata OBU with its size (AV1 specification 5.3 and 5.8).
  package static func obu(type: Int, _ payload: [UInt8]) -> [UInt8] {
    let body = sizeBytes(type) + payload + [0x80]
    return [5 << 3 | 2] + sizeBytes(body.count) + body
  }

  /// An HEVC item of slices behind 4 bytes of length each, with a unit in front.
  package static func insert(unit: [UInt8], before data: [UInt8]) -> [UInt8] {
    var result = ByteSink(reserving: data.count + unit.count + 4)
    result.u32(unit.count)
    result.append(unit)
    result.append(data)
    return result.bytes
  }

  /// An AV1 item with an OBU behind its sequence header, which comes first (AV1 Image File Format clause 2.1).
  ///
  /// - Returns: `nil` where the item does not begin so.
  package static func insert(obu: [UInt8], behindHeaderOf data: [UInt8]) -> [UInt8]? {
    var rest = data[...]
    let sequenceHeader: UInt8 = 1
    guard let head = rest.popFirst(), head >> 3 & 15 == sequenceHeader, head & 0x06 == 0x02,
      let size = leb128(&rest), size <= rest.count
    else { return nil }
    let end = rest.startIndex + size
    return data[..<end] + obu + data[end...]
  }

  /// 7 bits a byte, low ones first.
  private static func sizeBytes(_ number: Int) -> [UInt8] {
    var rest = number, bytes: [UInt8] = []
    repeat {
      bytes.append(UInt8(rest & 0x7f) | (rest > 0x7f ? 0x80 : 0))
      rest >>= 7
    } while rest > 0
    return bytes
  }
}
