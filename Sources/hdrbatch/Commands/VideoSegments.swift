import BatchEngine
import HDRCore
import HDRRecipe
import HDRRender
import Video

/// The options of `hdrbatch video` about segments, shards and earlier runs.
struct VideoSegments: SettingGroup {
  var title: String { "Segments and shards" }
  var scope: Setting.Scope { .run }

  let segments = SettingKey(
    flag: "segments",
    """
    Makes each clip in segments, from key frame to key frame, several at a time, and joins them. A segment that is done \
    stays when the run ends early.
    """)
  let segment = SettingKey(
    "segment", .read("10s", form: "seconds, as 10s, or frames, as 250f", SegmentLength.init) { $0.text },
    standard: .seconds(10),
    "The least length of a segment: seconds, as 10s, or frames, as 250f.")
  let shard = SettingKey(
    "shard", .text("i/n|auto"),
    """
    Makes every Nth segment alone, from number I (0-based), and joins none; with --join-only every Nth clip. auto: from \
    SLURM_ARRAY_TASK_* or JOB_COMPLETION_INDEX; auto/N where the scheduler does not say how many there are.
    """)
  let joinOnly = SettingKey(
    flag: "join-only",
    "Joins the segments that other runs have made; 75 if some are missing. Clips of one segment are made.")
  let resume = SettingKey(
    flag: "resume",
    """
    Goes on where an earlier run with --resume or --segments ended: clips and segments that are done, of the same clip, \
    settings, version and ffmpeg, are not done again.
    """)
  let jobs = SettingKey(
    "jobs", short: "j", .integer(1...4096), assumed: "the processors, as far as --memory allows",
    "Segments that are made at a time.")
  let memory = SettingKey(
    "memory", .bytes(), assumed: "60 % of what this process may use",
    "Memory of all processes: as many segments are made at a time as fit into it.")
  let encoderMemory = SettingKey(
    "encoder-memory", .bytes(), assumed: "that of --max-worker-memory", rare: true, "Address space of an encoder.")

  static let all = VideoSegments()

  /// Returns how clips are divided; `nil`: they are not.
  ///
  /// - Throws: `UsageError` for options that contradict each other.
  static func options(_ invocation: Invocation, _ video: VideoOptions, threads: Int) throws(UsageError)
    -> SegmentOptions?
  {
    guard invocation[all.segments] else {
      for name in ["segment", "shard", "join-only"] {
        try invocation.refuse(
          invocation.values.words[name] != nil, "--\(name) says how to make --segments: give both")
      }
      return nil
    }
    if let word = video.codecOptions.first(where: isBitrate) {
      throw UsageError(
        "--codec-options \(word): each of the --segments would have its own bitrate; take a quality, as -crf [video.segments]"
      )
    }
    var options = SegmentOptions()
    options.least = invocation[all.segment]
    options.jobs = invocation[all.jobs] ?? threads
    options.memory = invocation[all.memory] ?? MemoryNeed.batch(allotted: Allotment.current.memory?.value)
    let shard = try invocation[all.shard].map { text throws(UsageError) in try Shard.parse(text).shard }
    if case .chunk = shard { throw UsageError("--shard auto: clips have no chunks; say --shard I/N") }
    if invocation[all.joinOnly] {
      options.stage = .join(shard ?? .all)
    } else if let shard {
      options.stage = .shard(shard)
    }
    return options
  }

  /// Returns true for a word of ffmpeg's that asks for a bitrate or for passes over a whole clip.
  private static func isBitrate(_ word: String) -> Bool {
    if ["-b", "-vb", "-pass"].contains(word) || word.hasPrefix("-b:") || word.hasPrefix("-pass:") { return true }
    return word.split(separator: ":").contains { part in
      ["bitrate=", "tbr=", "pass=", "rc=1", "rc=2"].contains { part.hasPrefix($0) }
    }
  }
}
