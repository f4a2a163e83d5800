import BatchEngine
import Glibc
import HDRRecipe
import HDRRender

/// `hdrbatch status`: reports the progress of a batch.
enum StatusCommand {
  struct Options: SettingGroup {
    var title: String { "Report" }

    let journal = SettingKey(
      "journal", .text("folder"), assumed: ".hdrbatch/journal in the output folder", "Folder of the journals.")
    let failed = SettingKey(
      flag: "failed", "Names the inputs that failed, with the reason and the command that does each again.")
    let json = SettingKey(flag: "json", "One JSON object.")
    let watch = SettingKey(
      flag: "watch", "Says it again when it has changed, a line each time, until nothing is left to do.")
  }
  static let options = Options()

  static let command = Command(
    name: "status",
    summary: "Says what is done, what failed and why, by journals alone, and a manifest where there is one.",
    examples: ["status OUT", "status OUT --failed", "status OUT --watch", "status --manifest m.jsonl"],
    arguments: [
      Command.Argument(name: "out", count: .optional, help: "The output folder of a batch without a manifest.")
    ],
    options: [ManifestOptions.all, options]
  ) { invocation in
    let own = invocation[options.journal].map { FilePath($0).absolute }
    let read: () throws -> StatusReport
    var places = invocation[options.journal].map { " --journal " + JobText.shell($0) } ?? ""
    if invocation.has(ManifestOptions.all.manifest) {
      try invocation.refuse(!invocation.arguments.isEmpty, "--manifest names the batch: leave out OUT")
      places = "--manifest " + JobText.shell(invocation[ManifestOptions.all.manifest] ?? "") + places
      let manifest = try ManifestOptions.read(invocation)
      // If journals are named, the manifest's folder is not needed.
      let folder = try own ?? .standardJournal(below: ManifestOptions.enter(invocation, manifest))
      read = { try StatusReport(manifest, try Journal.all(in: folder)) }
    } else {
      let out = invocation.arguments.first ?? invocation[ManifestOptions.all.out]
      guard let folder = own ?? out.map({ .standardJournal(below: FilePath($0)) }) else {
        throw UsageError("status needs OUT, the output folder of a batch, or --manifest")
      }
      if try Journal.all(in: folder).isEmpty { throw UsageError("no run has left journals in \(folder.display)") }
      places = (out.map { "--out " + JobText.shell($0) } ?? "") + places
      read = { try StatusReport(try Journal.all(in: folder)) }
    }
    if invocation[options.watch] {
      try invocation.refuse(invocation[options.failed], "--watch tells of progress, --failed of what is past")
      return try watch(read, isJSON: invocation[options.json])
    }
    let report = try read()
    let lines = invocation[options.failed] ? report.failureLines(places) : report.lines
    Terminal.output.write(
      invocation[options.json] ? report.json.pretty + "\n" : lines.map { $0 + "\n" }.joined())
  }
  /// Seconds between two looks at the journals.
  private static let interval: UInt32 = 2

  /// Prints a line whenever the batch has come further, until nothing is left to do.
  private static func watch(_ read: () throws -> StatusReport, isJSON: Bool) throws {
    var last = ""
    while true {
      let report = try read(), line = isJSON ? report.json.line : report.line
      if line != last { Terminal.output.line(line) }
      last = line
      if report.pending == 0 { return }
      sleep(interval)
    }
  }
}
