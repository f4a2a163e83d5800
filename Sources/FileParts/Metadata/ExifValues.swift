import HDRCore

/// The values of Exif directories, for moving them between files: those of the main directory that describe the
/// photograph, and those of the Exif, GPS and interoperability directories.
///
/// MakerNote is an opaque block; offsets in a note that count from the start of the file become wrong when it is moved.
/// Source: Exif 2.32 clause 4.6.
package struct ExifValues {
  package var main: [TIFFValue] = []
  package var exif: [TIFFValue] = []
  package var gps: [TIFFValue] = []
  var interoperability: [TIFFValue] = []
  package let isLittleEndian: Bool

  /// The tags of the main directory that are kept: description, camera, resolution, program, date, artist, computer,
  /// rating, copyright, Windows' texts.
  private static let travelling: Set<Int> = [
    270, 271, 272, 274, 282, 283, 296, 305, 306, 315, 316, 0x4746, 0x4749, 33432, 0x9C9B, 0x9C9C, 0x9C9D, 0x9C9E,
    0x9C9F,
  ]
  /// The tags that alone do not describe a photograph: orientation and resolution.
  private static let bare: Set<Int> = [274, 282, 283, 296]
  package static let maxBytes = 16 << 20

  /// Reads the values of a directory; `nil` for one with more than `maxBytes`.
  ///
  /// - Parameter wantsPhoto: true for `nil` where no value describes a photograph, too.
  package init?(_ structure: TIFFStructure, _ directory: TIFFStructure.Directory, wantsPhoto: Bool = true) {
    isLittleEndian = structure.isLittleEndian
    var total = 0
    func values(_ found: TIFFStructure.Directory?, _ isWanted: (Int) -> Bool) -> [TIFFValue] {
      (found?.entries.values.sorted { $0.tag < $1.tag } ?? []).compactMap { entry in
        // Classic files have neither numbers of eight bytes nor subdirectories at other places.
        guard isWanted(entry.tag), ![13, 16, 17, 18].contains(entry.type), entry.count > 0 else { return nil }
        // Values may overlap, so a small file can have many.
        total += structure.value(of: entry).count
        guard total <= Self.maxBytes else { return nil }
        return TIFFValue(entry.tag, type: entry.type, count: entry.count, bytes: Array(structure.value(of: entry)))
      }
    }
    func child(_ tag: Int, of parent: TIFFStructure.Directory?) -> TIFFStructure.Directory? {
      parent.flatMap { structure.integer(tag, in: $0) }.flatMap { try? structure.directory(at: $0) }
    }
    let details = child(TIFFTag.exifDirectory, of: directory)
    main = values(directory) { Self.travelling.contains($0) }
    exif = values(details) { $0 != TIFFTag.interoperability }
    gps = values(child(TIFFTag.gpsDirectory, of: directory)) { _ in true }
    interoperability = values(child(TIFFTag.interoperability, of: details)) { _ in true }
    if total > Self.maxBytes { return nil }
    if wantsPhoto, saysNothing { return nil }
  }

  /// True if no value describes a photograph.
  var saysNothing: Bool { exif.isEmpty && gps.isEmpty && main.allSatisfy { Self.bare.contains($0.tag) } }

  /// Reads the values of an Exif block, from `II*\0` or `MM\0*` on; `nil` if it cannot be read, and as for a directory.
  package init?(_ bytes: [UInt8], wantsPhoto: Bool = true) {
    guard let structure = try? TIFFStructure(bytes), !structure.isBig,
      let directory = try? structure.directory(at: structure.first)
    else { return nil }
    self.init(structure, directory, wantsPhoto: wantsPhoto)
  }

  /// Returns Exif with an orientation: the given bytes if they state it, else their values with it. Kept rows need
  /// their orientation, even if the rest of Exif is left out.
  package static func bytes(_ exif: [UInt8]?, saying orientation: Orientation) -> [UInt8]? {
    var ignored: [Warning] = []
    let found = exif.flatMap { Exif($0, warnings: &ignored)?.orientation } ?? .up
    guard found != orientation else { return exif }
    var values = exif.flatMap { ExifValues($0) } ?? ExifValues(isLittleEndian: true)
    values.main.removeAll { $0.tag == TIFFTag.orientation }
    values.main.append(
      TIFFValue(TIFFTag.orientation, shorts: [orientation.rawValue], isLittleEndian: values.isLittleEndian))
    return values.serialized
  }

  /// The values with little-endian numbers.
  package var littleEndian: ExifValues {
    if isLittleEndian { return self }
    var copy = ExifValues(isLittleEndian: true)
    copy.main = main.map(\.swapped)
    copy.exif = exif.map(\.swapped)
    copy.gps = gps.map(\.swapped)
    copy.interoperability = interoperability.map(\.swapped)
    return copy
  }

  package init(isLittleEndian: Bool) { self.isLittleEndian = isLittleEndian }

  /// Returns the bytes of the directories below the main one, for `position` of a file, and the main one's pointers to
  /// them.
  ///
  /// - Parameter always: adds an Exif directory with only a version if there is none.
  package func children(at position: Int, always: Bool = false, isBig: Bool = false) -> (
    bytes: [UInt8], values: [TIFFValue]
  ) {
    var bytes: [UInt8] = [], pointers: [TIFFValue] = [], details = exif
    func lay(_ values: [TIFFValue]) -> Int {
      let at = position + bytes.count
      bytes += TIFFDirectoryBytes(values, isLittleEndian: isLittleEndian, isBig: isBig).bytes(at: at)
      return at
    }
    if !interoperability.isEmpty {
      let at = lay(interoperability)
      details.append(TIFFValue(TIFFTag.interoperability, longs: [at], isLittleEndian: isLittleEndian))
    }
    if details.isEmpty && always { details = [TIFFValue(0x9000, Array("0232".utf8))] }
    if !details.isEmpty {
      pointers.append(TIFFValue(TIFFTag.exifDirectory, longs: [lay(details)], isLittleEndian: isLittleEndian))
    }
    if !gps.isEmpty {
      pointers.append(TIFFValue(TIFFTag.gpsDirectory, longs: [lay(gps)], isLittleEndian: isLittleEndian))
    }
    return (bytes, pointers)
  }

  /// The values as an Exif block, in their byte order.
  package var serialized: [UInt8] {
    // The main directory comes first; its size does not depend on its pointers.
    let shape = TIFFDirectoryBytes(main + children(at: 8).values, isLittleEndian: isLittleEndian)
    let below = children(at: 8 + shape.byteCount)
    let directory = TIFFDirectoryBytes(main + below.values, isLittleEndian: isLittleEndian)
    return TIFFBytes.header(isLittleEndian: isLittleEndian) + directory.bytes(at: 8) + below.bytes
  }
}
