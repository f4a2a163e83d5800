import BatchEngine
import HDRCore
import HDRRecipe
import Measure
import PlainData

/// `hdrbatch bench metrics`: measures the time that each metric of a comparison takes.
enum BenchMetrics {
  static let command = Command(
    name: "metrics",
    summary: "What each metric of a comparison takes, in ns a pixel of one CPU core.",
    discussion: """
      The light of two made photos in binary32, without reading or rendering files; medians of the repeats after a \
      warm-up. none is what every comparison does; the others are what comes on top. default is the set that compare \
      computes unless --metrics names others.
      """,
    arguments: [Command.Argument(name: "metric", count: .any, help: "Only these metrics. Default: all.")],
    options: [BenchOptions.all, BenchSize.all], run: run)

  private static func run(_ invocation: Invocation) throws {
    let names = MetricBench.all.map(\.rawValue)
    let metrics = try invocation.arguments.map { word in
      guard let metric = Nearest.match(word, among: names).flatMap(Metric.named) else {
        throw UsageError("there is no metric of light \"\(word)\"\(Nearest.hint(word, among: names))")
      }
      return metric
    }
    var report = BenchReport()
    let table = TextTable([.text("metric", 12), .text("isa", 10), .number("added"), .number("whole ns/px", 16)])
    Terminal.output.line(table.head)
    MetricBench(
      width: BenchSize.width, height: BenchSize.height(invocation), repeats: invocation[BenchOptions.all.repeats],
      metrics: metrics.isEmpty ? nil : metrics
    ).run { row in
      report.figures.append(row.figure)
      Terminal.output.line(
        table.row([row.name, row.isa, decimals(row.added.median, 2), decimals(row.time.median, 2)]))
    }
    try BenchOptions.write(report, invocation)
  }
}
