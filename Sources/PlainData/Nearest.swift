/// Names as people write them: `gaussian-blur` and `gaussianBlur` are the same, and a misspelling finds the nearest.
package enum Nearest {
  /// Returns the nearest of some names, if it is near enough to be a misspelling.
  package static func name(_ wanted: String, among names: [String]) -> String? {
    let best = names.map { ($0, distance(folded(wanted), folded($0))) }.min { $0.1 < $1.1 }
    guard let best, best.1 <= max(2, wanted.count / 3) else { return nil }
    return best.0
  }

  /// Removes hyphens, which people often forget, and puts a word in lower case.
  package static func folded(_ word: String) -> String { word.filter { $0 != "-" }.lowercased() }

  /// Returns true if two words are the same name.
  package static func same(_ a: String, _ b: String) -> Bool {
    // Recipes compare each of their keys with all settings: words of ASCII are not copied.
    var one = a.utf8.makeIterator(), other = b.utf8.makeIterator()
    while true {
      let x = foldedByte(&one), y = foldedByte(&other)
      if x ?? 0 >= 0x80 || y ?? 0 >= 0x80 { return folded(a) == folded(b) }
      if x != y { return false }
      if x == nil { return true }
    }
  }

  /// Returns the next byte of a word as `folded` has it, if that is ASCII; `nil` at its end.
  private static func foldedByte(_ word: inout String.UTF8View.Iterator) -> UInt8? {
    while let byte = word.next() {
      if byte != UInt8(ascii: "-") { return (0x41...0x5a).contains(byte) ? byte | 0x20 : byte }
    }
    return nil
  }

  /// Returns the name that a word means; `nil` for none.
  package static func match(_ word: String, among names: some Sequence<String>) -> String? {
    names.first { same($0, word) }
  }

  /// Returns `; did you mean "NAME"?`, or an empty text.
  package static func hint(_ wanted: String, among names: [String]) -> String {
    name(wanted, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
  }

  /// Returns the Levenshtein distance: insertions, deletions and replacements from one to the other.
  static func distance(_ a: String, _ b: String) -> Int {
    let a = Array(a.utf8), b = Array(b.utf8)
    var row = Array(0...b.count)
    for (i, x) in a.enumerated() {
      var corner = row[0]
      row[0] = i + 1
      for (j, y) in b.enumerated() {
        let next = min(row[j] + 1, row[j + 1] + 1, corner + (x == y ? 0 : 1))
        corner = row[j + 1]
        row[j + 1] = next
      }
    }
    return row[b.count]
  }
}
