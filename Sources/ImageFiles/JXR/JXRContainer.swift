import FileParts
import HDRCore

/// The container of a JPEG XR file: directories as in TIFF, of which the first describes the picture, and the places of
/// its code streams. Everything is checked here, before the library sees a container of its own (`plain`). Source: ITU-T
/// T.832 annex A.
package struct JXRContainer {
  private enum Tag {
    static let identifier = 0xBC01, orientation = 0xBC02, width = 0xBC80, height = 0xBC81
    static let image = 0xBCC0, imageBytes = 0xBCC1, alpha = 0xBCC2, alphaBytes = 0xBCC3
    /// The transfer function of screenshots of the Xbox, by the number of its standard.
    static let transfer = 0xA001
    static let kind = 0xBC04
  }

  /// The tags of the picture that are read, or that describe its code streams, the size of a print, or nothing (T.832
  /// table A.4); those of TIFF come besides.
  private static let known = Set(
    [Tag.transfer, 0xEA1C] + [0xBC01...0xBC06, 0xBC80...0xBC83, 0xBCC0...0xBCC5].joined())

  /// The limits: directories, entries of a directory, pixels for a byte of a code stream.
  static let maxDirectories = 8, maxEntries = 512, maxPixelsPerByte = 2000

  static let place = "JPEG XR"

  package let structure: TIFFStructure
  /// The directory of the picture.
  package let directory: TIFFStructure.Directory
  package let format: JXRFormat
  package private(set) var width = 0
  package private(set) var height = 0
  package private(set) var orientation = Orientation.up
  package let image: Range<Int>
  /// The code stream of alpha alone.
  package let alpha: Range<Int>?
  /// True if alpha is coded beside the colours.
  private(set) var hasInterleavedAlpha = false
  /// The bytes of the code streams of further pictures that are no previews of the first.
  private var furtherPictures: [Int] = []

  package init(_ bytes: [UInt8], limits: DecodeLimits, warnings: inout [Warning]) throws(DecodeError) {
    structure = try TIFFStructure(jpegXR: bytes)
    directory = try structure.directory(at: structure.first)
    guard directory.entries.count <= Self.maxEntries else {
      throw .limit(
        what: "entries of a JPEG XR directory", found: directory.entries.count, allowed: Self.maxEntries)
    }
    guard let identifier = structure.data(Tag.identifier, in: directory), identifier.count == 16 else {
      throw .malformed(where: Self.place, what: "it has no pixel format")
    }
    format = try JXRFormat.identified(by: Array(identifier))
    image = try Self.range(Tag.image, Tag.imageBytes, structure, directory, "picture")
    // Some writers state the end of the file as the size of alpha.
    if directory.entries[Tag.alpha] != nil, format.alpha != nil {
      alpha = try Self.range(Tag.alpha, Tag.alphaBytes, structure, directory, "alpha", mayPassEnd: true)
    } else {
      alpha = nil
    }
    if directory.unreadable > 0 {
      warnings.append(
        Warning("jxr.entry", "\(directory.unreadable) entries of unknown types or with values outside the file ignored")
      )
    }
    try readPicture(limits, &warnings)
    checkDirectories(&warnings)
  }

  private func number(_ tag: Int) -> Int? { structure.integer(tag, in: directory) }

  private static func range(
    _ offset: Int, _ count: Int, _ structure: TIFFStructure, _ directory: TIFFStructure.Directory, _ what: String,
    mayPassEnd: Bool = false
  ) throws(DecodeError) -> Range<Int> {
    guard let start = structure.integer(offset, in: directory), let size = structure.integer(count, in: directory),
      start >= 8, size > 0
    else { throw .malformed(where: place, what: "the place of its \(what) is not stated") }
    let all = structure.bytes.count
    guard start < all, size <= all, mayPassEnd || size <= all - start else {
      throw .truncated(where: "JPEG XR \(what)")
    }
    return start..<min(all, start + size)
  }

  /// Reads the heads of the code streams, which must agree with the container and with each other.
  private mutating func readPicture(_ limits: DecodeLimits, _ warnings: inout [Warning]) throws(DecodeError) {
    let main = try JXRCodestream(structure.bytes[image], place: "JPEG XR code stream")
    (width, height) = (main.width, main.height)
    let pixels = try checkedPixels(width, height, limits, place: Self.place)
    guard number(Tag.width) == width, number(Tag.height) == height else {
      throw .malformed(where: Self.place, what: "the container states another size than the code stream")
    }
    guard image.count >= pixels / Self.maxPixelsPerByte else {
      throw .malformed(
        where: Self.place, what: "\(image.count) bytes cannot hold a picture of \(width)x\(height)")
    }
    guard main.colors == format.colorCode, main.depth == format.sample.rawValue,
      main.inner == 0 || main.colors != 0 && main.inner <= 3
    else {
      throw .malformed(where: Self.place, what: "the code stream holds other samples than \(format.name)")
    }
    hasInterleavedAlpha = main.hasAlpha
    guard !main.hasAlpha || format.alpha != nil && alpha == nil else {
      throw .malformed(where: Self.place, what: "alpha beside the colours, which \(format.name) has not there")
    }
    if let alpha {
      let plane = try JXRCodestream(structure.bytes[alpha], place: "JPEG XR alpha")
      guard plane.width == width, plane.height == height, plane.colors == 0, plane.inner == 0,
        plane.depth == main.depth, !plane.hasAlpha
      else { throw .malformed(where: "JPEG XR alpha", what: "it is not of the picture's size and samples") }
    }
    if format.alpha != nil, alpha == nil, !main.hasAlpha {
      warnings.append(Warning("jxr.alpha-missing", "\(format.name) without alpha in the file: read as opaque"))
    }
    // Bits of T.832 table A.6: quarter turn, then left and right, then top and bottom exchanged.
    let turns: [Orientation] = [.up, .downMirrored, .upMirrored, .down, .right, .rightMirrored, .leftMirrored, .left]
    if let turn = number(Tag.orientation) {
      if turns.indices.contains(turn) {
        orientation = turns[turn]
      } else {
        warnings.append(Warning("jxr.orientation", "the orientation is none of 0 to 7; taken as 0"))
      }
    }
  }

  /// Warns about directories after the first, which hold previews, if they lead nowhere.
  private mutating func checkDirectories(_ warnings: inout [Warning]) {
    var next = directory.next, visited: Set<Int> = [directory.position]
    while next != 0 {
      guard visited.insert(next).inserted else {
        warnings.append(Warning("jxr.loop", "a directory points back to one already read"))
        return
      }
      guard visited.count <= Self.maxDirectories, let found = try? structure.directory(at: next) else {
        warnings.append(Warning("jxr.directory", "further directories are not read"))
        return
      }
      // Bit 0 of the kind says that a picture is a smaller copy.
      if (structure.integer(Tag.kind, in: found) ?? 0) & 1 == 0 {
        let sizes = [Tag.imageBytes, Tag.alphaBytes].compactMap { structure.integer($0, in: found) }
        furtherPictures.append(sizes.reduce(0) { $0 + min(max($1, 0), structure.bytes.count) })
      }
      next = found.next
    }
  }

  /// Lists what nothing reads: tags, paths among the image resources, further pictures.
  func unknown(resources: [UInt8]?) -> UnknownParts {
    var unknown = structure.unknownTags(of: directory, resources: resources, own: Self.known)
    for (index, count) in furtherPictures.enumerated() { unknown.add("picture \(index + 2)", byteCount: count) }
    return unknown
  }

  /// True if the container says that codes are PQ, as screenshots of the Xbox do.
  var statesPQ: Bool { number(Tag.transfer) == 2084 }

  /// The container that the library sees: the format, the size and the code streams, and nothing else of the file.
  package var plain: [UInt8] {
    let file = structure.bytes
    func entries(_ first: Int, _ places: [(tag: Int, bytes: Int, range: Range<Int>)]) -> [TIFFValue] {
      var at = first
      return places.flatMap { place in
        defer { at += place.range.count }
        return [TIFFValue(place.tag, longs: [at]), TIFFValue(place.bytes, longs: [place.range.count])]
      }
    }
    let identifier = Array(structure.data(Tag.identifier, in: directory) ?? [])
    let head = [
      TIFFValue(Tag.identifier, type: 1, identifier), TIFFValue(Tag.width, longs: [width]),
      TIFFValue(Tag.height, longs: [height]),
    ]
    var places = [(tag: Tag.image, bytes: Tag.imageBytes, range: image)]
    if let alpha { places.append((Tag.alpha, Tag.alphaBytes, alpha)) }
    // The size of a directory does not depend on its values.
    let size = TIFFDirectoryBytes(head + entries(0, places)).byteCount
    var made: [UInt8] = [0x49, 0x49, 0xBC, 1, 8, 0, 0, 0]
    made += TIFFDirectoryBytes(head + entries(8 + size, places)).bytes(at: 8)
    for place in places { made += file[place.range] }
    return made
  }
}
