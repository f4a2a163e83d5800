import ArgumentParser
import BatchEngine

/// `hdrbatch filters`: what `--filter` and recipes can name.
struct FiltersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "filters",
    abstract: "Lists filters with their parameters, ranges and defaults.",
    discussion: """
      HDR safe: light above white and below black passes. Alpha: kept, premultiplied (worked on with colour), made. \
      Headroom: what becomes of the content headroom; unknown is measured where a tone operator needs it. A default of \
      "fitting" depends on the picture.
      """)

  @Flag(help: "One JSON array on standard output.")
  var json = false

  @Flag(help: "The table of docs/filters.md.")
  var markdown = false

  @Option(help: ArgumentHelp("Only these: \(FilterList.categories.joined(separator: ", ")).", valueName: "name"))
  var category: String?

  func validate() throws {
    if json && markdown { throw ValidationError("--json and --markdown are two forms: give one of them") }
  }

  func run() throws {
    let list = try FilterList(category: category)
    if json {
      Terminal.output.line(list.json.pretty)
    } else {
      for line in markdown ? list.markdown : list.lines { Terminal.output.line(line) }
    }
  }
}
