/// A part of a plan's work: what is rendered of each pass for some rows of the result.
package struct PlanPart: Sendable {
  /// The rows of each pass that no earlier part renders.
  package var rows: [[Range<Int>]]
  /// The row of each pass before which no later part reads; its height if none reads any.
  package var kept: [Int]
}

extension Plan {
  /// Returns the parts of the work for rows of the result, one after the other. No row is rendered twice.
  ///
  /// - Parameter results: the rows of each part, which do not overlap.
  package func parts(_ results: [[Range<Int>]]) -> [PlanPart] {
    let needed = results.map { ranges in
      let each = ranges.map(neededRows)
      return passes.indices.map { pass in each.compactMap { $0[pass] }.merged }
    }
    var kept = passes.map(\.height)
    var parts: [PlanPart] = needed.reversed().map { rows in
      defer { kept = zip(kept, rows).map { min($0, $1.first?.lowerBound ?? $0) } }
      return PlanPart(rows: rows, kept: kept)
    }.reversed()
    var rendered = [[Range<Int>]](repeating: [], count: passes.count)
    for index in parts.indices {
      for (pass, rows) in needed[index].enumerated() {
        parts[index].rows[pass] = rows.flatMap { $0.without(rendered[pass]) }
        rendered[pass] = (rendered[pass] + rows).merged
      }
    }
    return parts
  }
}

extension [Range<Int>] {
  /// The ranges in order, those that overlap or touch joined.
  var merged: [Range<Int>] {
    var result: [Range<Int>] = []
    for range in sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = result.last, range.lowerBound <= last.upperBound {
        result[result.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
  }
}

extension Range<Int> {
  /// Returns what is left of the range without others, which are in order and apart.
  fileprivate func without(_ others: [Range<Int>]) -> [Range<Int>] {
    var result: [Range<Int>] = [], start = lowerBound
    for other in others where other.overlaps(self) {
      if start < other.lowerBound { result.append(start..<other.lowerBound) }
      start = Swift.max(start, other.upperBound)
    }
    if start < upperBound { result.append(start..<upperBound) }
    return result
  }
}
