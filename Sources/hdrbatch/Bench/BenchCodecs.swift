import ArgumentParser
import BatchEngine

/// `hdrbatch bench codecs`: each encoder and decoder alone.
struct BenchCodecs: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "codecs",
    abstract: "Each encoder and each decoder alone, megapixels a second of one core.",
    discussion: """
      Pixels in memory become bytes in memory and these pixels again, with the settings of render. Of CPU time, so that \
      it is what one core does.
      """)

  @Argument(help: ArgumentHelp("The content: a picture. Default: a made photo.", valueName: "input"))
  var input: String?

  @OptionGroup
  var decoders: DecoderArguments

  @OptionGroup
  var bench: BenchArguments

  @OptionGroup
  var size: BenchSize

  func run() throws {
    try decoders.check()
    var report = BenchReport()
    let table = TextTable([
      .text("codec", 24), .number("MP/s/core", 9), .number("q1"), .number("q3"), .number("bits/px"),
    ])
    do throws(FileBench.Failure) {
      let codecs = try CodecBench(
        input.map { FilePath($0) }, megapixels: size.megapixels, repeats: bench.repeats, limits: decoders.limits)
      Terminal.output.line(table.head)
      let failures = codecs.run { figure in
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
    try bench.write(report)
  }
}
