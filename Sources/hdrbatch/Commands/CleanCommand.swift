import BatchEngine
import HDRRecipe
import HDRRender

/// `hdrbatch clean`: removes the files that killed runs left.
enum CleanCommand {
  struct Options: SettingGroup {
    var title: String { "Which" }

    let olderThan = SettingKey(
      "older-than", .number(0...1e6, "hours"), standard: 24, "Age in hours from which a part file is stale.")
    let dryRun = SettingKey(flag: "dry-run", short: "n", "Names the files and leaves them.")
  }
  static let options = Options()

  static let command = Command(
    name: "clean", summary: "Removes part files that killed runs left in output folders.",
    discussion: """
      A part file is named .NAME.HOST.PID.N.part and never counts as an output. Those of a process that runs on this \
      machine stay. Of others only those that nobody wrote to for some time are removed: a run on another machine may be \
      at work.
      """,
    examples: ["clean OUT --dry-run"],
    arguments: [Command.Argument(name: "folder", help: "Output folders; all below them.")], options: [options]
  ) { invocation in
    let parts = try StaleParts.find(
      in: invocation.arguments.map { FilePath($0) }, olderThan: invocation[options.olderThan] * 3600,
      removes: !invocation[options.dryRun])
    for part in parts { Terminal.output.line(part.display) }
    Terminal.error.line("hdrbatch: \(parts.count) part files \(invocation[options.dryRun] ? "found" : "removed")")
  }
}
