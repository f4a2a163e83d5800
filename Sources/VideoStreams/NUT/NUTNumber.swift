import FileParts
import HDRCore

extension ByteCursor {
  /// Reads a `v`: groups of 7 bits, highest first; a set top bit announces another one (NUT specification, "v").
  ///
  /// - Returns: 0...2^62-1; more is refused, though the format knows no bound.
  package mutating func nutNumber() throws(DecodeError) -> Int {
    var value = 0
    for _ in 0..<10 {
      let byte = try u8()
      guard value < 1 << 55 else { break }
      value = value << 7 | Int(byte & 0x7F)
      if byte < 0x80 { return value }
    }
    throw .malformed(where: place, what: "a number is too long")
  }

  /// Reads an `s`: 0, 1, -1, 2, -2 and so on, counted by a `v` (NUT specification, "s").
  package mutating func nutSigned() throws(DecodeError) -> Int {
    let code = try nutNumber() + 1
    return code & 1 == 1 ? -(code >> 1) : code >> 1
  }

  /// Reads a `v` of at most `limit`.
  mutating func nutNumber(atMost limit: Int, _ name: String) throws(DecodeError) -> Int {
    let value = try nutNumber()
    guard value <= limit else { throw .malformed(where: place, what: "\(name) is \(value), more than \(limit)") }
    return value
  }
}

extension ByteReader {
  /// Reads a `vb`: bytes behind their number (NUT specification, "vb").
  mutating func nutBytes(atMost limit: Int, _ name: String) throws(DecodeError) -> [UInt8] {
    Array(try take(try nutNumber(atMost: limit, name)))
  }
}

extension ByteSink {
  /// Writes a `v`.
  package mutating func nutNumber(_ value: Int) {
    var groups = [UInt8(value & 0x7F)], rest = value >> 7
    while rest > 0 {
      groups.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    append(groups.reversed())
  }

  /// Writes a `vb`.
  mutating func nutBytes(_ bytes: [UInt8]) {
    nutNumber(bytes.count)
    append(bytes)
  }
}
