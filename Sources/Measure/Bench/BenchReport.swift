import BatchEngine
import HDRCore
import PlainData

/// The results of one bench: the header, the figures, and what could not be measured.
package struct BenchReport: Sendable {
  package var machine: BenchMachine
  package var figures: [BenchFigure] = []
  /// The parts that were left out and the reasons, one line each.
  package var problems: [String] = []

  package init(machine: BenchMachine = BenchMachine()) { self.machine = machine }

  package var json: JSON {
    [
      "machine": machine.json, "rows": .array(figures.map(\.json)),
      "problems": .array(problems.map { .string($0) }),
    ]
  }

  /// The figures of each section, in order; empty sections are left out.
  package var sections: [(section: BenchFigure.Section, figures: [BenchFigure])] {
    BenchFigure.Section.allCases.compactMap { section in
      let part = figures.filter { $0.section == section }
      return part.isEmpty ? nil : (section, part)
    }
  }

  /// The figures in sentences: ratios within this run, and what limits each job.
  package var sentences: [String] {
    var result: [String] = []
    result += gpuAgainstCPU()
    for figure in figures {
      guard let limit = figure.limit else { continue }
      // The CPU's kernels are listed only for the best build on one thread.
      if figure.section == .kernel, figure["backend"]?.string == "cpu",
        figure["threads"]?.integer != 1 || figure["isa"]?.string != machine.instructionSet
      {
        continue
      }
      result.append("\(figure.name) is limited by \(limit).")
    }
    return result
  }

  /// Returns the speed of each GPU over that of all threads of the best CPU build, for the kernel and the whole call.
  private func gpuAgainstCPU() -> [String] {
    let kernels = figures.filter { $0.section == .kernel }
    return kernels.compactMap { gpu -> String? in
      guard gpu["backend"]?.string == "gpu", let recipe = gpu["recipe"]?.string,
        let call = gpu["callNsPerPixel"]?.double,
        let cpu = kernels.first(where: {
          $0["recipe"]?.string == recipe && $0["isa"]?.string == machine.instructionSet
            && $0["threads"]?.integer == machine.threads
        })
      else { return nil }
      let inFlight = gpu["overlappedNsPerPixel"]?.double
      return
        "\(recipe): \(gpu["device"]?.string ?? "GPU") runs the kernel \(ratio(cpu, over: gpu.spread.median)) times as "
        + "fast as \(machine.threads) CPU threads, the whole call \(ratio(cpu, over: call)) times"
        + (inFlight.map { ", with pictures in flight \(ratio(cpu, over: $0)) times" } ?? "") + "."
    }
  }

  private func ratio(_ cpu: BenchFigure, over time: Double) -> String {
    significant(cpu.spread.median / time)
  }

  /// The report as a table for a terminal, one section after the other.
  package var lines: [String] {
    let table = TextTable([
      .text("", 58), .number("median", 9), .text("unit", 6), .number("q1", 9), .number("q3", 9), .number("runs", 4),
    ])
    var lines = machine.lines
    for (section, figures) in sections {
      lines += ["", table.row([section.title, "median", "unit", "q1", "q3", "runs"])]
      lines += figures.map { figure in
        let s = figure.spread
        return table.row([
          figure.name, significant(s.median), figure.unit.rawValue, significant(s.lowerQuartile),
          significant(s.upperQuartile), "\(s.runs)",
        ])
      }
    }
    if !sentences.isEmpty { lines += [""] + sentences }
    if !problems.isEmpty { lines += ["", "Left out:"] + problems }
    return lines
  }
}
