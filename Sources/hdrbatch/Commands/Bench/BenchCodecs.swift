import BatchEngine
import HDRCore
import HDRRecipe
import HDRRender
import Measure

/// `hdrbatch bench codecs`: measures each encoder and decoder alone, the CPU's or a device's.
enum BenchCodecs {
  struct Options: SettingGroup {
    var title: String { "What to measure" }

    let to = SettingKey("to", .one(of: KindNames.renditions, "kind"), assumed: "all", "Only this kind.")
    let threads = SettingKey(
      "threads", .integer(1...4096), standard: 1, "Threads of a codec, as far as it can use them.")
    let device = SettingKey(
      "device", .text("device"), assumed: "none",
      "The codecs that this device runs, not the CPU's; software devices too.")
  }
  static let options = Options()

  static let command = Command(
    name: "codecs",
    summary: "Each encoder and each decoder alone, megapixels a second of one core.",
    discussion: """
      Pixels in memory become bytes in memory and these pixels again, with the settings of render. Of CPU time, so that \
      it is what one core does. With --device, the codecs that it runs: ns/px is the time of their kernels by the \
      device's clock, of the whole call where it has none; GB/s what they read and write in that time; B/px what goes \
      over the bus. Exits with 1 when a file differs from the CPU's or the device does not pass its self-test.
      """,
    arguments: [
      Command.Argument(name: "input", count: .optional, help: "The content: a picture. Default: a made photo.")
    ],
    options: [options, Settings.decoders, BenchOptions.all, BenchSize.all], run: run)

  private static func run(_ invocation: Invocation) throws {
    let input = invocation.arguments.first
    try invocation.values.checkDecoders()
    var report = BenchReport(), isWrong = false
    do throws(FileBench.Failure) {
      let codecs = try CodecBench(
        input.map { FilePath($0) }, megapixels: invocation[BenchSize.all.megapixels],
        repeats: invocation[BenchOptions.all.repeats], threads: invocation[options.threads],
        limits: invocation.values.decodeLimits)
      let failures: [(kind: String, reason: String)]
      func decimal(_ figure: BenchFigure, _ key: String) -> String { decimals(figure[key]?.double ?? .nan, 2) }
      if let device = invocation[options.device] {
        let table = TextTable([
          .text("codec", 44), .number("ns/px"), .number("q1"), .number("q3"), .number("GB/s"), .number("B/px up"),
          .number("B/px back"), .number("bits/px"),
        ])
        Terminal.output.line(table.head)
        (failures, isWrong) = codecs.run(on: device) { figure in
          report.figures.append(figure)
          Terminal.output.line(
            table.row(
              [figure.name]
                + [figure.spread.median, figure.spread.lowerQuartile, figure.spread.upperQuartile].map(significant)
                + ["gigabytesPerSecond", "uploadedBytesPerPixel", "readBackBytesPerPixel", "bitsPerPixel"].map {
                  decimal(figure, $0)
                }))
        }
      } else {
        let table = TextTable([
          .text("codec", 24), .number("MP/s/core", 9), .number("q1"), .number("q3"), .number("bits/px"),
        ])
        Terminal.output.line(table.head)
        failures = codecs.run(only: invocation[options.to].flatMap { OutputKind(rawValue: $0) }) { figure in
          report.figures.append(figure)
          Terminal.output.line(
            table.row(
              [figure.name]
                + [figure.spread.median, figure.spread.lowerQuartile, figure.spread.upperQuartile].map {
                  decimals($0, 1)
                }
                + [decimal(figure, "bitsPerPixel")]))
        }
      }
      for (kind, reason) in failures {
        report.problems.append("\(kind): \(reason)")
        Terminal.error.line("hdrbatch: warning: \(kind) is left out: \(reason)")
      }
    } catch {
      throw UsageError("\(input ?? ""): \(error) [\(error.code)]")
    }
    try BenchOptions.write(report, invocation)
    if isWrong { throw ExitCode(ExitStatus.bug.code) }
  }
}
