import ArgumentParser
import BatchEngine

/// `hdrbatch bench transfer`: memory and bus.
struct BenchTransfer: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transfer",
    abstract: "Copies in host memory, between host and device, and on the device; peak arithmetic of the cores.",
    discussion: "The yardsticks of the other figures. Software devices have rows only when --device names them.")

  @OptionGroup
  var bench: BenchArguments

  @Option(help: "Only this device. Default: every GPU.")
  var device: String?

  func run() throws {
    var report = BenchReport()
    let table = TextTable([
      .text("what", 52), .number("median"), .text("unit", 6), .number("q1"), .number("q3"), .text("counts", 10),
    ])
    Terminal.output.line(table.head)
    let failures = TransferBench(repeats: bench.repeats).run(
      device: device, roofs: HostRoofs.all(repeats: bench.repeats)
    ) { figure in
      report.figures.append(figure)
      Terminal.output.line(
        table.row([
          figure.name, significant(figure.spread.median), figure.unit.rawValue,
          significant(figure.spread.lowerQuartile),
          significant(figure.spread.upperQuartile), figure["counts"]?.string ?? "",
        ]))
    }
    for (device, reason) in failures {
      report.problems.append("\(device): \(reason)")
      Terminal.error.line("hdrbatch: warning: \(device) is left out: \(reason)")
    }
    try bench.write(report)
  }
}
