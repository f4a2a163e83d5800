import HDRCore

/// The directories (IFDs) of a TIFF file, classic or BigTIFF, in either byte order. Source: TIFF 6.0 section 2; "The
/// BigTIFF File Format" (libtiff.org).
///
/// Every offset is checked before it is followed; values that lie outside the file are left out.
package struct TIFFStructure {
  /// The limits: directories of a file, entries of a directory, numbers of an entry.
  package static let maxDirectories = 256, maxEntries = 4096, maxNumbers = 1 << 21

  private let data: TIFFBytes
  package let isBig: Bool
  /// The position of the first directory.
  package let first: Int
  /// The base of offsets: 0, except for an independent block within a file.
  private let base: Int

  package var bytes: [UInt8] { data.bytes }
  package var isLittleEndian: Bool { data.isLittleEndian }

  /// An entry of a directory.
  package struct Entry {
    package var tag: Int
    package var type: Int
    /// The number of values, not of bytes.
    package var count: Int
    /// The position of the first value's first byte.
    package var position: Int
  }

  /// A directory: its entries by tag; of a repeated tag, the first entry.
  package struct Directory {
    package var position: Int
    package var entries: [Int: Entry]
    /// The position of the next directory; 0 at the end.
    package var next: Int
    /// The number of entries whose type is unknown or whose value lies outside the file.
    package var unreadable: Int
  }

  package static func recognizes(_ head: some Collection<UInt8>) -> Bool {
    [[0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A], [0x49, 0x49, 0x2B, 0], [0x4D, 0x4D, 0, 0x2B]]
      .contains { head.starts(with: $0) }
  }

  /// Reads the header; throws `.truncated` and `.malformed` for an invalid one.
  package init(_ bytes: [UInt8]) throws(DecodeError) {
    guard bytes.count >= 8, Self.recognizes(bytes.prefix(4)) else { throw .truncated(where: "TIFF header") }
    data = TIFFBytes(bytes, isLittleEndian: bytes[0] == 0x49)
    base = 0
    isBig = data.number(2, 2) == 0x2B
    guard let first = isBig ? data.number(8, 8) : data.first else { throw .truncated(where: "TIFF header") }
    guard !isBig || data.number(4, 2) == 8 && data.number(6, 2) == 0 else {
      throw .malformed(where: "TIFF header", what: "a BigTIFF has offsets of 8 bytes")
    }
    self.first = first
  }

  /// Reads the header of a camera profile within a file: byte order, 0x4352, and offsets that count from there. Source:
  /// DNG 1.4, ExtraCameraProfiles.
  ///
  /// - Returns: `nil` if there is no such header.
  package init?(profileAt position: Int, of file: TIFFStructure) {
    guard position >= 8, position <= file.bytes.count - 8,
      [[0x49, 0x49, 0x52, 0x43], [0x4D, 0x4D, 0x43, 0x52]].contains(Array(file.bytes[position..<position + 4]))
    else { return nil }
    data = TIFFBytes(file.bytes, isLittleEndian: file.bytes[position] == 0x49)
    base = position
    isBig = false
    first = position + (data.number(position + 4, 4) ?? 0)
  }

  /// Reads the header of a JPEG XR file, whose directories are those of TIFF: little endian, 0xBC, a version of 0 or 1.
  /// Source: ITU-T T.832 annex A.
  ///
  /// - Throws: `.truncated`, `.malformed`.
  package init(jpegXR bytes: [UInt8]) throws(DecodeError) {
    guard bytes.count >= 8, Self.isJPEGXR(bytes.prefix(4)) else { throw .truncated(where: "JPEG XR header") }
    data = TIFFBytes(bytes, isLittleEndian: true)
    base = 0
    isBig = false
    first = data.number(4, 4) ?? 0
  }

  package static func isJPEGXR(_ head: some Collection<UInt8>) -> Bool {
    [[0x49, 0x49, 0xBC, 0], [0x49, 0x49, 0xBC, 1]].contains { head.starts(with: $0) }
  }

  /// Returns the number at a position that was checked.
  private func number(_ at: Int, _ count: Int) -> Int { data.number(at, count) ?? 0 }

  /// Returns the bytes of one value of a type; `nil` for unknown types.
  package static func bytes(ofType type: Int) -> Int? {
    switch type {
    case 1, 2, 6, 7: 1
    case 3, 8: 2
    case 4, 9, 11, 13: 4
    case 5, 10, 12, 16, 17, 18: 8
    default: nil
    }
  }

  /// Returns the bytes of a number in the values of a type: rationals consist of two numbers.
  static func wordBytes(ofType type: Int) -> Int? { type == 5 || type == 10 ? 4 : bytes(ofType: type) }

  // MARK: Directories

  package func directory(at position: Int) throws(DecodeError) -> Directory {
    let place = "TIFF directory"
    let countBytes = isBig ? 8 : 2, entryBytes = isBig ? 20 : 12, fieldBytes = isBig ? 8 : 4
    guard position >= 8, let count = data.number(position, countBytes) else {
      throw .malformed(where: place, what: "it lies at \(position), outside the file")
    }
    guard count > 0 else { throw .malformed(where: place, what: "it has no entries") }
    guard count <= Self.maxEntries else {
      throw .limit(what: "entries of a TIFF directory", found: count, allowed: Self.maxEntries)
    }
    let start = position + countBytes
    guard let stored = data.entries(count, at: start, isBig: isBig) else { throw .truncated(where: place) }
    var result = Directory(position: position, entries: [:], next: 0, unreadable: 0)
    for entry in stored {
      guard let size = Self.bytes(ofType: entry.type), entry.count <= bytes.count / size else {
        result.unreadable += 1
        continue
      }
      let length = entry.count * size
      let offset = length <= fieldBytes ? entry.field - base : number(entry.field, fieldBytes)
      guard offset <= bytes.count - length - base else {
        result.unreadable += 1
        continue
      }
      if result.entries[entry.tag] == nil {
        result.entries[entry.tag] = Entry(
          tag: entry.tag, type: entry.type, count: entry.count, position: base + offset)
      }
    }
    // Some writers omit the last next-directory field.
    result.next = data.number(start + count * entryBytes, fieldBytes) ?? 0
    return result
  }

  /// Returns the positions of a directory's subdirectories (SubIFDs), 16 at most.
  package func childPlaces(of directory: Directory) -> ArraySlice<Int> {
    (integers(TIFFTag.subDirectories, in: directory) ?? []).prefix(16)
  }

  /// Returns the subdirectories of directories, with their parents: at most 16 of each and 64 of all. Those that cannot
  /// be read are left out.
  package func children(of directories: [Directory]) -> [(parent: Directory, child: Directory)] {
    let places = directories.flatMap { parent in childPlaces(of: parent).map { (parent: parent, position: $0) } }
    return places.prefix(64).compactMap { place in
      (try? directory(at: place.position)).map { (parent: place.parent, child: $0) }
    }
  }

  /// Returns the directories of the file in order. A chain that becomes invalid or leads back ends there with a
  /// warning.
  package func directories(warnings: inout [Warning]) throws(DecodeError) -> [Directory] {
    var result = [try directory(at: first)], visited: Set<Int> = [first]
    while let next = result.last?.next, next != 0 {
      guard result.count < Self.maxDirectories else {
        warnings.append(Warning("tiff.limit", "pages beyond \(Self.maxDirectories) are not read"))
        break
      }
      guard visited.insert(next).inserted else {
        warnings.append(Warning("tiff.loop", "a directory points back to one already read"))
        break
      }
      do throws(DecodeError) {
        result.append(try directory(at: next))
      } catch {
        warnings.append(Warning("tiff.directory", "further pages are not read: \(error)"))
        break
      }
    }
    return result
  }

  // MARK: Values

  /// Returns the unsigned integers of a tag, at most `count` of them; `nil` if it is absent, of another type, or has
  /// more than `maxNumbers`.
  package func integers(_ tag: Int, in directory: Directory, atMost count: Int = .max) -> [Int]? {
    guard let entry = directory.entries[tag], [1, 3, 4, 13, 16, 18].contains(entry.type),
      let size = Self.bytes(ofType: entry.type), entry.count <= Self.maxNumbers
    else { return nil }
    return (0..<min(entry.count, count)).map { number(entry.position + $0 * size, size) }
  }

  package func integer(_ tag: Int, in directory: Directory) -> Int? { integers(tag, in: directory, atMost: 1)?.first }

  /// Returns the numbers of a tag of rationals, floats or integers; `nil` if it is absent or has more than `limit`.
  package func reals(_ tag: Int, in directory: Directory, limit: Int = 64) -> [Double]? {
    guard let entry = directory.entries[tag], let size = Self.bytes(ofType: entry.type), entry.count <= limit else {
      return nil
    }
    return (0..<entry.count).map { index in
      let at = entry.position + index * size
      switch entry.type {
      case 5: return Double(number(at, 4)) / Double(number(at + 4, 4))
      case 10:
        func signed(_ at: Int) -> Double { Double(Int32(truncatingIfNeeded: number(at, 4))) }
        return signed(at) / signed(at + 4)
      case 6: return Double(Int8(truncatingIfNeeded: number(at, 1)))
      case 8: return Double(Int16(truncatingIfNeeded: number(at, 2)))
      case 9: return Double(Int32(truncatingIfNeeded: number(at, 4)))
      case 11: return Double(Float(bitPattern: UInt32(number(at, 4))))
      case 12:
        let high = UInt64(number(at, 4)), low = UInt64(number(at + 4, 4))
        return Double(bitPattern: isLittleEndian ? low << 32 | high : high << 32 | low)
      default: return Double(number(at, size))
      }
    }
  }

  /// Returns the bytes of a tag's value, as stored in the file.
  package func data(_ tag: Int, in directory: Directory) -> ArraySlice<UInt8>? {
    directory.entries[tag].flatMap { $0.count == 0 ? nil : value(of: $0) }
  }

  package func value(of entry: Entry) -> ArraySlice<UInt8> {
    bytes[entry.position..<entry.position + entry.count * (Self.bytes(ofType: entry.type) ?? 0)]
  }
}
