import HDRCore
import PlainData

/// The lines of a LUT file, numbered from 1, without comments and blanks; CR, LF or both end one.
struct LUTLines {
  /// Limits on untrusted files (docs/isolation.md#limits).
  static var maxBytes: Int { 64 << 20 }
  static var maxLine: Int { 4096 }
  /// The longest line of formats that hold a whole curve in one.
  static var maxCurveLine: Int { 2 << 20 }

  private let bytes: [UInt8]
  /// True if what follows a hash sign is a comment.
  private let hasComments: Bool
  private let maxLine: Int
  private var position = 0
  private(set) var number = 0

  init(_ bytes: some Collection<UInt8>, comments: Bool = true, maxLine: Int = Self.maxLine) throws(LUTError) {
    guard bytes.count <= Self.maxBytes else {
      throw LUTError(.size, reason: "the file has \(bytes.count) bytes, more than \(Self.maxBytes)")
    }
    self.bytes = Array(bytes)
    (hasComments, self.maxLine) = (comments, maxLine)
  }

  /// Returns the next line that is not empty or a comment, split into words; `nil` at the end.
  mutating func next() throws(LUTError) -> (text: Substring, words: [Substring])? {
    while position != bytes.endIndex {
      number += 1
      let end = bytes[position...].firstIndex { $0 == 0x0a || $0 == 0x0d } ?? bytes.endIndex
      let raw = bytes[position..<end]
      position = end == bytes.endIndex ? end : bytes.index(after: end)
      if end != bytes.endIndex, bytes[end] == 0x0d, position != bytes.endIndex, bytes[position] == 0x0a {
        position = bytes.index(after: position)
      }
      guard raw.count <= maxLine else {
        throw LUTError(.syntax, line: number, reason: "longer than \(maxLine) bytes")
      }
      if let nul = raw.firstIndex(of: 0) {
        throw LUTError(.syntax, line: number, reason: "byte \(nul - raw.startIndex + 1) is NUL, and this is no text")
      }
      guard isStreamSafe(utf8: raw) else {
        throw LUTError(.syntax, line: number, reason: "more than 30 combining marks in a row")
      }
      var text = Substring(String(decoding: raw, as: UTF8.self))
      if number == 1, text.hasPrefix("\u{feff}") { text = text.dropFirst() }
      // By bytes: finding characters takes five times as long.
      if hasComments, let hash = text.utf8.firstIndex(of: 0x23), !text.uppercased().hasPrefix("TITLE") {
        text = text[..<hash]
      }
      let words = text.utf8.split(whereSeparator: { $0 == 0x20 || $0 == 0x09 }).map { Substring($0) }
      if !words.isEmpty { return (text, words) }
    }
    return nil
  }
}
