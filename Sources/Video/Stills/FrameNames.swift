import HDRRender

/// The names of a sequence's files: a number between two texts, as `%06d` or `%d` stands for it.
package struct FrameNames: Sendable, Hashable {
  private let before: [UInt8]
  private let after: [UInt8]
  /// The least number of digits.
  private let digits: Int

  /// - Parameter pattern: a name; of several places of a number the last one counts, as a source's name may have others.
  /// - Returns: `nil` for a name without a place.
  package init?(_ pattern: [UInt8]) {
    func place(_ start: Int) -> (end: Int, digits: Int)? {
      guard pattern[start] == UInt8(ascii: "%") else { return nil }
      let rest = pattern[(start + 1)...].prefix(3)
      if rest.first == UInt8(ascii: "d") { return (start + 2, 1) }
      guard rest.count == 3, rest.first == UInt8(ascii: "0"), rest.last == UInt8(ascii: "d"),
        (0x31...0x39).contains(rest[start + 2])
      else { return nil }
      return (start + 4, Int(rest[start + 2] - 0x30))
    }
    guard let start = pattern.indices.last(where: { place($0) != nil }), let found = place(start) else { return nil }
    (before, after, digits) = (Array(pattern[..<start]), Array(pattern[found.end...]), found.digits)
  }

  package func name(_ number: Int) -> [UInt8] {
    let text = "\(number)"
    return before + Array((String(repeating: "0", count: max(0, digits - text.count)) + text).utf8) + after
  }

  /// Returns the number in a name; `nil` for names of other files.
  package func number(of name: [UInt8]) -> Int? {
    guard name.count > before.count + after.count, name.starts(with: before), name.suffix(after.count) == after[...]
    else { return nil }
    let middle = name.dropFirst(before.count).dropLast(after.count)
    guard middle.count <= 9, middle.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(String(decoding: middle, as: UTF8.self)), self.name(number) == name
    else { return nil }
    return number
  }

  /// The name of the table of times: what stands before the number, and `.frames.tsv`.
  package var table: [UInt8] {
    let stem = before[..<((before.lastIndex { !".-_ ".utf8.contains($0) } ?? -1) + 1)]
    return stem.isEmpty ? Array("frames.tsv".utf8) : stem + Array(".frames.tsv".utf8)
  }
}

extension ClipJob.Item {
  /// Returns the place of a file beside the output.
  ///
  /// - Parameter hasSidecar: true for kinds of files with JSON beside them.
  func destination(_ name: [UInt8]? = nil, hasSidecar: Bool, _ existing: ExistingFile) -> OutputDestination {
    let path = name.map { output.parent.appending($0) } ?? output
    return OutputDestination(
      path: path, relative: relative.map { relative in name.map { relative.parent.appending($0) } ?? relative },
      sidecar: hasSidecar ? FilePath(bytes: path.bytes + Array(".json".utf8)) : nil, existing: existing)
  }
}
