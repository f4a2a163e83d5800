/// The bytes of 3 that keep start codes out of NAL units (H.265 clause 7.4.2): after two zeros, before 0...3.
package enum EmulationPrevention {
  /// Returns a unit without these bytes; headers have none of them.
  package static func removed(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
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

  /// Returns a unit with these bytes, as stored in a file.
  package static func added(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [], zeros = 0
    result.reserveCapacity(bytes.count)
    for byte in bytes {
      if zeros >= 2, byte <= 3 {
        result.append(3)
        zeros = 0
      }
      zeros = byte == 0 ? zeros + 1 : 0
      result.append(byte)
    }
    return result
  }
}

extension BitReader {
  /// Reads the payload of a NAL unit without its emulation prevention bytes.
  package init(unescaping bytes: ArraySlice<UInt8>, place: String) {
    self.init(EmulationPrevention.removed(bytes), place: place)
  }
}
