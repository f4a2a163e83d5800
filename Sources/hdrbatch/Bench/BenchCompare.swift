import ArgumentParser
import BatchEngine

/// `hdrbatch bench compare`: two reports beside each other.
struct BenchCompare: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Shows what changed between two reports of bench ... --json.",
    discussion: """
      A change is called noise where the middle halves of the runs overlap. Compare runs of one machine: what differs \
      between the machines is told first.
      """)

  @Argument(help: ArgumentHelp("The report before.", valueName: "a.json"))
  var before: String

  @Argument(help: ArgumentHelp("The report after.", valueName: "b.json"))
  var after: String

  @Option(
    help: ArgumentHelp("Exit with 1 when a figure is slower by more than this, noise aside.", valueName: "percent"))
  var failAbove: Double?

  func validate() throws {
    if let failAbove, !(0...1000).contains(failAbove) { throw ValidationError("--fail-above takes 0 to 1000") }
  }

  func run() throws {
    func read(_ path: String) throws(UsageError) -> [UInt8] { try readReport(FilePath(path)) }
    let comparison = try BenchComparison(
      before: read(before), named: before, after: read(after), named: after)
    for line in comparison.lines { Terminal.output.line(line) }
    guard let failAbove else { return }
    let slower = comparison.regressions(over: failAbove)
    for row in slower {
      Terminal.error.line(
        "hdrbatch: error: \(row.section): \(row.name) is slower by \(decimals((1 / row.speedup - 1) * 100, 1)) %")
    }
    if !slower.isEmpty { throw ExitCode(1) }
  }
}
