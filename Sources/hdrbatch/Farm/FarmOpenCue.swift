import ArgumentParser
import BatchEngine

/// `hdrbatch farm opencue`.
struct FarmOpenCue: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "opencue", abstract: "A job specification of OpenCue whose frames are items, in chunks.")

  @OptionGroup
  var farm: FarmArguments

  @Option(help: FarmArguments.chunkHelp)
  var chunk: Int?

  @Option(help: FarmArguments.cpusHelp)
  var cpus = 4

  @Option(help: FarmArguments.timeHelp)
  var time: Int?

  @Option(help: "A show that OpenCue knows.")
  var show = "testing"

  @Option(help: "Names the job's logs.")
  var shot = "hdrbatch"

  @Option(help: "Whose job it is, never root. Default: $USER.")
  var user: String?

  func validate() throws { try FarmArguments.check(chunk, "--chunk") }

  func run() throws {
    let cue = OpenCueJob(
      try farm.job(cpus: cpus, minutes: time).0, show: show, shot: shot,
      user: user ?? Environment.value("USER") ?? "root",
      chunk: chunk)
    try farm.write(try cue.text(), "\(cue.job.size.items) items in chunks of \(cue.chunk)")
  }
}
