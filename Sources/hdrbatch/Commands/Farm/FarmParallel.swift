import BatchEngine
import HDRRecipe
import HDRRender

/// `hdrbatch farm parallel`: writes a job file for GNU parallel.
enum FarmParallel {
  struct Options: SettingGroup {
    var title: String { "Job" }

    let atOnce = SettingKey("at-once", .integer(1...4096), standard: 1, "Shards at a time on each machine.")
    let cpus = SettingKey(
      "cpus", .integer(1...4096), assumed: "this machine's, divided by --at-once", "Processors of one process.")
  }
  static let options = Options()

  static let command = Farm.command(
    "parallel", "A script that runs shards with GNU parallel, here or over ssh.", [Farm.clips, Farm.shards, options]
  ) { invocation in
    try invocation.refuse(
      invocation[Farm.options.gpus] > 0 || invocation.has(Farm.options.memory),
      "GNU parallel gives no GPUs and no memory")
    let atOnce = invocation[options.atOnce], cpus = invocation[options.cpus] ?? max(1, Allotment.threads / atOnce)
    if let clips = try Farm.clips(invocation, cpus: cpus) {
      return try Farm.write(invocation, try clips.parallel(atOnce: atOnce), Farm.division(clips))
    }
    let job = ParallelJob(
      try Farm.job(invocation, cpus: cpus).0, shards: invocation[Farm.shards.shards], atOnce: atOnce)
    try Farm.write(invocation, try job.text(), "\(job.job.size.items) items in \(job.shards) shards")
  }
}
