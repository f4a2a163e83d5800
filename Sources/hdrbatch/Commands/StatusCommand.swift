import BatchEngine
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
  }
  static let options = Options()

  static let command = Command(
    name: "status",
    summary: "Says what is done, what failed and why, by journals alone, and a manifest where there is one.",
    examples: ["status OUT", "status OUT --failed", "status --manifest m.jsonl"],
    arguments: [
      Command.Argument(name: "out", count: .optional, help: "The output folder of a batch without a manifest.")
    ],
    options: [ManifestOptions.all, options]
  ) { invocation in
    let own = invocation[options.journal].map { FilePath($0).absolute }
    let report: StatusReport
    var places = invocation[options.journal].map { " --journal " + JobText.shell($0) } ?? ""
    if invocation.has(ManifestOptions.all.manifest) {
      try invocation.refuse(!invocation.arguments.isEmpty, "--manifest names the batch: leave out OUT")
      places = "--manifest " + JobText.shell(invocation[ManifestOptions.all.manifest] ?? "") + places
      let manifest = try ManifestOptions.read(invocation)
      // If journals are named, the manifest's folder is not needed.
      let folder = try own ?? .standardJournal(below: ManifestOptions.enter(invocation, manifest))
      report = try StatusReport(manifest, try Journal.all(in: folder))
    } else {
      let out = invocation.arguments.first ?? invocation[ManifestOptions.all.out]
      guard let folder = own ?? out.map({ .standardJournal(below: FilePath($0)) }) else {
        throw UsageError("status needs OUT, the output folder of a batch, or --manifest")
      }
      let journals = try Journal.all(in: folder)
      if journals.isEmpty { throw UsageError("no run has left journals in \(folder.display)") }
      places = (out.map { "--out " + JobText.shell($0) } ?? "") + places
      report = try StatusReport(journals)
    }
    let lines = invocation[options.failed] ? report.failureLines(places) : report.lines
    Terminal.output.write(
      invocation[options.json] ? report.json.pretty + "\n" : lines.map { $0 + "\n" }.joined())
  }
}
