import FileParts

/// The texts in the header of a film scan, and its fields that nothing reads.
struct FilmTexts {
  private(set) var texts = TextStatements()
  private(set) var unknown = UnknownParts()
  private let fields: FilmFields
  /// The end of the header: the first sample.
  private let end: Int

  init(_ fields: FilmFields, end: Int) { (self.fields, self.end) = (fields, min(end, fields.bytes.count)) }

  /// Returns a field of characters; `nil` for one that is empty, undefined or beyond the header.
  private func text(_ at: Int, _ count: Int) -> ArraySlice<UInt8>? {
    guard at + count <= end else { return nil }
    let own = fields.bytes[at..<at + count].prefix { $0 != 0 && $0 != 0xFF }
    return own.isEmpty ? nil : own
  }

  /// Takes a field as a text of a keyword.
  mutating func move(_ keyword: String, at: Int, count: Int) {
    if let own = text(at, count) { texts.add(keyword, bytes: own) }
  }

  /// Lists the fields that are stated: name, place, characters.
  mutating func list(_ names: [(name: String, at: Int, count: Int)]) {
    for (name, at, count) in names {
      if let own = text(at, count) { unknown.add(name, byteCount: own.count) }
    }
  }

  /// Lists a number unless it is 0 or undefined.
  mutating func list(_ name: String, number at: Int) {
    if at + 4 <= end, let code = fields.defined(at), code != 0 { unknown.add(name, byteCount: 4) }
  }

  /// Lists the user's data, whose size stands in the header.
  mutating func listUserData(sizeAt at: Int) {
    if let size = fields.defined(at), size > 0 { unknown.add("user data", byteCount: min(size, fields.bytes.count)) }
  }
}
