import ArgumentParser
import BatchEngine

/// `hdrbatch farm parallel`.
struct FarmParallel: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "parallel", abstract: "A script that runs shares with GNU parallel, here or over ssh.")

  @OptionGroup
  var farm: FarmArguments

  @Option(help: FarmArguments.sharesHelp)
  var shards: Int?

  @Option(help: ArgumentHelp("Shares at a time on each machine.", valueName: "n"))
  var atOnce = 1

  @Option(
    help: ArgumentHelp("Processors of one process. Default: this machine's, divided by --at-once.", valueName: "n"))
  var cpus: Int?

  func validate() throws {
    try FarmArguments.check(shards, "--shards")
    try FarmArguments.check(atOnce, "--at-once", most: 4096)
    if farm.gpus > 0 || farm.memory != nil { throw ValidationError("GNU parallel gives no GPUs and no memory") }
  }

  func run() throws {
    let cpus = cpus ?? max(1, Allotment.threads / atOnce)
    let job = ParallelJob(try farm.job(cpus: cpus, minutes: nil).0, shares: shards, atOnce: atOnce)
    try farm.write(try job.text(), "\(job.job.size.items) items in \(job.shares) shares")
  }
}
