import HDRComparison
import PlainData

/// The numbers of each column of the table over all pairs: never their mean, which of decibels means nothing.
struct ColumnSpreads {
  private var values = [[Double]](repeating: [], count: PairReport.numberColumns.count)

  /// Adds the cells of a pair; empty ones count nothing.
  mutating func add(_ cells: [String]) {
    for (index, cell) in cells.suffix(values.count).enumerated() {
      if let value = Double(cell) { values[index].append(value) }
    }
  }

  /// The columns that have numbers; percentiles are of the nearest rank.
  var json: JSON {
    let rows = zip(PairReport.numberColumns, values).compactMap { name, values -> JSON? in
      guard !values.isEmpty else { return nil }
      let sorted = values.sorted()
      func rank(_ percent: Int) -> JSON {
        let value = sorted[max(1, (sorted.count * percent + 99) / 100) - 1]
        return value.isFinite ? .number(value) : .string(value > 0 ? "inf" : "-inf")
      }
      return [
        "column": .string(name), "pairs": .int(sorted.count), "min": rank(0), "median": rank(50), "p95": rank(95),
        "max": rank(100),
      ]
    }
    return .array(rows)
  }
}
