/// An entry of a TIFF directory with its value, independent of a place in a file. Source: TIFF 6.0 section 2.
package struct TIFFValue {
  package var tag: Int
  package var type: Int
  /// The number of values, not of bytes.
  package var count: Int
  package var bytes: [UInt8]

  package init(_ tag: Int, type: Int, count: Int, bytes: [UInt8]) {
    (self.tag, self.type, self.count, self.bytes) = (tag, type, count, bytes)
  }

  /// Makes a value of SHORTs.
  package init(_ tag: Int, shorts: [Int], isLittleEndian: Bool = true) {
    self.init(tag, type: 3, count: shorts.count, bytes: shorts.flatMap { Self.bytes($0, 2, isLittleEndian) })
  }

  /// Makes a value of LONGs, or of LONG8s if one does not fit.
  package init(_ tag: Int, longs: [Int], isLittleEndian: Bool = true) {
    let size = longs.allSatisfy { $0 < 1 << 32 } ? 4 : 8
    self.init(
      tag, type: size == 4 ? 4 : 16, count: longs.count, bytes: longs.flatMap { Self.bytes($0, size, isLittleEndian) })
  }

  /// Makes a value of bytes.
  package init(_ tag: Int, type: Int = 7, _ bytes: [UInt8]) {
    self.init(tag, type: type, count: bytes.count, bytes: bytes)
  }

  package static func bytes(_ value: Int, _ count: Int, _ isLittleEndian: Bool) -> [UInt8] {
    let least = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isLittleEndian ? least : least.reversed()
  }

  /// The value with its numbers in the other byte order.
  var swapped: TIFFValue {
    guard let size = TIFFStructure.wordBytes(ofType: type), size > 1 else { return self }
    var copy = self
    for start in stride(from: 0, through: bytes.count - size, by: size) {
      copy.bytes.replaceSubrange(start..<start + size, with: bytes[start..<start + size].reversed())
    }
    return copy
  }
}

/// A directory of values as bytes: its entries, then the values that do not fit into them.
package struct TIFFDirectoryBytes {
  package private(set) var values: [TIFFValue]
  package var isLittleEndian = true
  package var isBig = false

  /// Sorts the values by tag; of a repeated tag, the first is kept.
  package init(_ values: [TIFFValue], isLittleEndian: Bool = true, isBig: Bool = false) {
    var seen: Set<Int> = []
    self.values = values.filter { seen.insert($0.tag).inserted }.sorted { $0.tag < $1.tag }
    (self.isLittleEndian, self.isBig) = (isLittleEndian, isBig)
  }

  private var fieldBytes: Int { isBig ? 8 : 4 }
  private var headBytes: Int { (isBig ? 8 : 2) + values.count * (isBig ? 20 : 12) + fieldBytes }

  /// The size of the directory; it does not depend on the place or on the contents of the values.
  package var byteCount: Int {
    values.reduce(headBytes) { $0 + ($1.bytes.count > fieldBytes ? ($1.bytes.count + 1) & ~1 : 0) }
  }

  /// Returns the bytes for an even position in a file; no directory follows.
  package func bytes(at position: Int) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] { TIFFValue.bytes(value, count, isLittleEndian) }
    var head = number(values.count, isBig ? 8 : 2), rest: [UInt8] = []
    for value in values {
      head += number(value.tag, 2) + number(value.type, 2) + number(value.count, fieldBytes)
      if value.bytes.count <= fieldBytes {
        head += value.bytes + [UInt8](repeating: 0, count: fieldBytes - value.bytes.count)
      } else {
        head += number(position + headBytes + rest.count, fieldBytes)
        rest += value.bytes
        if value.bytes.count & 1 == 1 { rest.append(0) }
      }
    }
    return head + number(0, fieldBytes) + rest
  }
}
