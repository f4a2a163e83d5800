/// A prefix code of deflate, as a table of what its next bits mean.
struct PrefixCode {
  /// Symbol times 16 and width, by the next `width` bits; 0: undefined.
  private let table: [UInt16]
  private let mask: UInt64

  /// Makes the code of the widths of its symbols, 0 to 15 bits; `nil` if there is none. A code of one symbol is not whole.
  init?(_ widths: [UInt8]) {
    var counts = [Int](repeating: 0, count: 16)
    for width in widths { counts[Int(width)] += 1 }
    counts[0] = 0
    let width = counts.lastIndex { $0 > 0 } ?? 0, used = counts.reduce(0, +)
    var next = [Int](repeating: 0, count: 17), code = 0
    for length in 1...15 {
      next[length] = code
      code += counts[length]
      guard code <= 1 << length else { return nil }
      code <<= 1
    }
    guard code == 1 << 16 || used <= 1 && width <= 1 else { return nil }
    var table = [UInt16](repeating: 0, count: 1 << width)
    for (symbol, length) in widths.enumerated() where length > 0 {
      var reversed = 0
      for bit in 0..<Int(length) { reversed |= (next[Int(length)] >> bit & 1) << (Int(length) - 1 - bit) }
      next[Int(length)] += 1
      for index in stride(from: reversed, to: table.count, by: 1 << Int(length)) {
        table[index] = UInt16(symbol << 4) | UInt16(length)
      }
    }
    self.table = table
    mask = UInt64(table.count - 1)
  }

  /// Returns the symbol that bits begin with, and its width; width 0: none.
  func first(of bits: UInt64) -> (symbol: Int, width: Int) {
    let entry = Int(table[Int(bits & mask)])
    return (entry >> 4, entry & 15)
  }

  /// The codes of blocks that bring none (RFC 1951, 3.2.6).
  static let fixedLengths =
    PrefixCode(
      (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }) ?? PrefixCode.none
  static let fixedDistances = PrefixCode([UInt8](repeating: 5, count: 32)) ?? PrefixCode.none

  private static let none = PrefixCode()
  private init() { (table, mask) = ([0], 0) }
}
