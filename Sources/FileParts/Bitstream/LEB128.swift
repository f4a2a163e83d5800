/// Numbers as bytes of 7 bits, low ones first (AV1 specification 4.10.5).
package enum LEB128 {
  /// Takes a number of at most 8 bytes; `nil` if it does not end or exceeds 32 bits.
  package static func take(_ bytes: inout ArraySlice<UInt8>) -> Int? {
    var value: UInt64 = 0
    for shift in stride(from: 0, to: 56, by: 7) {
      guard let byte = bytes.popFirst() else { return nil }
      value |= UInt64(byte & 0x7f) << UInt64(shift)
      if byte & 0x80 == 0 { return value <= UInt64(UInt32.max) ? Int(value) : nil }
    }
    return nil
  }

  /// Encodes a number in as few bytes as it needs.
  package static func bytes(_ number: Int) -> [UInt8] {
    var rest = number, bytes: [UInt8] = []
    repeat {
      bytes.append(UInt8(rest & 0x7f) | (rest > 0x7f ? 0x80 : 0))
      rest >>= 7
    } while rest > 0
    return bytes
  }
}
