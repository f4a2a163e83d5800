import FileParts

/// The comments of a header of text, which begin with `#`: they are one text of several lines.
struct HeaderComments {
  private var bytes: [UInt8] = []

  /// Adds a line.
  ///
  /// - Parameter line: the bytes after its `#`, perhaps with its end.
  mutating func add(_ line: ArraySlice<UInt8>) {
    if !bytes.isEmpty { bytes.append(0x0A) }
    bytes += line.prefix { $0 != 0x0A && $0 != 0x0D }.drop { $0 == 0x20 || $0 == 0x09 }
  }

  /// Adds the comments to the texts of the file, if there are any.
  func move(into texts: inout TextStatements) {
    if !bytes.isEmpty { texts.add("Comment", bytes: bytes[...]) }
  }
}
