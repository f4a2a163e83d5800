import BatchEngine
import HDRCore
import HDRRecipe
import HDRRender
import Measure

/// `hdrbatch bench compare`: compares two reports.
enum BenchCompare {
  struct Options: SettingGroup {
    var title: String { "What to measure" }

    let failAbove = SettingKey(
      "fail-above", .number(0...1000, "percent"),
      "Exit with 1 when a figure is slower by more than this, noise aside.")
  }
  static let options = Options()

  static let command = Command(
    name: "compare",
    summary: "Shows what changed between two reports of bench ... --json.",
    discussion: """
      A change is called noise where the middle halves of the runs overlap. Compare runs of one machine: what differs \
      between the machines is told first.
      """,
    arguments: [
      Command.Argument(name: "a.json", count: .one, help: "The report before."),
      Command.Argument(name: "b.json", count: .one, help: "The report after."),
    ],
    options: [options], run: run)

  private static func run(_ invocation: Invocation) throws {
    let before = invocation.arguments[0], after = invocation.arguments[1]
    func read(_ path: String) throws(UsageError) -> [UInt8] { try readReport(FilePath(path)) }
    let comparison = try BenchComparison(
      before: read(before), named: before, after: read(after), named: after)
    for line in comparison.lines { Terminal.output.line(line) }
    guard let failAbove = invocation[options.failAbove] else { return }
    let slower = comparison.regressions(over: failAbove)
    for row in slower {
      Terminal.error.line(
        "hdrbatch: error: \(row.section): \(row.name) is slower by \(decimals((1 / row.speedup - 1) * 100, 1)) %")
    }
    if !slower.isEmpty { throw ExitCode(1) }
  }
}
