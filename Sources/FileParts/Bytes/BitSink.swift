/// A writer of bits, most significant first, with the codes of ITU-T H.265 clause 9.2.
package struct BitSink {
  private var bits: [Bool] = []

  package init() {}

  package mutating func bit(_ value: Bool) { bits.append(value) }

  /// Writes ue(v), an unsigned Exp-Golomb code.
  package mutating func ue(_ value: Int) {
    let code = value + 1, length = Int.bitWidth - code.leadingZeroBitCount
    for _ in 1..<length { bits.append(false) }
    for shift in stride(from: length - 1, through: 0, by: -1) { bits.append(code >> shift & 1 == 1) }
  }

  /// The bits up to the last one that is set, which ends a payload, and zeros to a whole byte (7.3.2.11).
  package var payload: [UInt8] {
    let end = (bits.lastIndex(of: true) ?? -1) + 1
    var bytes = [UInt8](repeating: 0, count: (end + 7) / 8)
    for index in 0..<end where bits[index] { bytes[index >> 3] |= 0x80 >> UInt8(index & 7) }
    return bytes
  }
}
