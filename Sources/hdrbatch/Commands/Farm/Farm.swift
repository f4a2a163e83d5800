import BatchEngine
import CodecService
import HDRRecipe
import HDRRender

/// The common parts of the commands of all engines: options, the job, its file.
enum Farm {
  static let options = FarmOptions(), shards = ShardOptions(), chunks = ChunkOptions(), process = ProcessOptions()

  /// The options of `run` that the job file sets.
  private static let reservedOptions = [
    "--manifest", "--folder", "--out", "--shard", "--items", "--frames", "--resume", "--force",
  ]

  /// Makes the command of an engine.
  static func command(
    _ name: String, _ summary: String, _ own: [any SettingGroup], run: @escaping @Sendable (Invocation) throws -> Void
  ) -> Command {
    Command(
      name: name, summary: summary, examples: ["farm \(name) --manifest m.jsonl -o job -- --backend gpu"],
      rest: Command.Argument(
        name: "run option", count: .any,
        help: "After --: more options for hdrbatch run, e.g. -- --backend gpu; with --video the words of video."),
      options: [ManifestOptions.all, options] + own, run: run)
  }

  /// Returns the job and its manifest.
  ///
  /// - Throws: `UsageError`.
  static func job(
    _ invocation: Invocation, cpus: Int? = nil, program standard: String? = nil
  ) throws(UsageError) -> (FarmJob, Manifest) {
    for option in invocation.rest where reservedOptions.contains(where: { option == $0 || option.hasPrefix($0 + "=") })
    {
      throw UsageError("\(FilePath(option).display) after --: the job file sets that")
    }
    let given: Set<String>
    do throws(UsageError) {
      guard case .run(let run) = try CommandLineParser.parse(["run", "--manifest=m", "--resume"] + invocation.rest)
      else {
        throw UsageError("options of run are expected")
      }
      try BatchSettings(run).check()
      given = Set(run.values.words.keys)
    } catch {
      throw UsageError("after --: \(error.message)")
    }
    let manifest = try ManifestOptions.read(invocation), name = try invocation.need(ManifestOptions.all.manifest)
    if manifest.rows.isEmpty { throw UsageError("\(FilePath(name).display) has no items") }
    var job = FarmJob(manifest, path: try absolute(name), cpus: cpus ?? invocation[process.cpus])
    if let remote = invocation[options.remoteManifest] { job.manifest = remote }
    job.program = try program(invocation, standard)
    job.folder = try invocation[ManifestOptions.all.folder].map { path throws(UsageError) in try absolute(path) }
    job.out = try invocation[ManifestOptions.all.out].map { path throws(UsageError) in try absolute(path) }
    (job.options, job.given) = (invocation.rest, given)
    job.gpus = invocation[options.gpus]
    job.memory = invocation[options.memory]
    job.minutes = invocation[process.time]
    return (job, manifest)
  }

  /// Returns the program as the machines call it.
  static func program(_ invocation: Invocation, _ standard: String? = nil) throws(UsageError) -> String {
    guard let program = invocation[options.program] ?? standard else { return try ownName() }
    return program
  }

  /// Writes the job file.
  static func write(_ invocation: Invocation, _ text: String, _ division: String) throws {
    if invocation[options.output] == "-" {
      Terminal.output.write(text)
    } else {
      try writeResultFile(text, to: invocation[options.output])
    }
    Terminal.error.line("hdrbatch: " + division)
  }

  /// Returns an absolute path as text, because job files are text.
  static func absolute(_ path: String) throws(UsageError) -> String {
    let path = FilePath(path).absolute
    guard let text = path.text else { throw UsageError("\(path.display) is not UTF-8: a job file cannot hold it") }
    return text
  }

  /// Returns the program's name: one from PATH is kept, as PATH will find it again; a path becomes absolute.
  private static func ownName() throws(UsageError) -> String {
    let word = programArguments.first ?? "hdrbatch"
    return word.contains("/") ? try absolute(word) : word
  }
}
