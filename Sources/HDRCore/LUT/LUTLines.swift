/// Lines of a LUT file, numbered from 1, without comments and blanks; CR, LF or both end one.
struct LUTLines<Bytes: Collection> where Bytes.Element == UInt8 {
  /// Limits on files from strangers (design/reliability.md §4).
  static var maxBytes: Int { 64 << 20 }
  static var maxLine: Int { 4096 }

  let bytes: Bytes
  private var position: Bytes.Index
  private(set) var number = 0

  init(_ bytes: Bytes) throws(LUTError) {
    guard bytes.count <= Self.maxBytes else {
      throw LUTError(line: 0, reason: "the file has \(bytes.count) bytes, more than \(Self.maxBytes)")
    }
    self.bytes = bytes
    position = bytes.startIndex
  }

  /// The next line that says something and its words; `nil` at the end.
  mutating func next() throws(LUTError) -> (text: Substring, words: [Substring])? {
    while position != bytes.endIndex {
      number += 1
      let end = bytes[position...].firstIndex { $0 == 0x0a || $0 == 0x0d } ?? bytes.endIndex
      let raw = bytes[position..<end]
      position = end == bytes.endIndex ? end : bytes.index(after: end)
      if end != bytes.endIndex, bytes[end] == 0x0d, position != bytes.endIndex, bytes[position] == 0x0a {
        position = bytes.index(after: position)
      }
      guard raw.count <= Self.maxLine else { throw LUTError(line: number, reason: "longer than \(Self.maxLine) bytes") }
      guard isStreamSafe(utf8: raw) else {
        throw LUTError(line: number, reason: "more than 30 combining marks in a row")
      }
      var text = Substring(String(decoding: raw, as: UTF8.self))
      if number == 1, text.hasPrefix("\u{feff}") { text = text.dropFirst() }
      if let hash = text.firstIndex(of: "#"), !text.uppercased().hasPrefix("TITLE") { text = text[..<hash] }
      let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" })
      if !words.isEmpty { return (text, words) }
    }
    return nil
  }
}
