import HDRCore
import HDRRecipe
import HDRRender
import PlainData

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
          "\"\(printable(String(part)))\" in the items \"\(printable(text))\" is no number, no range "
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

  /// Parses frames: `1001-1100x2` too, as compositing programs write steps.
  ///
  /// - Throws: `UsageError`.
  package init(frames text: String) throws(UsageError) {
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let parsed = Self.part(Substring(String(part.map { $0 == "x" ? ":" : $0 }))) else {
        throw UsageError(
          "\"\(printable(String(part)))\" in the frames \"\(printable(text))\" is no number, no range "
            + "FIRST-LAST and no range FIRST-LASTxSTEP")
      }
      parts.append(parsed)
    }
    guard parts.reduce(0, { $0 + ($1.last - $1.first) / $1.step + 1 }) <= Self.maxFrames else {
      throw UsageError("the frames \"\(printable(text))\" are more than \(Self.maxFrames)")
    }
  }

  static let maxFrames = 1 << 24

  /// The numbers in their order, each once.
  package var numbers: [Int] {
    var seen: Set<Int> = []
    return parts.flatMap { Array(stride(from: $0.first, through: $0.last, by: $0.step)) }.filter {
      seen.insert($0).inserted
    }
  }

  /// The shortest text of rising numbers, with steps of 1 or another.
  static func text(of numbers: [Int], step mark: String) -> String {
    var parts: [String] = [], at = 0
    while at < numbers.count {
      var end = at
      let step = at + 1 < numbers.count ? numbers[at + 1] - numbers[at] : 1
      while end + 1 < numbers.count, numbers[end + 1] - numbers[end] == step { end += 1 }
      if end == at + 1 && step > 1 { end = at }
      let last = end > at ? "-\(numbers[end])" + (step > 1 ? "\(mark)\(step)" : "") : ""
      parts.append("\(numbers[at])\(last)")
      at = end + 1
    }
    return parts.joined(separator: ",")
  }

  package func contains(_ index: Int) -> Bool {
    parts.contains { $0.first <= index && index <= $0.last && (index - $0.first) % $0.step == 0 }
  }

  /// Returns true if all its numbers are below `count`.
  package func fits(_ count: Int) -> Bool { parts.allSatisfy { $0.last < count } }
}
