import ArgumentParser
import BatchEngine
import CodecService
import HDRCore
import ImageFiles

/// `hdrbatch reproduce`: renders one input of a batch again and reports the result.
struct ReproduceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reproduce",
    abstract: "Does one input of a batch again, in a process of its own, and says what happens.",
    discussion: """
      The input is named by its SHA-256, as record, journal and status have it; what was to be made of it is found in the \
      journal, or in the manifest that was run. Nothing is kept of it. What the codec process says goes to stderr. Ends with \
      the exit code that a batch of this one input has.
      """)

  @Option(help: ArgumentHelp("SHA-256 of the input, or its first digits, 8 at least.", valueName: "digest"))
  var digest: String

  @Option(help: ArgumentHelp("The output folder of the batch.", valueName: "folder"))
  var out: String?

  @Option(help: ArgumentHelp("The manifest, where one was run.", valueName: "file.jsonl"))
  var manifest: String?

  @Option(
    help: ArgumentHelp(
      "Counts the manifest's relative paths from here instead of the folder where it was planned.",
      valueName: "folder"))
  var folder: String?

  @Option(
    help: ArgumentHelp("Folder of the journals. Default: .hdrbatch/journal in the output folder.", valueName: "folder"))
  var journal: String?

  @Option(help: ArgumentHelp("Where it is decoded and encoded, as for render.", valueName: "mode"))
  var isolation = Isolation.fresh

  @Option(
    help: ArgumentHelp(
      "Seconds for decoding or encoding a picture, beside one for every 4 megapixels.", valueName: "s"))
  var maxSeconds = WorkerLimits().seconds

  @Option(help: ArgumentHelp("Address space of a codec process, in bytes.", valueName: "n"))
  var maxWorkerMemory = WorkerLimits().memoryBytes

  @Option(help: ArgumentHelp("Writes one JSON line an item; - is standard output.", valueName: "file.jsonl"))
  var record: String?

  func validate() throws {
    guard (8...64).contains(digest.utf8.count), digest.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit })
    else { throw ValidationError("--digest is 8 to 64 hexadecimal digits") }
    if manifest == nil && out == nil && journal == nil {
      throw ValidationError("say where the journals are: --out, --manifest or --journal")
    }
    if folder != nil && manifest == nil { throw ValidationError("--folder is where a --manifest begins") }
    guard (1...86_400).contains(maxSeconds), (256 << 20...1 << 46).contains(maxWorkerMemory) else {
      throw ValidationError("--max-seconds is 1...86400, --max-worker-memory \(256 << 20)...\(1 << 46)")
    }
  }

  func run() throws {
    // Before the working folder changes.
    let record = record.map { $0 == "-" ? FilePath($0) : FilePath($0).absolute }
    let own = journal.map { FilePath($0).absolute }
    let (past, batch) = try manifest == nil ? rendered(own) : planned(own)
    let bytes: [UInt8]
    do {
      bytes = try readFile(batch.input.path, maxBytes: batch.limits.maxFileBytes)
    } catch {
      throw UsageError("\(batch.input.path.display): \(FilePath.printable("\(error)"))")
    }
    let now = Digest(of: bytes)
    guard now == past.digest else {
      throw UsageError(
        "\(batch.input.path.display) is another file now, with digest \(now.hex): what was meant is gone")
    }
    say("input", "\(batch.input.path.display), \(bytes.count) bytes, SHA-256 \(now.hex)")
    say("recorded", "\(outcome(past.status, past.code, past.message)), by hdrbatch \(past.version)")

    let scratch = try ScratchFolder()
    defer { scratch.remove() }
    var prepared = try batch.render.prepare(batch.words, inputs: [batch.input], limits: batch.limits)
    let items = try OutputPlan.make(
      [batch.input], out: scratch.path, outputs: prepared.forms, onExisting: .fail)
    (prepared.options.backend, prepared.options.jobs, prepared.options.durability) = (.cpu, 1, .none)
    prepared.options.limits = batch.limits
    prepared.options.isolation = IsolationOptions(isolation)
    prepared.options.isolation.limits.seconds = maxSeconds
    prepared.options.isolation.limits.memoryBytes = maxWorkerMemory
    prepared.options.isolation.showsErrors = true
    prepared.options.record = record
    prepared.options.command = CommandLine.arguments
    let runner = try BatchRunner(items, prepared.options) { event in
      switch event {
      case .itemFinished(let item):
        let name = items.count > 1 ? "\(item.item.relativeOutput.display): " : ""
        say("now", name + outcome(item.status.rawValue, item.code, item.message))
        for warning in item.warnings { say("", "\(warning.code): \(FilePath.printable(warning.message))") }
      case .lessIsolated(let reason): Terminal.error.line("hdrbatch: warning: \(reason)")
      default: break
      }
    }
    SignalWatcher.watch(runner.stop) {
      runner.abandon()
      scratch.remove()
    }
    let summary = runner.run()
    for fault in summary.faults { Terminal.error.line("hdrbatch: error: \(fault)") }
    throw ExitCode(summary.exitStatus.code)
  }

  /// The item to be rendered again.
  private struct Batch {
    var input: InputItem
    var render: Render
    /// Arguments that decide pixels and names.
    var words: [String]
    /// Arguments of the earlier run, with its choice of decoders.
    var limits: DecodeLimits
  }

  /// From the manifest that was run.
  private func planned(_ journal: FilePath?) throws -> (PastItem, Batch) {
    var source = ManifestArguments()
    (source.manifest, source.out, source.folder) = (manifest ?? "", out, folder)
    let manifest = try source.read()
    let out = try source.enter(manifest)
    let past = try PastItem.find(digest, in: try Journal.all(in: journal ?? .standardJournal(below: out)))
    guard let row = manifest.rows.first(where: { manifest.id($0) == past.id }) else {
      throw UsageError("\(source.manifest) has no item of that input: it is another manifest, or render made it")
    }
    return (
      past,
      Batch(
        input: InputItem(path: manifest.roots[row.root].appending(row.input.bytes), relative: row.input),
        render: try Render.reading(manifest.recipe, out: "out"), words: manifest.recipe,
        limits: limits(of: past))
    )
  }

  /// From the command line of `render` in its journal.
  private func rendered(_ journal: FilePath?) throws -> (PastItem, Batch) {
    let folder = journal ?? .standardJournal(below: FilePath(out ?? ".").absolute)
    let past = try PastItem.find(digest, in: try Journal.all(in: folder))
    if past.manifest != nil { throw UsageError("a manifest was run: say --manifest") }
    let words = HDRBatch.parsable(past.command.dropFirst(2))
    guard past.command.count > 2, past.command[1] == "render", let place = past.folder else {
      throw UsageError("the journal does not say what was made of it; only render and run can be reproduced")
    }
    guard changeFolder(to: place) else { throw UsageError("\(place.display), where render ran, is not here") }
    let render: Render
    do {
      render = try Render.parse(words)
    } catch {
      throw UsageError("the journal's command line cannot be read: \(Render.message(for: error))")
    }
    let path = FilePath(past.input)
    return (
      past,
      Batch(
        input: InputItem(path: path, relative: FilePath(bytes: path.name)), render: render,
        words: try CommandWords(words).recipe, limits: render.batch.limits)
    )
  }

  /// Options of `run`; the defaults if those of another version are not understood.
  private func limits(of past: PastItem) -> DecodeLimits {
    let words = HDRBatch.parsable(past.command.dropFirst(2))
    return (try? RunCommand.parse(words))?.batch.limits ?? DecodeLimits()
  }

  private func say(_ what: String, _ text: String) {
    Terminal.output.line(what + String(repeating: " ", count: max(1, 10 - what.count)) + text)
  }

  private func outcome(_ status: String, _ code: String?, _ message: String?) -> String {
    guard let code else { return status }
    return "\(status), \(code): \(FilePath.printable(message ?? ""))"
  }
}
