import BatchEngine
import HDRCore
import HDRRecipe
import HDRRender
import Measure

/// `hdrbatch bench codecs`: measures each encoder and decoder alone.
enum BenchCodecs {
  struct Options: SettingGroup {
    var title: String { "What to measure" }

    let to = SettingKey("to", .one(of: KindNames.renditions, "kind"), assumed: "all", "Only this kind.")
    let threads = SettingKey(
      "threads", .integer(1...4096), standard: 1, "Threads of a codec, as far as it can use them.")
  }
  static let options = Options()

  static let command = Command(
    name: "codecs",
    summary: "Each encoder and each decoder alone, megapixels a second of one core.",
    discussion: """
      Pixels in memory become bytes in memory and these pixels again, with the settings of render. Of CPU time, so that \
      it is what one core does.
      """,
    arguments: [
      Command.Argument(name: "input", count: .optional, help: "The content: a picture. Default: a made photo.")
    ],
    options: [options, Settings.decoders, BenchOptions.all, BenchSize.all], run: run)

  private static func run(_ invocation: Invocation) throws {
    let input = invocation.arguments.first
    try invocation.values.checkDecoders()
    var report = BenchReport()
    let table = TextTable([
      .text("codec", 24), .number("MP/s/core", 9), .number("q1"), .number("q3"), .number("bits/px"),
    ])
    do throws(FileBench.Failure) {
      let codecs = try CodecBench(
        input.map { FilePath($0) }, megapixels: invocation[BenchSize.all.megapixels],
        repeats: invocation[BenchOptions.all.repeats], threads: invocation[options.threads],
        limits: invocation.values.decodeLimits)
      Terminal.output.line(table.head)
      let failures = codecs.run(only: invocation[options.to].flatMap { OutputKind(rawValue: $0) }) { figure in
        report.figures.append(figure)
        Terminal.output.line(
          table.row([
            figure.name, decimals(figure.spread.median, 1), decimals(figure.spread.lowerQuartile, 1),
            decimals(figure.spread.upperQuartile, 1), decimals(figure["bitsPerPixel"]?.double ?? .nan, 2),
          ]))
      }
      for (kind, reason) in failures {
        report.problems.append("\(kind): \(reason)")
        Terminal.error.line("hdrbatch: warning: \(kind) is left out: \(reason)")
      }
    } catch {
      throw UsageError("\(input ?? ""): \(error) [\(error.code)]")
    }
    try BenchOptions.write(report, invocation)
  }
}
