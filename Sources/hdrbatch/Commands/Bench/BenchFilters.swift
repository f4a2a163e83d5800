import BatchEngine
import HDRCore
import HDRPlan
import HDRRecipe
import Measure
import PlainData

/// `hdrbatch bench filters`: measures the time that each filter adds.
enum BenchFilters {
  static let command = Command(
    name: "filters",
    summary: "What each filter adds to a render, in ns a pixel: one CPU core, and GPUs by their own clock.",
    discussion: """
      A PQ photo as 10-bit planes to half floats, with the filter and without; medians of the repeats after a warm-up. \
      The last rows are six per-pixel filters fused, beside the two slowest of them; and for each GPU the time to make \
      the kernels of a recipe, with an empty pipeline cache and from the cache file.
      """,
    arguments: [Command.Argument(name: "filter", count: .any, help: "Only these filters. Default: all.")],
    options: [BenchDevice.all, BenchOptions.all, BenchSize.all], run: run)

  private static func run(_ invocation: Invocation) throws {
    let all = Filters.all.map { $0.name }
    let names = try invocation.arguments.map { word in
      guard let name = Nearest.match(word, among: all) else {
        throw UsageError("there is no filter \"\(word)\"\(Nearest.hint(word, among: all))")
      }
      return name
    }
    var report = BenchReport()
    let table = TextTable([
      .text("filter", 23), .text("backend", 8), .text("isa", 10), .number("passes", 6), .number("added"),
      .number("whole ns/px", 16), .text("device", 6),
    ])
    Terminal.output.line(table.head)
    FilterBench(
      width: BenchSize.width, height: BenchSize.height(invocation), repeats: invocation[BenchOptions.all.repeats],
      names: names
    ).run(device: invocation[BenchDevice.all.device]) {
      row in
      report.figures.append(row.figure)
      Terminal.output.line(
        table.row([
          row.name, row.backend, row.isa, "\(row.passes)", decimals(row.added.median, 2), decimals(row.time.median, 2),
          row.device,
        ]))
    } kernels: { times in
      report.figures.append(times.figure)
      Terminal.output.line(
        "\(times.kernels) kernels of \(times.recipe): \(decimals(times.coldMilliseconds, 1)) ms cold, "
          + "\(decimals(times.cachedMilliseconds, 1)) ms from the cache (\(decimals(times.composeMilliseconds, 1)) of "
          + "them composing), \(times.device)")
    }
    try BenchOptions.write(report, invocation)
  }
}
