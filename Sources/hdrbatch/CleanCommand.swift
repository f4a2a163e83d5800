import ArgumentParser
import BatchEngine

/// `hdrbatch clean`: removes part files of killed runs.
struct CleanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clean",
    abstract: "Removes part files that killed runs left in output folders.",
    discussion: """
      A part file is named .NAME.HOST.PID.N.part and never counts as an output. Only those that nobody wrote to for some \
      time are removed: a run on another machine may be at work.
      """)

  @Argument(help: ArgumentHelp("Output folders; all below them.", valueName: "folder"))
  var folders: [String]

  @Option(help: ArgumentHelp("Age in hours from which a part file is stale.", valueName: "hours"))
  var olderThan = 24.0

  @Flag(help: "Names the files and leaves them.")
  var dryRun = false

  func validate() throws {
    guard olderThan.isFinite, (0...1e6).contains(olderThan) else {
      throw ValidationError("--older-than is 0...1000000 hours")
    }
  }

  func run() throws {
    let parts = try StaleParts.find(in: folders.map { FilePath($0) }, olderThan: olderThan * 3600)
    for part in parts { Terminal.output.line(part.display) }
    if !dryRun { try StaleParts.remove(parts) }
    Terminal.error.line("hdrbatch: \(parts.count) part files \(dryRun ? "found" : "removed")")
  }
}
