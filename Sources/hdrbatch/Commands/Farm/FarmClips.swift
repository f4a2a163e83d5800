import BatchEngine
import CodecService
import HDRRecipe
import HDRRender

extension Farm {
  /// The option of engines that spread clips.
  struct Clips: SettingGroup {
    var title: String { "Job" }

    let video = SettingKey(
      "video", .integer(1...1001, "shards"),
      """
      Clips instead of a manifest, whose segments make so many shards: measured, made, then joined. The words of hdrbatch \
      video follow --.
      """)
  }
  static let clips = Clips()

  /// The options of `video` that the stages set.
  private static let stageOptions = [
    "segments", "shard", "join-only", "measure-only", "resume", "dry-run", "record", "on-existing",
  ]

  /// Returns the clips that `--video` asks for; `nil` without.
  ///
  /// - Throws: `UsageError`.
  static func clips(_ invocation: Invocation, cpus: Int? = nil) throws(UsageError) -> ClipFarm? {
    guard let shards = invocation[clips.video] else { return nil }
    for row in ManifestOptions.all.rows + options.rows
    where ["manifest", "folder", "out", "remote-manifest"].contains(row.name) {
      try invocation.refuse(
        invocation.values.words[row.name] != nil, "--\(row.name) is of a manifest: leave it out with --video")
    }
    let video: Invocation
    do throws(UsageError) {
      guard case .run(let run) = try CommandLineParser.parse(["video"] + invocation.rest) else {
        throw UsageError("options of video are expected")
      }
      video = run
      for name in stageOptions { try run.refuse(run.values.words[name] != nil, "--\(name): the job file sets that") }
    } catch {
      throw UsageError("after --: \(error.message)")
    }
    let found = try VideoCommand.inputs(video)
    var job = ClipFarm(
      program: try program(invocation), folder: try absolute("."), words: invocation.rest, clips: found.count,
      shards: shards, cpus: cpus ?? invocation[process.cpus])
    job.gpus = invocation[options.gpus]
    job.memory = invocation[options.memory]
    job.minutes = invocation[process.time]
    return job
  }

  /// Returns the words by which the command describes the job file.
  static func division(_ job: ClipFarm) -> String { "\(job.clips) clips in \(job.shards) shards of segments" }
}
