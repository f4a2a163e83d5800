import HDRCore

/// The values of TIFF-structured Exif that change the display of pixels. Source: Exif 2.32, TIFF 6.0 section 2.
///
/// Bytes start at `II*\0` or `MM\0*`. Every offset is checked, every directory is read once.
package struct Exif {
  private let tiff: TIFFBytes
  /// The orientation; `.up` when the tag is absent or its value is none of the eight.
  package private(set) var orientation: Orientation = .up
  /// The value of tag 0xA001: 1 is sRGB, 65535 uncalibrated.
  package private(set) var colorSpace: Int?
  /// The value of tag 0x927C, the maker's own data.
  package private(set) var makerNote: ArraySlice<UInt8>?
  /// The parsed maker note; `nil` if it is not Apple's.
  package private(set) var appleNote: AppleMakerNote?

  /// The largest number of entries of all directories together.
  private static let maxEntries = 1 << 16

  private enum Tag {
    static let colorSpace = 0xA001, makerNote = 0x927C
  }

  /// Reads Exif; `nil` (and `exif.invalid`) when there is no TIFF header. Loops, chains beyond 256 directories,
  /// directories and values outside the data, impossible orientations and headrooms of Apple's maker note are warnings:
  /// `exif.loop`, `exif.limit`, `exif.offset`, `exif.value`, `exif.orientation`, `gainmap.makernote`.
  package init?(_ bytes: [UInt8], warnings: inout [Warning]) {
    guard let tiff = TIFFBytes(bytes), let first = tiff.first else {
      warnings.append(Warning("exif.invalid", "Exif ignored: it has no TIFF header"))
      return nil
    }
    self.tiff = tiff
    walk(from: first, warnings: &warnings)
    appleNote = makerNote.flatMap { AppleMakerNote($0, warnings: &warnings) }
  }

  /// Returns the entries of the directory at `offset` and the position of the next one; `nil` when it does not fit.
  private func directory(at offset: Int) -> (entries: [TIFFBytes.Entry], next: Int)? {
    guard offset >= 8, let (entries, end) = tiff.directory(at: offset) else { return nil }
    return (entries, tiff.number(end, 4) ?? 0)
  }

  /// Returns the number of an entry that holds one SHORT or LONG in place.
  private func scalar(_ entry: TIFFBytes.Entry) -> Int? {
    guard entry.count == 1, [3, 4, 13].contains(entry.type) else { return nil }
    return tiff.number(entry.field, entry.type == 3 ? 2 : 4)
  }

  /// Returns the position of a value that does not fit into its entry.
  private func start(_ entry: TIFFBytes.Entry) -> Int { tiff.number(entry.field, 4) ?? 0 }

  /// Returns true if the value of an entry is inside the data; types unknown in TIFF 6.0 are not checked.
  private func lies(_ entry: TIFFBytes.Entry) -> Bool {
    guard entry.type <= 13, let size = TIFFStructure.bytes(ofType: entry.type), size * entry.count > 4 else {
      return true
    }
    return start(entry) <= tiff.bytes.count - size * entry.count
  }

  private mutating func walk(from first: Int, warnings: inout [Warning]) {
    var queue = [first], visited: Set<Int> = [], isFirst = true, hasOrientation = false, entryCount = 0
    var codes: Set<String> = []
    func note(_ code: String, _ message: Message) {
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
        case TIFFTag.orientation where isFirst && !hasOrientation:
          // A second orientation, which no standard allows, is ignored.
          hasOrientation = true
          if let value = scalar(entry).flatMap(Orientation.init(rawValue:)) {
            orientation = value
          } else {
            note("exif.orientation", "the Exif orientation is none of 1 to 8; taken as 1")
          }
        case Tag.colorSpace: colorSpace = scalar(entry)
        case Tag.makerNote:
          let start = start(entry)
          if makerNote == nil, entry.count > 4, start <= tiff.bytes.count, entry.count <= tiff.bytes.count - start {
            makerNote = tiff.bytes[start..<start + entry.count]
          }
        case TIFFTag.exifDirectory, TIFFTag.gpsDirectory, TIFFTag.interoperability, TIFFTag.subDirectories:
          if let value = scalar(entry) { queue.append(value) }
        default: break
        }
      }
      if next != 0 { queue.append(next) }
      isFirst = false
    }
  }

  /// The bytes with orientation 1 in all its entries of the first directory, as other readers may use the last one.
  fileprivate var resettingOrientation: [UInt8] {
    var copy = tiff
    for entry in tiff.first.flatMap({ directory(at: $0)?.entries }) ?? []
    where entry.tag == TIFFTag.orientation && scalar(entry) != nil {
      copy.set(1, entry.field, entry.type == 3 ? 2 : 4)
    }
    return copy.bytes
  }
}

/// Returns Exif with orientation 1, for a picture that has been rotated already. Only that value changes; data without
/// a readable orientation are returned unchanged.
package func exifResettingOrientation(_ exif: [UInt8]) -> [UInt8] {
  var ignored: [Warning] = []
  return Exif(exif, warnings: &ignored)?.resettingOrientation ?? exif
}
