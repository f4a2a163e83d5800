import ArgumentParser
import BatchEngine

/// `hdrbatch status`: progress of a batch.
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Says what is done, what failed and why, by a manifest and its journals alone.")

  @OptionGroup
  var source: ManifestArguments

  @Option(
    help: ArgumentHelp("Folder of the journals. Default: .hdrbatch/journal in the output folder.", valueName: "folder"))
  var journal: String?

  @Flag(help: "One JSON object.")
  var json = false

  func run() throws {
    let manifest = try source.read()
    let own = journal.map { FilePath($0).absolute }
    // With `--journal` the manifest's folder is not needed.
    let folder = try own ?? .standardJournal(below: source.enter(manifest))
    let report = StatusReport(manifest, try Journal.all(in: folder))
    Terminal.output.write(json ? report.json.pretty + "\n" : report.lines.joined(separator: "\n") + "\n")
  }
}
