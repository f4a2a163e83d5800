import HDRCore

/// The trailer of Samsung's pictures: entries, then a directory that counts back from itself to them.
///
/// An entry is u16 0, u16 type, u32 length of its name, name, data. The directory is `SEFH`, u32 version, u32 count,
/// an element of 12 bytes for each entry (u16 0, u16 type, u32 distance back from `SEFH`, u32 bytes), u32 length of the
/// directory from `SEFH` to its last element, `SEFT`. Numbers are little-endian.
package struct SamsungTrailer: Sendable {
  package struct Entry: Sendable, Hashable {
    package var type: Int
    package var name: String
    /// The data behind the name.
    package var data: Range<Int>
  }

  /// The entry of a motion photo's video.
  package static let motionType = 0x0A30
  package static let maxEntries = 256

  package private(set) var entries: [Entry] = []
  /// All bytes of the trailer, from its first entry on.
  package private(set) var range: Range<Int>

  /// Returns true for bytes that end as a trailer does.
  package static func ends(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.suffix(4).elementsEqual("SEFT".utf8) }

  /// Reads the trailer at the end of bytes.
  ///
  /// - Parameter bytes: what follows the picture, or the payload of a box `sefd`; untrusted.
  /// - Returns: `nil` for a directory whose numbers contradict each other or lead out of the bytes.
  package init?(_ bytes: ArraySlice<UInt8>) {
    guard Self.ends(bytes), bytes.count >= 20 else { return nil }
    func number(_ at: Int, _ count: Int) -> Int { (0..<count).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) } }
    let end = bytes.endIndex, length = number(end - 8, 4)
    guard length >= 12, length <= bytes.count - 8 else { return nil }
    let head = end - 8 - length
    guard bytes[head..<head + 4].elementsEqual("SEFH".utf8) else { return nil }
    let count = number(head + 8, 4)
    guard count <= Self.maxEntries, length == 12 + 12 * count else { return nil }
    range = head..<end
    for index in 0..<count {
      let at = head + 12 + 12 * index, type = number(at + 2, 2), distance = number(at + 4, 4), size = number(at + 8, 4)
      guard distance <= head - bytes.startIndex, size <= distance, size >= 8 else { return nil }
      let start = head - distance, nameBytes = number(start + 4, 4)
      guard number(start + 2, 2) == type, nameBytes <= min(size - 8, 256) else { return nil }
      let name = String(decoding: bytes[start + 8..<start + 8 + nameBytes], as: UTF8.self)
      entries.append(Entry(type: type, name: name, data: start + 8 + nameBytes..<start + size))
      range = min(range.lowerBound, start)..<end
    }
  }
}
