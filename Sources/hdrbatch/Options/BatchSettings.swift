import BatchEngine
import CodecService
import Gallery
import HDRCore
import HDRRecipe
import HDRRender
import ImageFiles

/// Settings of machine, limits and reports for every command that works through a batch.
struct BatchSettings {
  let values: SettingValues
  private let defaults: [String]

  init(_ invocation: Invocation) { (values, defaults) = (invocation.values, invocation.defaults) }

  private static let machine = Settings.machine, safety = Settings.safety, reports = Settings.reports

  var journal: String? { values[Self.reports.journal] }

  /// Throws `UsageError` for settings that contradict each other.
  func check() throws(UsageError) {
    let isolation = values[Self.safety.isolation], progress = progressMode, record = values[Self.reports.record]
    let isCPU = values[Self.machine.backend] == .cpu
    func refuse(_ condition: Bool, _ message: Message) throws(UsageError) { if condition { throw UsageError(message) } }
    try refuse(
      values[Self.safety.requireSandbox] && (isolation == .none || isolation == .rlimit),
      "--require-sandbox needs --isolation sandbox or fresh")
    try refuse(
      isCPU && values[Self.machine.sample] != nil, "--sample compares GPUs: leave out --backend cpu")
    try refuse(isCPU && values[Self.machine.device] != nil, "--device needs --backend gpu or auto")
    try refuse(
      values[Self.reports.failFast] && values[Self.reports.maxFailures] != nil,
      "--fail-fast is --max-failures 1: give one of them")
    try refuse(
      drawsGraphs && (record == "-" || progress == .jsonl || progress == .openjd),
      "--explain=dot prints to standard output: give the record a file and take --progress human or none")
    try refuse(
      values[Self.reports.gallery] && journal == "none", "--gallery shows what journals say: leave out --journal none")
    try refuse(
      record == "-" && progress == .jsonl,
      "--record - and --progress jsonl both mean standard output: give the record a file")
  }

  var progressMode: ProgressMode { values[Self.reports.progress] ?? .standard }

  private var drawsGraphs: Bool { values[Self.reports.explain] == .dot }

  /// Runs the batch with a progress display and ends the program with its exit code.
  func run(_ items: [BatchItem], _ options: BatchOptions) throws -> Never {
    let (summary, _) = try perform(items, options)
    // After a stop signal there is no time for the gallery.
    if values[Self.reports.gallery], let journal = options.journal, summary.stopped == nil {
      var gallery = Gallery(of: journal.out)
      gallery.journals = journal.folder.absolute
      var options = options
      apply(to: &options)
      _ = try GalleryCommand.make(gallery, options)
    }
    throw ExitCode(summary.exitStatus.code)
  }

  /// Runs the batch with a progress display.
  ///
  /// - Returns: its sums, and the reason to stop, which may have come too late for it.
  func perform(_ items: [BatchItem], _ options: BatchOptions) throws -> (BatchSummary, StopReason?) {
    try values.checkDecoders()
    var options = options
    apply(to: &options)
    let progress = progressMode
    let reporter = ProgressReporter(mode: progress, items, graphs: drawsGraphs)
    let batch = try BatchRunner(items, options) { reporter.handle($0) }
    SignalWatcher.watch(batch.stop) {
      batch.abandon()
      if progress == .openjd { OpenJDLines.sayAbandoned() }
    }
    reporter.start()
    let summary = batch.run()
    reporter.finish(summary)
    return (summary, batch.stop.reason)
  }

  func apply(to options: inout BatchOptions) {
    options.backend = values[Self.machine.backend]
    options.device = values[Self.machine.device]
    options.codecDevice = values[Self.machine.codecDevice]
    options.sample = values[Self.machine.sample]
    options.jobs = values[Self.machine.jobs]
    if let threads = values[Self.machine.threads] { options.threads = threads }
    if let memory = values[Self.machine.memory] { options.memory = memory }
    options.limits = limits
    options.durability = values[Self.reports.durability]
    options.isolation = isolation
    options.maxFailures = values[Self.reports.failFast] ? 1 : values[Self.reports.maxFailures]
    options.record = values[Self.reports.record].map { FilePath($0) }
    options.command = programArguments + defaults
    options.explains = values[Self.reports.explain] != nil
  }

  var limits: DecodeLimits {
    var limits = values.decodeLimits
    limits.maxPixels = values[Self.safety.maxPixels]
    limits.maxSide = values[Self.safety.maxSide]
    limits.maxFileBytes = values[Self.safety.maxFileBytes]
    limits.unsafeCodecs = values[Self.safety.unsafeCodecs]
    return limits
  }

  var isolation: IsolationOptions {
    var options = IsolationOptions(values[Self.safety.isolation])
    options.requiresSandbox = values[Self.safety.requireSandbox]
    options.limits.seconds = values[Self.safety.maxSeconds]
    options.limits.memoryBytes = values[Self.safety.maxWorkerMemory]
    options.limits.crashes = values[Self.safety.maxCrashes]
    return options
  }

  /// Returns the journal of a run; `nil` for `--journal none`.
  func journalOptions(out: FilePath, _ recipe: Recipe, _ digest: Digest) -> JournalOptions? {
    if journal == "none" { return nil }
    var options = JournalOptions(
      folder: journal.map { FilePath($0) } ?? .standardJournal(below: out), out: out, recipeDigest: digest)
    options.recipe = recipe
    return options
  }
}

extension SettingValues {
  /// The choice of decoding libraries, and of the parts of a file to read.
  var decodeLimits: DecodeLimits {
    var limits = DecodeLimits(hevcDecoder: self[Settings.decoders.hevcDecoder])
    limits.reading = ReadingOptions(self)
    return limits
  }

  /// Throws `UnavailableError` for a demanded library that is not installed.
  func checkDecoders() throws(UnavailableError) {
    if self[Settings.decoders.hevcDecoder] == .libavcodec { try demandAVCodec() }
  }
}
