import BatchEngine
import HDRRecipe
import Measure

/// Options of every bench.
struct BenchOptions: SettingGroup {
  var title: String { "Report" }

  let json = SettingKey("json", .text("file"), "Writes machine and figures as JSON to this file.")
  let html = SettingKey("html", .text("file"), "Writes them as one HTML page with bars and rooflines.")
  let repeats = SettingKey(
    "repeats", .integer(1...1000), standard: 7, "Runs a figure, after one that warms up; 7 and more make a spread.")

  static let all = BenchOptions()

  /// Writes the reports that the options ask for.
  static func write(_ report: BenchReport, _ invocation: Invocation) throws {
    if let json = invocation[all.json] { try writeResultFile(report.json.pretty + "\n", to: json) }
    if let html = invocation[all.html] { try writeResultFile(BenchPage(report).html, to: html) }
  }
}
