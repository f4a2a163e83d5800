import HDRCore

/// The values of TIFF-structured Exif that change the display of pixels. Source: Exif 2.32, TIFF 6.0 section 2.
///
/// Bytes start at `II*\0` or `MM\0*`. Every offset is checked, every directory is read once.
package struct Exif {
  private let bytes: [UInt8]
  private let isLittleEndian: Bool
  /// The orientation; `.up` when the tag is absent or its value is none of the eight.
  package private(set) var orientation: Orientation = .up
  /// The value of tag 0xA001: 1 is sRGB, 65535 uncalibrated.
  package private(set) var colorSpace: Int?
  /// The value of tag 0x927C, the maker's own data.
  package private(set) var makerNote: ArraySlice<UInt8>?
  /// The parsed maker note; `nil` if it is not Apple's.
  private(set) var appleNote: AppleMakerNote?

  /// The largest number of entries of all directories together.
  private static let maxEntries = 1 << 16

  private enum Tag {
    static let orientation = 0x0112
    static let exifDirectory = 0x8769
    static let gpsDirectory = 0x8825
    static let interoperability = 0xA005
    static let subDirectories = 0x014A
    static let colorSpace = 0xA001
    static let makerNote = 0x927C
  }

  /// Reads Exif; `nil` (and `exif.invalid`) when there is no TIFF header. Loops, chains beyond 256 directories,
  /// directories and values outside the data, impossible orientations and headrooms of Apple's maker note are warnings:
  /// `exif.loop`, `exif.limit`, `exif.offset`, `exif.value`, `exif.orientation`, `gainmap.makernote`.
  package init?(_ bytes: [UInt8], warnings: inout [Warning]) {
    guard let header = Self.header(bytes) else {
      warnings.append(Warning("exif.invalid", "Exif ignored: it has no TIFF header"))
      return nil
    }
    self.bytes = bytes
    isLittleEndian = header.isLittleEndian
    walk(from: header.offset, warnings: &warnings)
    appleNote = makerNote.flatMap { AppleMakerNote($0, warnings: &warnings) }
  }

  private static func header(_ bytes: [UInt8]) -> (isLittleEndian: Bool, offset: Int)? {
    guard bytes.count >= 8 else { return nil }
    let isLittleEndian: Bool
    switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
    case (0x49, 0x49, 0x2A, 0): isLittleEndian = true
    case (0x4D, 0x4D, 0, 0x2A): isLittleEndian = false
    default: return nil
    }
    return (isLittleEndian, Int(number(bytes, 4, 4, isLittleEndian)))
  }

  private static func number(_ bytes: [UInt8], _ at: Int, _ count: Int, _ isLittleEndian: Bool) -> UInt32 {
    var value: UInt32 = 0
    for index in 0..<count { value = value << 8 | UInt32(bytes[isLittleEndian ? at + count - 1 - index : at + index]) }
    return value
  }

  private struct Entry {
    var tag: Int
    var type: Int
    var count: Int
    /// The position of the four value bytes.
    var at: Int
  }

  /// Returns the entries of the directory at `offset` and the position of the next one; `nil` when it does not fit.
  private func directory(at offset: Int) -> (entries: [Entry], next: Int)? {
    guard offset >= 8, offset + 2 <= bytes.count else { return nil }
    let count = Int(Self.number(bytes, offset, 2, isLittleEndian))
    guard offset + 2 + 12 * count <= bytes.count else { return nil }
    let entries = (0..<count).map { index in
      let at = offset + 2 + 12 * index
      return Entry(
        tag: Int(Self.number(bytes, at, 2, isLittleEndian)), type: Int(Self.number(bytes, at + 2, 2, isLittleEndian)),
        count: Int(Self.number(bytes, at + 4, 4, isLittleEndian)), at: at + 8)
    }
    let end = offset + 2 + 12 * count
    return (entries, end + 4 <= bytes.count ? Int(Self.number(bytes, end, 4, isLittleEndian)) : 0)
  }

  /// Returns the number of an entry that holds one SHORT or LONG in place.
  private func scalar(_ entry: Entry) -> Int? {
    guard entry.count == 1 else { return nil }
    switch entry.type {
    case 3: return Int(Self.number(bytes, entry.at, 2, isLittleEndian))
    case 4, 13: return Int(Self.number(bytes, entry.at, 4, isLittleEndian))
    default: return nil
    }
  }

  /// Returns true if the value of an entry is inside the data; types unknown in TIFF 6.0 are not checked.
  private func lies(_ entry: Entry) -> Bool {
    let sizes = [1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4]
    guard let size = sizes[entry.type], size * entry.count > 4 else { return true }
    return Int(Self.number(bytes, entry.at, 4, isLittleEndian)) <= bytes.count - size * entry.count
  }

  private mutating func walk(from first: Int, warnings: inout [Warning]) {
    var queue = [first], visited: Set<Int> = [], isFirst = true, hasOrientation = false, entryCount = 0
    var codes: Set<String> = []
    func note(_ code: String, _ message: String) {
      if codes.insert(code).inserted { warnings.append(Warning(code, message)) }
    }
    while let offset = queue.popLast() {
      guard visited.count < 256 else { return note("exif.limit", "Exif has more than 256 directories") }
      guard visited.insert(offset).inserted else {
        note("exif.loop", "an Exif directory points back to one already read")
        continue
      }
      guard let (entries, next) = directory(at: offset) else {
        note("exif.offset", "an Exif directory lies outside the data")
        isFirst = false
        continue
      }
      // Directories may overlap, so a few bytes can be read as many entries.
      entryCount += entries.count
      guard entryCount <= Self.maxEntries else {
        return note("exif.limit", "Exif has more than \(Self.maxEntries) entries")
      }
      for entry in entries {
        if !lies(entry) { note("exif.value", "an Exif value lies outside the data") }
        switch entry.tag {
        case Tag.orientation where isFirst && !hasOrientation:
          // A second orientation, which no standard allows, is ignored.
          hasOrientation = true
          if let value = scalar(entry).flatMap(Orientation.init(rawValue:)) {
            orientation = value
          } else {
            note("exif.orientation", "the Exif orientation is none of 1 to 8; taken as 1")
          }
        case Tag.colorSpace: colorSpace = scalar(entry)
        case Tag.makerNote:
          let start = Int(Self.number(bytes, entry.at, 4, isLittleEndian))
          if makerNote == nil, entry.count > 4, start <= bytes.count, entry.count <= bytes.count - start {
            makerNote = bytes[start..<start + entry.count]
          }
        case Tag.exifDirectory, Tag.gpsDirectory, Tag.interoperability, Tag.subDirectories:
          if let value = scalar(entry) { queue.append(value) }
        default: break
        }
      }
      if next != 0 { queue.append(next) }
      isFirst = false
    }
  }

  /// Returns the positions and widths in bytes of all orientation values in the first directory, as other readers may
  /// use the last one.
  fileprivate static func orientationFields(_ bytes: [UInt8]) -> [(at: Int, count: Int, isLittleEndian: Bool)] {
    var ignored: [Warning] = []
    guard let header = header(bytes), let exif = Exif(bytes, warnings: &ignored),
      let entries = exif.directory(at: header.offset)?.entries
    else { return [] }
    return entries.filter { $0.tag == Tag.orientation && exif.scalar($0) != nil }.map {
      ($0.at, $0.type == 3 ? 2 : 4, header.isLittleEndian)
    }
  }
}

/// Returns Exif with orientation 1, for a picture that has been rotated already. Only that value changes; data without
/// a readable orientation are returned unchanged.
public func exifResettingOrientation(_ exif: [UInt8]) -> [UInt8] {
  var result = exif
  for field in Exif.orientationFields(exif) {
    for index in 0..<field.count { result[field.at + index] = 0 }
    result[field.isLittleEndian ? field.at : field.at + field.count - 1] = 1
  }
  return result
}
