import BatchEngine
import HDRRecipe
import HDRRender

/// `hdrbatch status`: where a batch stands.
enum StatusCommand {
  struct Options: SettingGroup {
    var title: String { "Report" }

    let journal = SettingKey(
      "journal", .text("folder"), assumed: ".hdrbatch/journal in the output folder", "Folder of the journals.")
    let json = SettingKey(flag: "json", "One JSON object.")
  }
  static let options = Options()

  static let command = Command(
    name: "status", summary: "Says what is done, what failed and why, by a manifest and its journals alone.",
    examples: ["status --manifest m.jsonl"], options: [ManifestOptions.all, options]
  ) { told in
    let manifest = try ManifestOptions.read(told)
    let own = told[options.journal].map { FilePath($0).absolute }
    // Where journals are named, nothing else of the manifest's folder is needed.
    let folder = try own ?? .standardJournal(below: ManifestOptions.enter(told, manifest))
    let report = try StatusReport(manifest, try Journal.all(in: folder))
    Terminal.output.write(
      told[options.json] ? report.json.pretty + "\n" : report.lines.joined(separator: "\n") + "\n")
  }
}
