/// A writer of bits, most significant first, with the codes of ITU-T H.265 clause 9.2.
package struct BitSink {
  private var bits: [Bool] = []

  package init() {}

  package mutating func bit(_ value: Bool) { bits.append(value) }

  /// Writes the low `count` bits of a number.
  package mutating func bits(_ value: Int, _ count: Int) {
    for shift in stride(from: count - 1, through: 0, by: -1) { bits.append(value >> shift & 1 == 1) }
  }

  /// The number of bits up to the next whole byte.
  package var bitsToByte: Int { -bits.count & 7 }

  /// Writes ue(v), an unsigned Exp-Golomb code.
  package mutating func ue(_ value: Int) {
    let code = value + 1, length = Int.bitWidth - code.leadingZeroBitCount
    for _ in 1..<length { bits.append(false) }
    for shift in stride(from: length - 1, through: 0, by: -1) { bits.append(code >> shift & 1 == 1) }
  }

  /// Writes se(v), a signed Exp-Golomb code.
  package mutating func se(_ value: Int) { ue(value > 0 ? 2 * value - 1 : -2 * value) }

  /// All bits, and zeros to a whole byte.
  package var bytes: [UInt8] { bytes(bits.count) }

  /// The bits up to the last one that is set, which ends a payload, and zeros to a whole byte (7.3.2.11).
  package var payload: [UInt8] { bytes((bits.lastIndex(of: true) ?? -1) + 1) }

  private func bytes(_ end: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: (end + 7) / 8)
    for index in 0..<end where bits[index] { bytes[index >> 3] |= 0x80 >> UInt8(index & 7) }
    return bytes
  }
}
