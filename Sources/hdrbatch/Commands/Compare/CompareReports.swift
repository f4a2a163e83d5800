import BatchEngine
import HDRComparison
import HDRCore
import HDRRender
import PlainData

/// The lines of a report, which are written as they come; a file gets its name at the end.
struct ReportLines {
  /// `nil` if no report was asked for.
  let path: String?
  private var file: ResultFile?

  init(path: String?) {
    self.path = path
    file = path.flatMap { $0 == "-" ? nil : ResultFile($0) }
  }

  mutating func add(_ line: @autoclosure () -> String) {
    guard path != nil else { return }
    if file == nil { Terminal.output.line(line()) } else { file?.add(line() + "\n") }
  }

  mutating func finish() throws(ResultFileError) { try file?.finish() }
}

/// The counts of all pairs, and those that differ most.
struct CompareTotals {
  private var verdicts: [PairReport.Verdict: Int] = [:]
  private var changes: [PairReport.Change: Int] = [:]
  /// The pairs that were not compared.
  var left = 0
  private var worst: [(value: Double, text: String)] = []
  private var columns = ColumnSpreads()

  /// The number of pairs that the last line names.
  private static let named = 3

  mutating func add(_ row: PairRow) {
    verdicts[row.verdict, default: 0] += 1
    if let change = row.change { changes[change, default: 0] += 1 }
    columns.add(row.cells)
    guard let size = row.size, size > 0, let text = row.sizeText else { return }
    let place = worst.firstIndex { $0.value < size } ?? worst.count
    guard place < Self.named else { return }
    worst.insert((size, "\(row.name) \(text)"), at: place)
    worst = Array(worst.prefix(Self.named))
  }

  /// The last record.
  var json: JSON {
    .object(
      [JSON.Field("type", .string("summary"))]
        + PairReport.Verdict.allCases.map { JSON.Field($0.rawValue, .int(verdicts[$0] ?? 0)) }
        + [
          JSON.Field("left", .int(left)),
          JSON.Field(
            "changes", .object(PairReport.Change.allCases.map { JSON.Field($0.rawValue, .int(changes[$0] ?? 0)) })),
          JSON.Field("columns", columns.json),
        ])
  }

  /// The last lines.
  var lines: [String] {
    let all = verdicts.values.reduce(0, +)
    let parts = PairReport.Verdict.allCases.compactMap { verdict in
      verdicts[verdict].map { "\($0) \(verdict.rawValue)" }
    }
    let told: [PairReport.Change] = [.new, .gone, .metadata, .changed]
    let runs = told.compactMap { change in changes[change].map { "\($0) \(change.longText)" } }
    return ["\(all) pair\(all == 1 ? "" : "s")" + (all == 0 ? "" : ": ") + parts.joined(separator: ", ")]
      + (runs.isEmpty ? [] : ["between the runs: " + runs.joined(separator: ", ")])
      + (worst.isEmpty ? [] : ["most: " + worst.map(\.text).joined(separator: "; ")])
  }
}

extension PairReport.Change {
  fileprivate var longText: String { self == .metadata ? "of the same pixels in other bytes" : rawValue }
}

extension RunOutputs {
  /// The versions and recipes of the runs, for records.
  var originsJSON: JSON {
    .array(origins.map { ["version": .string($0.version), "recipe": .maybe($0.recipe?.hex)] })
  }

  /// Returns the versions and recipes of a side's runs, with the number of outputs, as a line.
  func line(_ side: String, _ place: String) -> String {
    let made = origins.map { "hdrbatch \(printable($0.version)), recipe \($0.recipe?.hex.prefix(12) ?? "unknown")" }
    return
      "\(side) \(printable(place))  \(made.joined(separator: "; "))  \(outputs.values.count(where: \.isWritten)) outputs"
  }
}
