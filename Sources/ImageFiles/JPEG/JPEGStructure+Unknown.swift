import FileParts
import HDRCore

extension JPEGStructure {
  /// The beginnings of application segments that are read, or that say nothing but how the stream was made: JFIF and its
  /// thumbnail, Adobe, and the quality of Photoshop's "Save for Web".
  private static let known: [UInt8: [String]] = [
    0xE0: ["JFIF\0", "JFXX\0"],
    0xE1: [JPEGIdentifier.exif, JPEGIdentifier.xmp, JPEGIdentifier.extendedXMP],
    0xE2: [JPEGIdentifier.icc, JPEGIdentifier.iso21496, JPEGIdentifier.multiPicture],
    0xEC: ["Ducky"], 0xED: [JPEGIdentifier.photoshop], 0xEE: ["Adobe"],
  ]

  /// Lists the application segments that nothing reads, and the paths among Photoshop's resources.
  ///
  /// - Parameters:
  ///   - resources: the image resources of the stream.
  ///   - hasCredentials: true if the JUMBF of APP11 is a C2PA store, which is told apart.
  func unknownSegments(in bytes: [UInt8], resources: [UInt8]?, hasCredentials: Bool) -> [FileTrailer] {
    var unknown = UnknownParts(), exif = 0
    for (marker, payload) in applications where !payload.isEmpty {
      let content = bytes[payload], isExif = marker == 0xE1 && content.starts(with: JPEGIdentifier.exif.utf8)
      if isExif { exif += 1 }
      let isKnown =
        marker == 0xEB && hasCredentials && content.starts(with: "JP".utf8)
        || Self.known[marker, default: []].contains { content.starts(with: $0.utf8) }
      // Only the first Exif block is read.
      if isKnown && !(isExif && exif > 1) { continue }
      let letters = content.prefix(24).prefix { (0x21...0x7E).contains($0) }
      unknown.add("APP\(marker - 0xE0)\(letters.count > 1 ? " " + latin1(letters) : "")", byteCount: payload.count)
    }
    unknown.add(pathsOf: resources)
    return unknown.trailers
  }

  /// The comments of the stream.
  func texts(in bytes: [UInt8]) -> TextStatements {
    var texts = TextStatements()
    for comment in comments { texts.add("Comment", bytes: bytes[comment]) }
    return texts
  }
}
