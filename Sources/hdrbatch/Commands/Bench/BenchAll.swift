import BatchEngine
import HDRCore
import HDRRecipe
import HDRRender
import ImageFiles
import Measure

/// `hdrbatch bench all`: measures everything in one run, for one page.
enum BenchAll {
  struct Options: SettingGroup {
    var title: String { "What to measure" }

    let scratch = SettingKey(
      "scratch", .text("folder"), standard: "/tmp",
      "Where batches and made files are written; everything is removed again.")
  }
  static let options = Options()

  static let command = Command(
    name: "all",
    summary: "Everything in one run: memory and bus, kernels, stages, filters, codecs, whole files and batches.",
    discussion: """
      Files are INPUT, or a PQ HEIC and a gain-map JPEG made for the purpose. Each is rendered to PQ PNG, SDR JPEG and \
      PQ HEIC, alone and as a batch.
      """,
    arguments: [
      Command.Argument(name: "input", count: .any, help: "Files, folders or @list.txt. Default: two made files.")
    ],
    options: [options, Settings.decoders, BenchDevice.all, BenchOptions.all, BenchSize.all], run: run)

  private static func run(_ invocation: Invocation) throws {
    let inputs = invocation.arguments
    try invocation.values.checkDecoders()
    var report = BenchReport()
    for line in report.machine.lines { Terminal.output.line(line) }
    let suite = BenchSuite(
      width: BenchSize.width, height: BenchSize.height(invocation), repeats: invocation[BenchOptions.all.repeats],
      device: invocation[BenchDevice.all.device], scratch: FilePath(invocation[options.scratch]),
      limits: invocation.values.decodeLimits)
    try suite.run(try inputs.isEmpty ? [] : InputCollector.collect(inputs), into: &report) { step in
      Terminal.error.line("hdrbatch: bench: \(step)")
    }
    // The machine's lines were already printed.
    for line in report.lines.dropFirst(report.machine.lines.count) { Terminal.output.line(line) }
    try BenchOptions.write(report, invocation)
  }
}
