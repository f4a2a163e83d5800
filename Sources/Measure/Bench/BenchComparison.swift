import BatchEngine
import HDRCore
import HDRRecipe
import PlainData

/// Compares two reports: the figures that became faster or slower.
package struct BenchComparison: Sendable {
  package struct Row: Sendable, Hashable {
    package var section: String
    package var name: String
    package var unit: String
    package var before: Double
    package var after: Double
    /// The speed over the speed before; above 1 is better, whichever way the unit counts.
    package var speedup: Double
    /// True if the middle halves of both runs lie apart: the difference is more than noise.
    package var isClear: Bool
  }

  package private(set) var rows: [Row] = []
  /// Figures that only one of the reports has.
  package private(set) var onlyBefore: [String] = []
  package private(set) var onlyAfter: [String] = []
  /// Facts of the machines that differ: key, before, after.
  package private(set) var machine: [(key: String, before: String, after: String)] = []

  private struct Figure {
    var section: String, name: String, unit: String
    var median: Double, low: Double, high: Double
    var key: String { "\(section): \(name) [\(unit)]" }
  }

  /// - Parameters: bytes of files that `bench ... --json` wrote, with their names for errors.
  /// - Throws: `UsageError` for a file that is no report.
  package init(before: [UInt8], named nameBefore: String, after: [UInt8], named nameAfter: String) throws(UsageError) {
    let a = try Self.parse(before, nameBefore), b = try Self.parse(after, nameAfter)
    let old = try Self.figures(a, nameBefore), new = try Self.figures(b, nameAfter)
    let known = Dictionary(old.map { ($0.key, $0) }) { first, _ in first }
    var met: Set<String> = []
    for figure in new {
      guard let was = known[figure.key] else {
        onlyAfter.append(figure.key)
        continue
      }
      met.insert(figure.key)
      let isCost = BenchFigure.Unit(rawValue: figure.unit)?.isCost ?? true
      let ratio = isCost ? was.median / figure.median : figure.median / was.median
      rows.append(
        Row(
          section: figure.section, name: figure.name, unit: figure.unit, before: was.median, after: figure.median,
          speedup: ratio, isClear: figure.low > was.high || figure.high < was.low))
    }
    onlyBefore = old.map(\.key).filter { !met.contains($0) }
    for key in ["hdrbatch", "cpu", "threads", "isa", "system", "kernel", "libc", "devices", "codecs", "loadAverage"] {
      let was = a["machine"]?[key]?.line ?? "-", now = b["machine"]?[key]?.line ?? "-"
      if was != now { machine.append((key, was, now)) }
    }
  }

  private static func parse(_ bytes: [UInt8], _ name: String) throws(UsageError) -> JSON {
    do throws(JSONError) {
      return try JSON(parsing: bytes)
    } catch {
      throw UsageError("\(name): no report of `hdrbatch bench ... --json`: \(error)")
    }
  }

  private static func figures(_ report: JSON, _ name: String) throws(UsageError) -> [Figure] {
    guard let rows = report["rows"]?.array else {
      throw UsageError("\(name): no report of `hdrbatch bench ... --json`: it has no rows")
    }
    var result: [Figure] = []
    for (index, row) in rows.enumerated() {
      guard let section = row["bench"]?.string, let title = row["name"]?.string, let unit = row["unit"]?.string,
        let median = row["median"]?.double, let low = row["q1"]?.double, let high = row["q3"]?.double
      else { throw UsageError("\(name): row \(index + 1) lacks a name, a unit or its quartiles") }
      result.append(Figure(section: section, name: title, unit: unit, median: median, low: low, high: high))
    }
    return result
  }

  /// Rows that became slower by more than `percent`, beyond noise.
  package func regressions(over percent: Double) -> [Row] {
    rows.filter { $0.isClear && $0.speedup < 1 / (1 + percent / 100) }
  }

  package var lines: [String] {
    let table = TextTable([
      .text("", 64), .number("before", 9), .number("after", 9), .text("unit", 6), .number("times as fast", 13),
      .text("", 7),
    ])
    var lines = machine.map { "\($0.key): \($0.before) -> \($0.after)" }
    if !lines.isEmpty { lines.append("") }
    var section = ""
    for row in rows {
      if row.section != section {
        section = row.section
        lines.append(table.row([section, "before", "after", "unit", "times as fast", ""]))
      }
      lines.append(
        table.row([
          "  " + row.name, significant(row.before), significant(row.after), row.unit, decimals(row.speedup, 2),
          !row.isClear ? "noise" : row.speedup > 1 ? "faster" : "slower",
        ]))
    }
    lines += onlyBefore.map { "only before: \($0)" } + onlyAfter.map { "only after: \($0)" }
    return lines
  }
}
