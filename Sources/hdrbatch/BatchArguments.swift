import ArgumentParser
import BatchEngine
import CodecService
import HDRCore
import HDRPlan
import ImageFiles

/// Options of every command that runs a batch.
struct BatchArguments: ParsableArguments {
  @Option(help: ArgumentHelp("gpu stops with 69 when there is none; auto goes on with the CPU.", valueName: "backend"))
  var backend = BackendChoice.auto

  @Option(
    help: ArgumentHelp(
      """
      GPU by index, UUID, PCI address or any part of its name, several with commas between, or all; stops with 69 when \
      one cannot be used. Default: those that a scheduler gave, else the best.
      """,
      valueName: "device,...|all"))
  var device: String?

  @Option(
    help: ArgumentHelp(
      """
      Renders every k-th strip of what GPUs render on the CPU too. Where a word differs the picture fails \
      (gpu.mismatch), the device is given up, and the end is 69. Default: none.
      """, valueName: "k"))
  var sample: Int?

  @Option(help: ArgumentHelp("Pictures in flight; memory grows with them. Default: the processors.", valueName: "n"))
  var jobs: Int?

  @Option(help: ArgumentHelp("Threads for one picture on the CPU. Default: the processors.", valueName: "n"))
  var threads: Int?

  @Option(
    help: ArgumentHelp(
      "Folder of the journals that --resume and status read, or none. Default: .hdrbatch/journal in --out.",
      valueName: "folder"))
  var journal: String?

  @Option(
    help: ArgumentHelp(
      """
      file: an output counts as done when it and its folder are on the disk; batch: after a sync for several; none: \
      without, which a power cut can undo.
      """, valueName: "rule"))
  var durability = Durability.file

  @Option(
    help: ArgumentHelp(
      """
      Progress on stderr for people, on stdout as JSON Lines or in the words of Open Job Description, or none; in a \
      session of Open Job Description openjd is the default.
      """, valueName: "mode"))
  var progress = ProgressMode.standard

  @Option(help: ArgumentHelp("Writes one JSON line an item; - is standard output.", valueName: "file.jsonl"))
  var record: String?

  @Option(help: ArgumentHelp("Stop after so many failed inputs. Default: never.", valueName: "k"))
  var maxFailures: Int?

  @Flag(help: "Stop at the first failed input.")
  var failFast = false

  @Option(help: ArgumentHelp("Largest picture accepted, in pixels.", valueName: "n"))
  var maxPixels = DecodeLimits().maxPixels

  @Option(help: ArgumentHelp("Longest side accepted, in pixels.", valueName: "n"))
  var maxSide = DecodeLimits().maxSide

  @Option(
    help: ArgumentHelp(
      """
      Memory for all pictures in flight: an input waits until it fits, and one that never fits fails. Default: 60 % of \
      what this process may use.
      """, valueName: "bytes|4G"))
  var memory: ByteCountArgument?

  @Option(help: ArgumentHelp("Largest input file accepted, in bytes.", valueName: "n"))
  var maxFileBytes = DecodeLimits().maxFileBytes

  @OptionGroup var decoders: DecoderArguments

  @Option(
    help: ArgumentHelp(
      """
      Where files are decoded and encoded: sandbox, in processes that can compute and nothing else; rlimit, in \
      processes with limits of memory and time; none, in this process; fresh, a sandbox for every input.
      """,
      valueName: "mode"))
  var isolation = Isolation.sandbox

  @Flag(help: "Stop with 69 where this system cannot give a whole sandbox.")
  var requireSandbox = false

  @Option(
    help: ArgumentHelp(
      "Seconds for decoding or encoding a picture, beside one for every 4 megapixels.", valueName: "s"))
  var maxSeconds = WorkerLimits().seconds

  @Option(help: ArgumentHelp("Address space of a codec process, in bytes.", valueName: "n"))
  var maxWorkerMemory = WorkerLimits().memoryBytes

  @Option(
    help: ArgumentHelp("Stop after so many crashed or hanging codec processes in a row; 0: never.", valueName: "n"))
  var maxCrashes = WorkerLimits().crashes

