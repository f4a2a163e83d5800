import HDRRecipe

/// A job array of Slurm, one task a shard (sbatch(1), slurm.conf(5)).
package struct SlurmJob: Sendable {
  package var job: FarmJob
  package var shards: Int

  /// `MaxArraySize` is 1001 by default: the highest index is 1000.
  package static let maxShards = 1001
  /// Seconds before the time limit at which a task gets a signal to stop.
  static let warning = 60

  package init(_ job: FarmJob, shards: Int? = nil) {
    self.job = job
    self.shards = shards ?? job.size.shards(cpus: job.cpus, most: Self.maxShards)
  }

  /// The batch script.
  ///
  /// - Throws: `UsageError` for paths that it cannot hold.
  package func text() throws(UsageError) -> String {
    let command = JobText.shell(try job.words())
    var lines = ["#!/bin/bash"]
    lines += job.remarks("slurm", "\(shards) shards", submit: "sbatch THIS_FILE").map { "# " + $0 }
    lines += [
      "#SBATCH --job-name=\(job.name)", "#SBATCH --array=0-\(shards - 1)", "#SBATCH --ntasks=1",
      "#SBATCH --cpus-per-task=\(job.cpus)",
    ]
    if let memory = job.memory { lines.append("#SBATCH --mem=\(memory)M") }
    if job.gpus > 0 { lines.append("#SBATCH --gres=gpu:\(job.gpus)") }
    if let minutes = job.minutes {
      lines += [
        "#SBATCH --time=\(minutes)",
        "# Before its time is over a task leaves with 75; without this it would be lost as TIMEOUT.",
        "#SBATCH --signal=B:USR1@\(Self.warning)",
      ]
    }
    lines += [
      "#SBATCH --output=\(job.name)-%A_%a.txt", "#SBATCH --open-mode=append",
      "# 74 (reading or writing failed) and 75 (stopped early) are run again, if slurm.conf has RequeueExit=74,75; without it:",
      "# sbatch --array=TASK THIS_FILE. 64 (bad usage) and 65 (bad inputs) stay failed, and the other tasks go on.",
      "#SBATCH --requeue",
      "# The number of shards stands here, so that one task alone is the same shard. exec: Slurm records the program's own code,",
      "# and signals reach it.",
      "exec \(command) --shard \"$SLURM_ARRAY_TASK_ID/\(shards)\"",
    ]
    return lines.joined(separator: "\n") + "\n"
  }
}
