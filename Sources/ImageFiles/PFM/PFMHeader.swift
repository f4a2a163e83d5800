import FileParts
import HDRCore
import PlainData

/// The header of a PFM or PHM picture: a word, width, height and scale, between white space, with comments as in PNM.
///
/// Source: P. Debevec, "PFM Portable FloatMap Image Format"; of halves, D. Ha's PHM as FFmpeg writes it; rows of Photoshop's
/// variant as KDE's readers take them; comments as ImageMagick writes them.
struct PFMHeader {
  static let place = "PFM header"
  /// The longest header that is read, and the longest comments besides.
  private static let maxBytes = 256, maxComments = 1 << 16

  let width: Int
  let height: Int
  let channels: Int
  let isHalf: Bool
  let isLittleEndian: Bool
  /// True if the first row of the file is the topmost.
  let isTopDown: Bool
  let scale: Double
  let texts: TextStatements
  /// The offset of the samples.
  let start: Int

  private static let words: [(word: String, channels: Int, isHalf: Bool)] = [
    ("PF", 3, false), ("Pf", 1, false), ("PF4", 4, false), ("PH", 3, true), ("Ph", 1, true), ("PH4", 4, true),
  ]

  /// True for the first bytes of such a file.
  static func recognizes(_ head: ArraySlice<UInt8>) -> Bool {
    let word = head.prefix { !isBlank($0) }
    return word.count < head.count && words.contains { word.elementsEqual($0.word.utf8) }
  }

  init(_ bytes: [UInt8]) throws(DecodeError) {
    var position = 0, end = Self.maxBytes, comments = HeaderComments(), texts = TextStatements()
    /// Returns the next word, and the white space before it.
    func next() throws(DecodeError) -> (word: String, blanks: ArraySlice<UInt8>) {
      var window = bytes[position..<min(bytes.count, end)], blanks = window.prefix(while: Self.isBlank)
      while window[blanks.endIndex...].first == UInt8(ascii: "#"), end < Self.maxComments {
        let line = bytes[(blanks.endIndex + 1)...].prefix(Self.maxComments - end).prefix { $0 != 0x0A && $0 != 0x0D }
        comments.add(line)
        (position, end) = (line.endIndex, end + line.count + 1)
        window = bytes[position..<min(bytes.count, end)]
        blanks = window.prefix(while: Self.isBlank)
      }
      let word = window[blanks.endIndex...].prefix { !Self.isBlank($0) }
      guard !word.isEmpty, word.endIndex < window.endIndex else {
        if bytes.count < end { throw .truncated(where: Self.place) }
        throw Self.fault("it does not end within \(end) bytes")
      }
      position = word.endIndex
      return (latin1(word), blanks)
    }
    let word = try next().word
    guard let kind = Self.words.first(where: { $0.word == word }) else {
      throw Self.fault("it begins with no known word")
    }
    let width = try next().word, (height, between) = try next(), scale = try next().word
    guard let columns = Self.count(width), let rows = Self.count(height) else {
      throw Self.fault("\(streamSafe(width)) x \(streamSafe(height)) is no size")
    }
    guard let factor = decimal(scale), factor != 0 else {
      throw Self.fault(
        "the scale is \(streamSafe(scale)), which says no byte order: below 0 little, above 0 big endian")
    }
    (self.width, self.height, channels, isHalf) = (columns, rows, kind.channels, kind.isHalf)
    (isLittleEndian, self.scale) = (factor < 0, factor)
    comments.move(into: &texts)
    self.texts = texts
    // Photoshop puts width and height on lines of their own.
    isTopDown = between.contains { $0 == 0x0A || $0 == 0x0D }
    // One byte of white space ends the header; a second one is a sample's.
    start = position + 1
  }

  private static func count(_ word: String) -> Int? {
    word.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(word) : nil
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  private static func fault(_ what: String) -> DecodeError { .malformed(where: place, what: what) }
}
