/// The bytes of a TIFF structure, with numbers in its byte order at any position. Bytes are untrusted: every access is
/// checked. Source: TIFF 6.0 section 2; "The BigTIFF File Format" (libtiff.org).
package struct TIFFBytes {
  package private(set) var bytes: [UInt8]
  package let isLittleEndian: Bool

  /// An entry of an IFD as stored.
  package struct Entry {
    package var tag: Int
    package var type: Int
    /// The number of values, not of bytes.
    package var count: Int
    /// The position of the value field: it holds the values, or their position if they do not fit.
    package var field: Int
  }

  package init(_ bytes: [UInt8], isLittleEndian: Bool) { (self.bytes, self.isLittleEndian) = (bytes, isLittleEndian) }

  /// Takes the byte order of a classic header, `II*\0` or `MM\0*`; `nil` for any other.
  package init?(_ bytes: [UInt8]) {
    guard let isLittleEndian = [true, false].first(where: { bytes.starts(with: Self.magic($0)) }) else { return nil }
    self.init(bytes, isLittleEndian: isLittleEndian)
  }

  private static func magic(_ isLittleEndian: Bool) -> [UInt8] {
    isLittleEndian ? [0x49, 0x49, 0x2A, 0] : [0x4D, 0x4D, 0, 0x2A]
  }

  /// Returns a classic header, after which the first IFD follows.
  package static func header(isLittleEndian: Bool) -> [UInt8] {
    magic(isLittleEndian) + TIFFValue.bytes(8, 4, isLittleEndian)
  }

  /// The position of the first IFD by a classic header.
  package var first: Int? { number(4, 4) }

  /// Returns the unsigned number of `count` bytes (1 to 8) at a position, `nil` outside; one that an `Int` cannot hold
  /// becomes its largest value.
  package func number(_ at: Int, _ count: Int) -> Int? {
    guard at >= 0, at <= bytes.count - count else { return nil }
    var value: UInt64 = 0
    for index in at..<at + count { value = value << 8 | UInt64(bytes[index]) }
    return Int(clamping: isLittleEndian ? value.byteSwapped >> UInt64(64 - 8 * count) : value)
  }

  /// Overwrites the number of `count` bytes at a position that was read before.
  package mutating func set(_ value: Int, _ at: Int, _ count: Int) {
    bytes.replaceSubrange(at..<at + count, with: TIFFValue.bytes(value, count, isLittleEndian))
  }

  /// Returns `count` entries from a position on; `nil` if they pass the end.
  package func entries(_ count: Int, at start: Int, isBig: Bool = false) -> [Entry]? {
    let size = isBig ? 20 : 12, word = isBig ? 8 : 4
    guard start >= 0, count <= (bytes.count - start) / size else { return nil }
    return (0..<count).compactMap { index in
      let at = start + index * size
      guard let tag = number(at, 2), let type = number(at + 2, 2), let count = number(at + 4, word) else { return nil }
      return Entry(tag: tag, type: type, count: count, field: at + 4 + word)
    }
  }

  /// Returns the entries of a classic IFD in stored order, and the position behind them, where that of the next IFD
  /// stands; `nil` if the IFD does not lie inside the bytes.
  package func directory(at position: Int) -> (entries: [Entry], end: Int)? {
    guard let count = number(position, 2), let entries = entries(count, at: position + 2) else { return nil }
    return (entries, position + 2 + 12 * count)
  }
}
