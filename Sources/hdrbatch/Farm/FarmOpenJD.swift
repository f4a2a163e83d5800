import ArgumentParser
import BatchEngine

/// `hdrbatch farm openjd`.
struct FarmOpenJD: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "openjd", abstract: "A template of Open Job Description whose tasks are chunks of items.")

  @OptionGroup
  var farm: FarmArguments

  @Option(help: FarmArguments.chunkHelp)
  var chunk: Int?

  @Option(help: FarmArguments.cpusHelp)
  var cpus = 4

  @Option(help: FarmArguments.timeHelp)
  var time: Int?

  func validate() throws { try FarmArguments.check(chunk, "--chunk") }

  func run() throws {
    let (job, manifest) = try farm.job(cpus: cpus, minutes: time)
    // The template has the folder as a parameter, so it is counted from the root.
    let folder = job.folder.map { FilePath($0) } ?? manifest.folder
    let out = manifest.out.isAbsolute ? manifest.out : folder.appending(manifest.out.bytes)
    let template = OpenJDJob(job, out: try job.out ?? out.asText(), chunk: chunk)
    try farm.write(try template.text(), "\(job.size.items) items in chunks of \(template.chunk)")
  }
}

extension FilePath {
  fileprivate func asText() throws(UsageError) -> String {
    guard let text else { throw UsageError("\(display) is not UTF-8: a job file cannot hold it") }
    return text
  }
}