  @Flag(
    help: """
      Before a picture is rendered, print what was decided and why, its edits, passes and the memory they move; \
      --explain=dot prints the passes as a graph for GraphViz to stdout.
      """)
  var explain = false

  @Flag(name: .customLong(Self.dotFlag), help: .hidden)
  var explainDot = false

  /// `--explain=dot`, as the parser gets it: a flag has no value there.
  static let dotFlag = "explain-dot"

  func validate() throws {
    for (value, name) in [(jobs, "--jobs"), (threads, "--threads"), (maxFailures, "--max-failures")] {
      if let value, !(1...4096).contains(value) { throw ValidationError("\(name) is 1...4096, not \(value)") }
    }
    guard (1...1 << 34).contains(maxPixels), (1...1 << 20).contains(maxSide) else {
      throw ValidationError("--max-pixels is 1...\(1 << 34), --max-side 1...\(1 << 20)")
    }
    guard maxFileBytes >= 1, (1...86_400).contains(maxSeconds), (256 << 20...1 << 46).contains(maxWorkerMemory),
      maxCrashes >= 0
    else {
      throw ValidationError(
        "--max-file-bytes is 1 or more, --max-seconds 1...86400, --max-worker-memory \(256 << 20)...\(1 << 46), "
          + "--max-crashes 0 or more")
    }
    if requireSandbox && (isolation == .none || isolation == .rlimit) {
      throw ValidationError("--require-sandbox needs --isolation sandbox or fresh")
    }
    if let sample, !(1...1_000_000).contains(sample) { throw ValidationError("--sample is 1...1000000, not \(sample)") }
    if backend == .cpu && sample != nil { throw ValidationError("--sample compares GPUs: leave out --backend cpu") }
    if backend == .cpu && device != nil { throw ValidationError("--device needs --backend gpu or auto") }
    if failFast && maxFailures != nil { throw ValidationError("--fail-fast is --max-failures 1: give one of them") }
    if explainDot && (record == "-" || progress == .jsonl || progress == .openjd) {
      throw ValidationError(
        "--explain=dot prints to standard output: give the record a file and take --progress human or none")
    }
    if record == "-" && progress == .jsonl {
      throw ValidationError("--record - and --progress jsonl both mean standard output: give the record a file")
    }
  }

  /// Runs the batch with a progress display and ends the program with its exit code.
  func run(_ items: [BatchItem], _ options: BatchOptions) throws -> Never {
    try decoders.check()
    var options = options
    options.backend = backend
    options.device = device
    options.sample = sample
    if let jobs { options.jobs = jobs }
    if let threads { options.threads = threads }
    options.limits = limits
    if let memory { options.memory = memory.bytes }
    options.durability = durability
    options.isolation = isolationOptions
    options.maxFailures = failFast ? 1 : maxFailures
    options.record = record.map { FilePath($0) }
    options.command = CommandLine.arguments
    options.explains = explain || explainDot

    let reporter = ProgressReporter(mode: progress, total: items.count, graphs: explainDot)
    let batch = try BatchRunner(items, options) { reporter.handle($0) }
    let progress = progress
    SignalWatcher.watch(batch.stop) {
      batch.abandon()
      if progress == .openjd { OpenJDLines.sayAbandoned() }
    }
    reporter.start()
    let summary = batch.run()
    reporter.finish(summary)
    throw ExitCode(summary.exitStatus.code)
  }

  /// The journal of a run; `nil` for `--journal none`.
  func journalOptions(out: FilePath, recipeDigest: Digest) -> JournalOptions? {
    journal == "none"
      ? nil
      : JournalOptions(
        folder: journal.map { FilePath($0) } ?? .standardJournal(below: out), out: out, recipeDigest: recipeDigest)
  }

  var limits: DecodeLimits {
    var limits = decoders.limits
    limits.maxPixels = maxPixels
    limits.maxSide = maxSide
    limits.maxFileBytes = maxFileBytes
    return limits
  }

  var isolationOptions: IsolationOptions {
    var options = IsolationOptions(isolation)
    options.requiresSandbox = requireSandbox
    options.limits.seconds = maxSeconds
    options.limits.memoryBytes = maxWorkerMemory
    options.limits.crashes = maxCrashes
    return options
  }
}
