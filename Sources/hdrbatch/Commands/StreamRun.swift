import BatchEngine
import CodecService
import Glibc
import HDRCore
import HDRRecipe
import HDRRender
import PlainData
import Synchronization

/// `hdrbatch render` with standard input or standard output (docs/cli.md#pipes).
enum StreamRun {
  /// Options for files that keep a batch, which a pipe does not have.
  private static let ofFiles: [any SettingRow] = [
    Settings.resuming.resume, Settings.resuming.retryQuarantined,
    Settings.resuming.retryRejected, Settings.rejections.rejected, Settings.reports.record,
    Settings.reports.explain, Settings.reports.journal, Settings.reports.durability, RenderCommand.options.dryRun,
    RecipeOptions.make.name,
  ]

  static func run(_ invocation: Invocation, _ text: RecipeText, _ batch: BatchSettings) throws -> Never {
    let reads = invocation.arguments.contains("-")
    let out = try invocation.need(RenderCommand.options.out), toFile = out == "-" ? nil : FilePath(out)
    if let toFile { try checkName(toFile, text.recipe, invocation) }
    if reads && invocation.arguments.count > 1 { throw UsageError("- is the only INPUT where it is one") }
    for row in ofFiles + (toFile == nil ? [Settings.outputs.onExisting] : []) where invocation.values.has(row) {
      throw UsageError("--\(row.setting.name) has no effect on a pipe: leave it out")
    }
    let progress = batch.progressMode
    guard progress == .human || progress == .none else {
      throw UsageError("standard output is for the pictures: take --progress human or none")
    }
    try text.check()
    guard text.recipe.outputs.count == 1, text.recipe.size == nil else {
      throw UsageError("a pipe takes one output of an input picture")
    }
    if invocation.has(FrameOptions.all.frames) && reads {
      throw UsageError("--frames chooses files of a sequence, not frames of a pipe")
    }
    guard !text.recipe.isJudged else {
      throw UsageError(
        "a pipe has got its pictures before they can be judged: leave out accept, quality-target and max-bytes, or write "
          + "files")
    }
    let settings = text.recipe.settings(of: text.recipe.outputs[0])
    if reads, !settings[Settings.color.lut].isEmpty, settings[Settings.color.lutSpace].isEmpty {
      throw UsageError("--lut needs --lut-space where the input is a pipe")
    }
    if toFile == nil, isatty(STDOUT_FILENO) == 1 {
      throw UsageError("standard output is a terminal: send it to a program or a file")
    }
    try invocation.values.checkDecoders()

    var limits = batch.limits
    limits.reading = ReadingOptions(settings)
    let source: FrameStream.Source, files: [InputReference]
    if reads {
      files = []
      do {
        source = .pipe(try FrameReader(STDIN_FILENO, limits: limits))
      } catch {
        Terminal.error.line("hdrbatch: error: standard input: \(Terminal.text(error.message)) [\(error.code)]")
        throw ExitCode(ExitStatus.failedItems.code)
      }
    } else {
      files = try RecipeOptions.inputs(
        invocation, text.recipe, out: FilePath("-"), limits: batch.limits, isolation: batch.isolation)
      source = .files(files[...])
    }
    var prepared = try PreparedRecipe(text, inputs: files, limits: batch.limits, isolation: batch.isolation)
    batch.apply(to: &prepared.options)
    // A pipe belongs to another program: it gets errors and warnings, and other messages only if it asks for them.
    let report = StreamReport(progress, tellsAll: invocation.has(Settings.reports.progress))
    let file = try toFile.map { path throws(ResultFileError) in
      try StreamedResult(path, existing: invocation[Settings.outputs.onExisting], prepared.options.durability)
    }
    let stream = try FrameStream(source, to: file?.descriptor ?? STDOUT_FILENO, prepared.options) { report.handle($0) }
    SignalWatcher.watch(stream.stop) { file?.abandon() }
    let summary = stream.run()
    try file?.finish(summary)
    report.finish(summary)
    throw ExitCode(summary.exitStatus.code)
  }

  /// Throws `UsageError` if frames cannot go into the file that is named.
  private static func checkName(_ path: FilePath, _ recipe: Recipe, _ invocation: Invocation) throws(UsageError) {
    guard fileStatus(path)?.isFolder != true, EndingKinds(of: path) != nil else {
      throw UsageError("\(path.display): what standard input becomes needs the name of a file, as photo.jpg, or -o -")
    }
    if !recipe.outputs.isEmpty { _ = try OutOption(path.text ?? path.display, recipe) }
    guard fileStatus(path) != nil, invocation[Settings.outputs.onExisting] != .replace else { return }
    throw UsageError("\(path.display) exists already; nothing was done. Say --on-existing replace to write it again")
  }
}

/// The messages of a stream on standard error.
private final class StreamReport: Sendable {
  private let mode: ProgressMode
  /// True to report also device, progress and totals.
  private let tellsAll: Bool
  private let state = Mutex((printedWarnings: [String: Int](), line: monotonicSeconds()))
  private let begin = monotonicSeconds()

  init(_ mode: ProgressMode, tellsAll: Bool) {
    self.mode = mode
    self.tellsAll = tellsAll && mode == .human
  }

  func handle(_ event: StreamEvent) {
    switch event {
    case .failed(let error, let frame):
      Terminal.error.line("hdrbatch: error: frame \(frame): \(Terminal.text(error.message)) [\(error.code)]")
    case .fellBack(let reason, let isReported) where mode == .human && isReported || tellsAll:
      Terminal.error.line("hdrbatch: notice: rendering on the CPU: \(printable(reason))")
    case .passedOn where tellsAll:
      Terminal.error.line("hdrbatch: notice: frames are passed on as they are: there is nothing to do")
    case .warning(let warning, let frame) where mode == .human:
      let count = state.withLock { state in
        state.printedWarnings[warning.code, default: 0] += 1
        return state.printedWarnings[warning.code, default: 0]
      }
      guard count <= ProgressReporter.maxPrintedWarnings else { return }
      Terminal.error.line("hdrbatch: warning: frame \(frame): \(Terminal.text(warning.message)) [\(warning.code)]")
    case .written(let frames) where tellsAll:
      let isDue = state.withLock { state in
        guard monotonicSeconds() - state.line >= ProgressReporter.humanInterval else { return false }
        state.line = monotonicSeconds()
        return true
      }
      if isDue { Terminal.error.line("hdrbatch: \(frames) frames, \(rate(frames, monotonicSeconds() - begin))") }
    default: break
    }
  }

  func finish(_ summary: StreamSummary) {
    guard tellsAll else { return }
    Terminal.error.line(
      "hdrbatch: \(summary.frames) frame\(summary.frames == 1 ? "" : "s"), \(summary.failed) failed, \(summary.skipped) skipped, "
        + "\(summary.bytesOut / 1_000_000) MB out in \(decimals(summary.wallSeconds, 1)) s, "
        + "\(rate(summary.frames, summary.wallSeconds)), peak memory \(summary.peakResidentBytes >> 20) MiB")
  }

  private func rate(_ frames: Int, _ seconds: Double) -> String {
    "\(significant(Double(frames) / max(seconds, 1e-3)))/s"
  }
}
