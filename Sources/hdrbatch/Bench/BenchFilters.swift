import ArgumentParser
import BatchEngine
import HDRCore
import HDRPlan

/// `hdrbatch bench filters`: what each filter adds.
struct BenchFilters: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "filters",
    abstract: "What each filter adds to a render, in ns a pixel: one CPU core, and GPUs by their own clock.",
    discussion: """
      A PQ photo as 10-bit planes to half floats, with the filter and without; medians of the repeats after a warm-up. \
      The last rows are six per-pixel filters fused, beside the two slowest of them; and for each GPU the time to make \
      the kernels of a recipe, with an empty pipeline cache and from the cache file.
      """)

  @Argument(help: ArgumentHelp("Only these filters. Default: all.", valueName: "filter"))
  var names: [String] = []

  @OptionGroup
  var bench: BenchArguments

  @OptionGroup
  var size: BenchSize

  @Option(help: "This device, software devices too. Default: every GPU that is none.")
  var device: String?

  func validate() throws {
    for name in names where Filters.named(name) == nil {
      throw ValidationError(
        "there is no filter \"\(name)\"\(Nearest.hint(name, among: Filters.all.map { $0.name }))")
    }
  }

  func run() throws {
    var report = BenchReport()
    let table = TextTable([
      .text("filter", 23), .text("backend", 8), .text("isa", 10), .number("passes", 6), .number("added"),
      .number("whole ns/px", 16), .text("device", 6),
    ])
    Terminal.output.line(table.head)
    FilterBench(width: size.width, height: size.height, repeats: bench.repeats, names: names).run(device: device) {
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
    try bench.write(report)
  }
}
