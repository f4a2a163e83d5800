import BatchEngine
import HDRCore
import HDRRecipe
import Measure

/// `hdrbatch bench transfer`: measures memory and bus.
enum BenchTransfer {
  static let command = Command(
    name: "transfer",
    summary: "Copies in host memory, between host and device, and on the device; peak arithmetic of the cores.",
    discussion: """
      The yardsticks of the other figures, and what a plain picture and one with two blurs send over the bus and submit, \
      staged as for a card on every device. Software devices have rows only when --device names them.
      """,
    options: [BenchDevice.all, BenchOptions.all, BenchSize.all], run: run)

  private static func run(_ invocation: Invocation) throws {
    var report = BenchReport()
    let table = TextTable([
      .text("what", 52), .number("median"), .text("unit", 6), .number("q1"), .number("q3"), .text("counts", 10),
    ])
    Terminal.output.line(table.head)
    let failures = TransferBench(
      width: BenchSize.width, height: BenchSize.height(invocation), repeats: invocation[BenchOptions.all.repeats]
    ).run(
      device: invocation[BenchDevice.all.device], roofs: HostRoofs.all(repeats: invocation[BenchOptions.all.repeats])
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
    try BenchOptions.write(report, invocation)
  }
}
