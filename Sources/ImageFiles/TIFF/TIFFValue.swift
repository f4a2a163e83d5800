/// One entry of a TIFF directory with its value, apart from any place. Source: TIFF 6.0 section 2.
struct TIFFValue {
  var tag: Int
  var type: Int
  /// Values, not bytes.
  var count: Int
  var bytes: [UInt8]

  init(_ tag: Int, type: Int, count: Int, bytes: [UInt8]) {
    (self.tag, self.type, self.count, self.bytes) = (tag, type, count, bytes)
  }

  /// SHORTs.
  init(_ tag: Int, shorts: [Int], isLittleEndian: Bool = true) {
    self.init(tag, type: 3, count: shorts.count, bytes: shorts.flatMap { Self.bytes($0, 2, isLittleEndian) })
  }

  /// LONGs, or LONG8s where one does not fit.
  init(_ tag: Int, longs: [Int], isLittleEndian: Bool = true) {
    let size = longs.allSatisfy { $0 < 1 << 32 } ? 4 : 8
    self.init(
      tag, type: size == 4 ? 4 : 16, count: longs.count, bytes: longs.flatMap { Self.bytes($0, size, isLittleEndian) })
  }

  /// Bytes without a type.
  init(_ tag: Int, type: Int = 7, _ bytes: [UInt8]) { self.init(tag, type: type, count: bytes.count, bytes: bytes) }

  static func bytes(_ value: Int, _ count: Int, _ isLittleEndian: Bool) -> [UInt8] {
    let least = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isLittleEndian ? least : least.reversed()
  }

  /// The same value with its numbers turned round.
  var swapped: TIFFValue {
    guard let size = TIFFStructure.wordBytes(ofType: type), size > 1 else { return self }
    var copy = self
    for start in stride(from: 0, through: bytes.count - size, by: size) {
      copy.bytes.replaceSubrange(start..<start + size, with: bytes[start..<start + size].reversed())
    }
    return copy
  }
}

/// Values as a directory with what does not fit into its entries behind it.
struct TIFFDirectoryBytes {
  private(set) var values: [TIFFValue]
  var isLittleEndian = true
  var isBig = false

  /// Of a tag that stands twice the first counts.
  init(_ values: [TIFFValue], isLittleEndian: Bool = true, isBig: Bool = false) {
    var seen: Set<Int> = []
    self.values = values.filter { seen.insert($0.tag).inserted }.sorted { $0.tag < $1.tag }
    (self.isLittleEndian, self.isBig) = (isLittleEndian, isBig)
  }

  private var fieldBytes: Int { isBig ? 8 : 4 }
  private var headBytes: Int { (isBig ? 8 : 2) + values.count * (isBig ? 20 : 12) + fieldBytes }

  /// Does not depend on the place nor on what the values are.
  var byteCount: Int {
    values.reduce(headBytes) { $0 + ($1.bytes.count > fieldBytes ? ($1.bytes.count + 1) & ~1 : 0) }
  }

  /// The bytes for an even position in a file; no directory follows.
  func bytes(at position: Int) -> [UInt8] {
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
