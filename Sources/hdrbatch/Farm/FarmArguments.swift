import ArgumentParser
import BatchEngine

/// Options that all schedulers share.
struct FarmArguments: ParsableArguments {
  @OptionGroup
  var source: ManifestArguments

  @Option(name: .customShort("o"), help: ArgumentHelp("The job file; - is standard output.", valueName: "file"))
  var output = "-"

  @Option(
    help: ArgumentHelp("Path of the manifest on the machines, where it is another than here.", valueName: "path"))
  var remoteManifest: String?

  @Option(
    help: ArgumentHelp(
      "The program on the machines: a name in their PATH or an absolute path. Default: as this command was called.",
      valueName: "path"))
  var program: String?

  @Option(help: ArgumentHelp("GPUs of one process.", valueName: "n"))
  var gpus = 0

  @Option(help: ArgumentHelp("Memory of one process. Default: what the engine gives.", valueName: "MiB"))
  var memory: Int?

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp("After --: more options for hdrbatch run, e.g. -- --backend gpu.", valueName: "run option"))
  var options: [String] = []

  /// Options of `run` that the job file sets.
  private static let taken = ["--manifest", "--folder", "--out", "--shard", "--items", "--resume", "--force"]

  func validate() throws {
    guard (0...64).contains(gpus) else { throw ValidationError("--gpus is 0...64") }
    guard (1...1 << 30).contains(memory ?? 1) else { throw ValidationError("--memory is 1...\(1 << 30) MiB") }
  }

  /// The job, and the manifest behind it.
  ///
  /// - Throws: `UsageError`.
  func job(cpus: Int, minutes: Int?, program standard: String? = nil) throws(UsageError) -> (FarmJob, Manifest) {
    guard (1...4096).contains(cpus) else { throw UsageError("--cpus is 1...4096") }
    guard (2...1 << 20).contains(minutes ?? 2) else { throw UsageError("--time is 2...\(1 << 20) minutes") }
    for option in options where Self.taken.contains(where: { option == $0 || option.hasPrefix($0 + "=") }) {
      throw UsageError("\(FilePath(option).display) after --: the job file sets that")
    }
    do {
      _ = try RunCommand.parse(["--manifest=m", "--resume"] + options)
    } catch {
      throw UsageError("after --: " + RunCommand.message(for: error))
    }
    let manifest = try source.read()
    if manifest.rows.isEmpty { throw UsageError("\(FilePath(source.manifest).display) has no items") }
    var job = FarmJob(manifest, path: try Self.absolute(source.manifest), cpus: cpus)
    if let remoteManifest { job.manifest = remoteManifest }
    if let program = program ?? standard { job.program = program } else { job.program = try Self.ownName() }
    job.folder = try source.folder.map { path throws(UsageError) in try Self.absolute(path) }
    job.out = try source.out.map { path throws(UsageError) in try Self.absolute(path) }
    job.options = options
    job.gpus = gpus
    job.memory = memory
    job.minutes = minutes
    return (job, manifest)
  }

  /// Writes the job file.
  func write(_ text: String, _ division: String) throws {
    if output == "-" {
      Terminal.output.write(text)
    } else {
      try writeResultFile(text, to: output)
    }
    Terminal.error.line("hdrbatch: " + division)
  }

  /// Job files are text.
  static func absolute(_ path: String) throws(UsageError) -> String {
    let path = FilePath(path).absolute
    guard let text = path.text else { throw UsageError("\(path.display) is not UTF-8: a job file cannot hold it") }
    return text
  }

  /// A bare name is found in PATH again; a path is made absolute.
  private static func ownName() throws(UsageError) -> String {
    let word = CommandLine.arguments.first ?? "hdrbatch"
    return word.contains("/") ? try absolute(word) : word
  }
}

/// Divisions into shares and into chunks.
extension FarmArguments {
  static let sharesHelp = ArgumentHelp(
    "Shares of the manifest. Default: such that one takes some 5 minutes, by the bytes of the inputs.", valueName: "n")
  static let chunkHelp = ArgumentHelp(
    "Items of a chunk. Default: such that one takes some 5 minutes, by the bytes of the inputs.", valueName: "n")
  static let cpusHelp = ArgumentHelp("Processors of one process.", valueName: "n")
  static let timeHelp = ArgumentHelp("Limit for one process. Default: none.", valueName: "minutes")

  static func check(_ count: Int?, _ name: String, most: Int = 1 << 20) throws {
    if let count, !(1...most).contains(count) { throw ValidationError("\(name) is 1...\(most)") }
  }
}
