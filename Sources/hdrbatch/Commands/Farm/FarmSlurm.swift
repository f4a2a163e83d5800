import BatchEngine
import HDRRecipe

/// `hdrbatch farm slurm`: writes a batch script for Slurm.
enum FarmSlurm {
  static let command = Farm.command(
    "slurm", "A batch script for sbatch: one task of a job array for each shard.",
    [Farm.clips, Farm.shards, Farm.process]
  ) { invocation in
    if let clips = try Farm.clips(invocation) {
      return try Farm.write(invocation, try clips.slurm(), Farm.division(clips))
    }
    let slurm = SlurmJob(try Farm.job(invocation).0, shards: invocation[Farm.shards.shards])
    try Farm.write(invocation, try slurm.text(), "\(slurm.job.size.items) items in \(slurm.shards) shards")
    if slurm.shards > SlurmJob.maxShards {
      Terminal.error.line("hdrbatch: notice: slurm.conf must have a MaxArraySize of \(slurm.shards) or more")
    }
  }
}
