/// Returns lower-case hexadecimal digits with leading zeros.
///
/// - Parameter digits: the least number of digits.
package func hex(_ value: some UnsignedInteger, digits: Int) -> String {
  let text = String(value, radix: 16)
  return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
}

extension [UInt8] {
  /// The bytes as text, two lower-case hexadecimal digits each.
  package var hexDigits: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// Parses pairs of lower-case hexadecimal digits; `nil` for any other text.
  package init?(hexDigits text: String) {
    let digits = text.utf8.map { digit -> UInt8 in
      switch digit {
      case 0x30...0x39: digit - 0x30
      case 0x61...0x66: digit - 0x61 + 10
      default: 255
      }
    }
    guard digits.count % 2 == 0, digits.allSatisfy({ $0 < 16 }) else { return nil }
    self = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
