import FileParts
import HDRCore

/// A writer of metadata messages in coded pictures. Only SMPTE ST 2094-50, which has no box, is written so, as an ITU-T
/// T.35 message (docs/tone-formulas.md#st-2094-50).
package enum MessageWriter {
  /// Makes a NAL unit with one SEI message for the place before the picture (H.265 clauses 7.3.1.2, 7.3.2.4 and 7.3.5).
  package static func unit(type: Int, _ payload: [UInt8]) -> [UInt8] {
    // The stop bit is the last byte.
    let message = SEIMessage(type: type, payload: payload[...]).bytes + [0x80]
    return [UInt8(HEVCUnitHeader.prefixSEI << 1), 1] + EmulationPrevention.added(message)
  }

  /// Makes a metadata OBU with its size (AV1 specification 5.3 and 5.8).
  package static func obu(type: Int, _ payload: [UInt8]) -> [UInt8] {
    let body = LEB128.bytes(type) + payload + [0x80]
    return [5 << 3 | 2] + LEB128.bytes(body.count) + body
  }

  /// Inserts a unit before an HEVC item's slices; all have 4 bytes of length before them.
  package static func insert(unit: [UInt8], before data: [UInt8]) -> [UInt8] {
    var result = ByteSink(reserving: data.count + unit.count + 4)
    result.u32(unit.count)
    result.append(unit)
    result.append(data)
    return result.bytes
  }

  /// Inserts an OBU after an AV1 item's sequence header, which comes first (AV1 Image File Format clause 2.1).
  ///
  /// - Returns: `nil` if the item does not begin with a sequence header.
  package static func insert(obu: [UInt8], behindHeaderOf data: [UInt8]) -> [UInt8]? {
    var rest = data[...]
    let sequenceHeader: UInt8 = 1
    guard let head = rest.popFirst(), head >> 3 & 15 == sequenceHeader, head & 0x06 == 0x02,
      let size = LEB128.take(&rest), size <= rest.count
    else { return nil }
    let end = rest.startIndex + size
    return data[..<end] + obu + data[end...]
  }
}
