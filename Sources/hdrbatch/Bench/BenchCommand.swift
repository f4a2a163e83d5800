import ArgumentParser
import BatchEngine

/// `hdrbatch bench`: how fast this machine is, ratios in one run.
struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measures this machine: kernels, codecs, memory and bus, whole files; ratios in one run.",
    subcommands: [
      BenchAll.self, BenchKernel.self, BenchFilters.self, BenchCodecs.self, BenchTransfer.self, BenchFiles.self,
      BenchAdaptive.self, BenchCompare.self,
    ])
}

/// Options that every bench takes.
struct BenchArguments: ParsableArguments {
  @Option(help: ArgumentHelp("Writes machine and figures as JSON to this file.", valueName: "file"))
  var json: String?

  @Option(help: ArgumentHelp("Writes them as one HTML page with bars and rooflines.", valueName: "file"))
  var html: String?

  @Option(help: "Runs a figure, after one that warms up; 7 and more make a spread.")
  var repeats = 7

  func validate() throws {
    guard (1...1000).contains(repeats) else { throw ValidationError("--repeats takes 1 to 1000") }
  }

  /// Writes the reports that were asked for.
  func write(_ report: BenchReport) throws {
    if let json { try writeResultFile(report.json.pretty + "\n", to: json) }
    if let html { try writeResultFile(BenchPage(report).html, to: html) }
  }
}

/// Size of made pictures.
struct BenchSize: ParsableArguments {
  @Option(help: "Picture size in megapixels.")
  var megapixels = 12.2

  func validate() throws {
    guard (0.1...400).contains(megapixels) else { throw ValidationError("--megapixels takes 0.1 to 400") }
  }

  var width: Int { 4032 }
  var height: Int { max(64, Int(megapixels * 1e6) / width / 2 * 2) }
}
