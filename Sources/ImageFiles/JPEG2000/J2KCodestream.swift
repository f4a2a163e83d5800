import FileParts
import HDRCore

/// The head of a JPEG 2000 or HTJ2K code stream: the sizes that the library takes memory by, checked before it sees them.
/// Source: ITU-T T.800 clause A.5.1 (SIZ).
struct J2KCodestream: Sendable, Hashable {
  struct Component: Sendable, Hashable {
    var bits: Int
    var isSigned: Bool
    /// The distances of samples on both axes, in pixels.
    var columns: Int
    var rows: Int
  }

  /// The profile (Rsiz); 3 and 4 are those of digital cinema, 2K and 4K.
  let profile: Int
  let width: Int
  let height: Int
  let components: [Component]
  /// The places of comments in the main header, without their length; the first two bytes are 1 for text.
  let comments: [Range<Int>]

  static let signature: [UInt8] = [0xFF, 0x4F, 0xFF, 0x51]
  /// The limits: components, bits of a sample, tiles unless all are of 64 x 64 pixels at least, pixels for a byte.
  static let maxComponents = 4, maxBits = 16, maxTiles = 4096, leastTile = 64, maxPixelsPerByte = 2000

  /// True for X'Y'Z' of digital cinema by the profile.
  var isCinema: Bool { profile == 3 || profile == 4 }

  init(_ bytes: ArraySlice<UInt8>, limits: DecodeLimits) throws(DecodeError) {
    let place = "JPEG 2000 code stream"
    guard bytes.starts(with: Self.signature) else {
      throw .malformed(where: place, what: "it does not begin with SOC and SIZ")
    }
    var reader = ByteReader(bytes.dropFirst(4), place: place)
    let length = try reader.u16()
    profile = try reader.u16()
    let right = try reader.u32(), bottom = try reader.u32(), left = try reader.u32(), top = try reader.u32()
    let tileWidth = try reader.u32(), tileHeight = try reader.u32(), tileLeft = try reader.u32()
    let tileTop = try reader.u32(), count = try reader.u16()
    (width, height) = (right - left, bottom - top)
    let pixels = try checkedPixels(width, height, limits, place: place)
    guard count > 0, length == 38 + 3 * count else {
      throw .malformed(where: place, what: "SIZ of \(length) bytes for \(count) components")
    }
    guard count <= Self.maxComponents else {
      throw .limit(what: "components of JPEG 2000", found: count, allowed: Self.maxComponents)
    }
    guard tileWidth > 0, tileHeight > 0, tileLeft <= left, tileTop <= top, tileLeft + tileWidth > left,
      tileTop + tileHeight > top
    else { throw .malformed(where: place, what: "tiles that do not cover the picture") }
    let tiles =
      ((right - tileLeft + tileWidth - 1) / tileWidth) * ((bottom - tileTop + tileHeight - 1) / tileHeight)
    guard tiles <= Self.maxTiles || tileWidth >= Self.leastTile && tileHeight >= Self.leastTile else {
      throw .limit(what: "small tiles of JPEG 2000", found: tiles, allowed: Self.maxTiles)
    }
    guard bytes.count >= pixels / Self.maxPixelsPerByte else {
      throw .malformed(where: place, what: "\(bytes.count) bytes cannot hold a picture of \(width)x\(height)")
    }
    var components: [Component] = []
    for _ in 0..<count {
      let depth = try reader.u8(), columns = try reader.u8(), rows = try reader.u8()
      components.append(
        Component(
          bits: Int(depth & 0x7F) + 1, isSigned: depth & 0x80 != 0, columns: Int(columns), rows: Int(rows)))
    }
    self.components = components
    comments = try Self.checkTiles(bytes, number: tiles, place)
    try check(place)
  }

  /// Walks over the tile parts, which must be whole and of all tiles: the library takes what is missing for samples.
  ///
  /// - Returns: the places of comments.
  private static func checkTiles(
    _ bytes: ArraySlice<UInt8>, number: Int, _ place: String
  ) throws(DecodeError) -> [Range<Int>] {
    var reader = ByteReader(bytes.dropFirst(2), place: place), seen: Set<Int> = [], comments: [Range<Int>] = []
    // Segments of the main header have a length; the first tile part ends it.
    var marker = try reader.u16()
    while marker != Marker.tilePart {
      guard marker >= 0xFF30 else { throw .malformed(where: place, what: "a marker is \(marker)") }
      let length = try reader.u16()
      guard length >= 2 else { throw .malformed(where: place, what: "a segment of \(length) bytes") }
      if marker == Marker.comment { comments.append(reader.position..<reader.position + length - 2) }
      try reader.skip(length - 2)
      marker = try reader.u16()
    }
    while marker == Marker.tilePart {
      let start = reader.position - 2
      try reader.skip(2)
      let tile = try reader.u16(), length = try reader.u32()
      guard tile < number else { throw .malformed(where: place, what: "a tile \(tile) of \(number)") }
      seen.insert(tile)
      // Of the last one the length may be left out.
      if length == 0 { break }
      try reader.skip(start + max(length, 12) - reader.position)
      guard reader.remaining >= 2 else { break }
      marker = try reader.u16()
    }
    guard seen.count == number else {
      throw .malformed(where: place, what: "\(number - seen.count) of its \(number) tiles are missing")
    }
    return comments
  }

  private enum Marker {
    static let tilePart = 0xFF90, comment = 0xFF64
  }

  /// The beginnings of comments by which coders name themselves and how they coded.
  private static let coders = ["Created by OpenJPEG", "OpenJPH", "Kakadu", "Kdu-", "Creator: JasPer"]

  /// Returns the comments in a stream, but for those of coders.
  func texts(in bytes: ArraySlice<UInt8>) -> TextStatements {
    var texts = TextStatements()
    for comment in comments where comment.count > 2 {
      let body = bytes[comment].dropFirst(2)
      if Self.coders.contains(where: { body.starts(with: $0.utf8) }) { continue }
      // Registration 1 is text (table A.43); others are binary.
      if bytes[comment].starts(with: [0, 1]) {
        texts.add("Comment", bytes: body)
      } else {
        texts.add("Comment", nil, byteCount: body.count)
      }
    }
    return texts
  }

  /// Refuses samples that are not read, by name.
  private func check(_ place: String) throws(DecodeError) {
    func refuse(_ found: String) -> DecodeError { .unsupported(feature: "these samples of JPEG 2000", found: found) }
    for component in components {
      guard component.bits <= Self.maxBits else { throw refuse("\(component.bits) bits") }
      guard !component.isSigned else { throw refuse("signed integers") }
      guard component.columns == 1, component.rows == 1 else { throw refuse("components of other sizes") }
    }
    let colors = components.prefix(components.count < 3 ? 1 : 3)
    guard colors.allSatisfy({ $0.bits == colors[0].bits }) else { throw refuse("colours of several depths") }
  }
}
