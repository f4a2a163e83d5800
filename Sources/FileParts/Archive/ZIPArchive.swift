import CDeflate
import HDRCore

/// Files in one file: a ZIP archive, as its directory at the end lists them. Each is expanded when it is asked for.
///
/// Source: PKWARE, "APPNOTE.TXT", 6.3.10. Read: entries that are stored or deflated. Refused: encryption, parts on several
/// disks, ZIP64, and names that lead out of the archive, so that a name is a path below it.
package struct ZIPArchive: Sendable {
  /// A file of the archive.
  private struct Entry: Sendable {
    var isDeflated: Bool
    var start: Int, packed: Int, size: Int
    var checksum: UInt32
  }

  /// The largest file, the most files, and the longest name.
  package static let maxFileBytes = 64 << 20, maxFiles = 10_000, maxNameBytes = 1024
  private static let place = "ZIP archive"

  private let bytes: [UInt8]
  private var entries: [String: Entry] = [:]

  package static func recognizes(_ head: some Collection<UInt8>) -> Bool { head.starts(with: [0x50, 0x4B, 3, 4]) }

  /// Reads the directory of an archive.
  ///
  /// - Throws: `DecodeError` for an archive that is damaged, has what is not read, or exceeds a limit.
  package init(_ bytes: [UInt8]) throws(DecodeError) {
    self.bytes = bytes
    var directory = try Self.directory(bytes)
    for _ in 0..<directory.count { try add(&directory.reader, before: directory.start) }
  }

  /// The paths of the files, sorted.
  package var names: [String] { entries.keys.sorted() }

  package func has(_ name: String) -> Bool { entries[name] != nil }

  /// Returns the bytes of a file; `nil` if there is none of that name.
  ///
  /// - Throws: `DecodeError` if they are damaged.
  package func file(_ name: String) throws(DecodeError) -> [UInt8]? {
    guard let entry = entries[name] else { return nil }
    let packed = bytes[entry.start..<entry.start + entry.packed]
    let file: [UInt8]
    if entry.isDeflated {
      file = try Inflater.inflated(packed, count: entry.size, place: Self.place)
    } else {
      file = Array(packed)
    }
    guard file.withUnsafeBytes({ libdeflate_crc32(0, $0.baseAddress, $0.count) }) == entry.checksum else {
      throw .malformed(where: Self.place, what: "the checksum of a file does not fit its bytes")
    }
    return file
  }

  private static func fault(_ what: String) -> DecodeError { .malformed(where: place, what: what) }

  private static func refused(_ found: String) -> DecodeError { .unsupported(feature: "a ZIP archive", found: found) }

  /// Finds the directory by the record at the end, behind which a comment may stand.
  private static func directory(
    _ bytes: [UInt8]
  ) throws(DecodeError) -> (reader: ByteReader, count: Int, start: Int) {
    let size = 22, first = max(0, bytes.count - size - 0xffff)
    guard bytes.count >= size,
      let end = (first...bytes.count - size).reversed().first(where: { at in
        bytes[at...].starts(with: [0x50, 0x4B, 5, 6])
          && Int(bytes[at + 20]) | Int(bytes[at + 21]) << 8 == bytes.count - at - size
      })
    else { throw fault("there is no directory at its end") }
    var reader = ByteReader(bytes[end...], place: place, isLittleEndian: true)
    try reader.skip(4)
    let disks = [try reader.u16(), try reader.u16()], own = try reader.u16(), count = try reader.u16()
    let length = try reader.u32(), start = try reader.u32()
    guard disks == [0, 0], own == count else { throw refused("parts on several disks") }
    guard count < 0xffff, start < 0xffff_ffff else { throw refused("ZIP64") }
    guard count <= maxFiles else {
      throw .limit(what: "the number of files in a ZIP archive", found: count, allowed: maxFiles)
    }
    guard start + length <= end else { throw fault("the directory lies outside of it") }
    return (ByteReader(bytes[start..<start + length], place: place, isLittleEndian: true), count, start)
  }

  /// Reads an entry of the directory; folders are left out.
  private mutating func add(_ reader: inout ByteReader, before end: Int) throws(DecodeError) {
    guard try reader.u32() == 0x0201_4B50 else { throw Self.fault("an entry of the directory is damaged") }
    try reader.skip(4)
    let flags = try reader.u16(), method = try reader.u16()
    try reader.skip(4)
    let checksum = UInt32(try reader.u32()), packed = try reader.u32(), size = try reader.u32()
    let nameBytes = try reader.u16(), others = try reader.u16() + reader.u16()
    try reader.skip(8)
    let offset = try reader.u32(), own = try reader.take(nameBytes)
    try reader.skip(others)
    guard let name = Self.path(own) else { throw Self.refused("a file name that is no path below it") }
    if name.hasSuffix("/") { return }
    guard flags & 1 == 0 else { throw Self.refused("encryption") }
    guard method == 0 || method == 8 else { throw Self.refused("compression method \(method)") }
    guard [packed, size, offset].allSatisfy({ $0 < 0xffff_ffff }) else { throw Self.refused("ZIP64") }
    guard size <= Self.maxFileBytes else {
      throw .limit(what: "the size of a file in a ZIP archive", found: size, allowed: Self.maxFileBytes)
    }
    guard offset < end else { throw Self.fault("a file lies outside of it") }
    var head = ByteReader(bytes[offset..<end], place: Self.place, isLittleEndian: true)
    guard try head.u32() == 0x0403_4B50 else { throw Self.fault("the head of a file is damaged") }
    try head.skip(22)
    let headName = try head.u16(), headOthers = try head.u16()
    guard try head.take(headName) == own else { throw Self.fault("a file has two names") }
    try head.skip(headOthers)
    guard packed <= head.remaining, method == 8 || packed == size else {
      throw Self.fault("a file is longer than its place")
    }
    let entry = Entry(isDeflated: method == 8, start: head.position, packed: packed, size: size, checksum: checksum)
    guard entries.updateValue(entry, forKey: name) == nil else { throw Self.fault("two files have one name") }
  }

  /// Returns a name as a path below the archive; `nil` if it leads elsewhere or is no text.
  private static func path(_ bytes: ArraySlice<UInt8>) -> String? {
    guard (1...maxNameBytes).contains(bytes.count), let name = String(validating: bytes, as: UTF8.self),
      !name.utf8.contains(0), !name.contains("\\")
    else { return nil }
    let steps = (name.hasSuffix("/") ? name.dropLast() : name[...]).split(
      separator: "/", omittingEmptySubsequences: false)
    return steps.allSatisfy { !["", ".", ".."].contains($0) } ? name : nil
  }
}
