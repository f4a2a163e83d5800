import HDRCore

/// A checked cursor over the bits of a header, most significant first, with the codes of ITU-T H.265 clause 9.2.
package struct BitReader {
  private let bytes: [UInt8]
  private var position = 0
  private let place: String

  package init(_ bytes: [UInt8], place: String) {
    self.bytes = bytes
    self.place = place
  }

  /// The number of bits not yet read.
  package var remaining: Int { bytes.count * 8 - position }

  /// The number of bits up to the next whole byte.
  package var bitsToByte: Int { -position & 7 }

  package mutating func bit() throws(DecodeError) -> Bool { try bits(1) != 0 }

  /// Reads up to 32 bits.
  package mutating func bits(_ count: Int) throws(DecodeError) -> Int {
    guard count <= bytes.count * 8 - position else { throw .truncated(where: place) }
    var value = 0
    for _ in 0..<count {
      value = value << 1 | Int(bytes[position >> 3] >> (7 - UInt8(position & 7)) & 1)
      position += 1
    }
    return value
  }

  package mutating func skip(_ count: Int) throws(DecodeError) {
    guard count <= bytes.count * 8 - position else { throw .truncated(where: place) }
    position += count
  }

  /// Reads ue(v), an unsigned Exp-Golomb code: 0...2^32-2.
  package mutating func ue() throws(DecodeError) -> Int {
    var zeros = 0
    while try !bit() {
      zeros += 1
      guard zeros <= 32 else { throw .malformed(where: place, what: "an Exp-Golomb code is too long") }
    }
    return (1 << zeros) - 1 + (try bits(zeros))
  }

  /// Reads se(v), a signed Exp-Golomb code.
  package mutating func se() throws(DecodeError) -> Int {
    let code = try ue()
    return code & 1 == 1 ? (code + 1) / 2 : -(code / 2)
  }

  /// Reads ue(v); a value above `limit` throws.
  package mutating func ue(atMost limit: Int, _ name: String) throws(DecodeError) -> Int {
    let value = try ue()
    guard value <= limit else { throw .malformed(where: place, what: "\(name) is \(value), more than \(limit)") }
    return value
  }
}
