import HDRRender

/// A set of item numbers as render farms write them: `0-15:3,18,100-104` (Open Job Description's range text, and Slurm's
/// `--array` text with `:` for the step).
package struct ItemRange: Sendable, Hashable {
  struct Part: Sendable, Hashable {
    var first: Int
    var last: Int
    var step: Int
  }
  private(set) var parts: [Part] = []

  /// Largest number that is taken.
  static let limit = 1 << 31

  /// - Throws: `UsageError` naming the part that is wrong.
  package init(_ text: String) throws(UsageError) {
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let parsed = Self.part(part) else {
        throw UsageError(
          "\"\(FilePath.printable(String(part)))\" in the items \"\(FilePath.printable(text))\" is no number, no range "
            + "FIRST-LAST and no range FIRST-LAST:STEP")
      }
      parts.append(parsed)
    }
  }

  private static func part(_ text: Substring) -> Part? {
    func number(_ text: Substring) -> Int? {
      guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      return Int(text).flatMap { $0 <= limit ? $0 : nil }
    }
    let trimmed = text.drop { $0 == " " }
    let pieces = trimmed.split(separator: ":", omittingEmptySubsequences: false)
    guard pieces.count <= 2 else { return nil }
    let ends = pieces[0].split(separator: "-", omittingEmptySubsequences: false)
    guard let first = ends.first.flatMap(number), ends.count <= 2 else { return nil }
    let last = ends.count == 2 ? number(ends[1]) : first
    let step = pieces.count == 2 ? number(pieces[1]) : 1
    guard let last, let step, step >= 1, last >= first, ends.count == 2 || pieces.count == 1 else { return nil }
    return Part(first: first, last: last, step: step)
  }

  package func contains(_ index: Int) -> Bool {
    parts.contains { $0.first <= index && index <= $0.last && (index - $0.first) % $0.step == 0 }
  }

  /// Whether everything in it is below `count`.
  package func fits(_ count: Int) -> Bool { parts.allSatisfy { $0.last < count } }
}
