import ArgumentParser
import BatchEngine

/// `hdrbatch farm slurm`.
struct FarmSlurm: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "slurm", abstract: "A batch script for sbatch: one task of a job array for each share.")

  @OptionGroup
  var farm: FarmArguments

  @Option(help: FarmArguments.sharesHelp)
  var shards: Int?

  @Option(help: FarmArguments.cpusHelp)
  var cpus = 4

  @Option(help: FarmArguments.timeHelp)
  var time: Int?

  func validate() throws { try FarmArguments.check(shards, "--shards") }

  func run() throws {
    let slurm = SlurmJob(try farm.job(cpus: cpus, minutes: time).0, shares: shards)
    try farm.write(try slurm.text(), "\(slurm.job.size.items) items in \(slurm.shares) shares")
    if slurm.shares > SlurmJob.mostShares {
      Terminal.error.line("hdrbatch: notice: slurm.conf must have a MaxArraySize of \(slurm.shares) or more")
    }
  }
}
