import BatchEngine
import CodecService
import HDRCore
import HDRRecipe
import HDRRender
import ImageFiles
import PlainData

/// `hdrbatch reproduce`: renders an input of a batch again and watches it.
enum ReproduceCommand {
  struct Options: SettingGroup {
    var title: String { "Which, and how" }

    let digest = SettingKey("digest", .text("digest"), "SHA-256 of the input, or its first digits, 8 at least.")
    let out = SettingKey("out", .text("folder"), "The output folder of the batch.")
    let manifest = SettingKey("manifest", .text("file.jsonl"), "The manifest, where one was run.")
    let folder = SettingKey(
      "folder", .text("folder"), assumed: "where it was planned", "Counts the manifest's relative paths from here.")
    let journal = SettingKey(
      "journal", .text("folder"), assumed: ".hdrbatch/journal in the output folder", "Folder of the journals.")
    let isolation = SettingKey(
      "isolation", .choice(Isolation.self, "mode"), standard: .fresh,
      "Where it is decoded and encoded, as for render.")
    let maxSeconds = Settings.safety.maxSeconds.common
    let maxWorkerMemory = Settings.safety.maxWorkerMemory.common
    let record = SettingKey("record", .text("file.jsonl"), "Writes one JSON line an item; - is standard output.")
  }
  static let options = Options()

  static let command = Command(
    name: "reproduce", summary: "Does one input of a batch again, in a process of its own, and says what happens.",
    discussion: """
      The input is named by its SHA-256, as record, journal and status have it; what was to be made of it is found in the \
      journal, or in the manifest that was run. Nothing is kept of it. What the codec process says goes to stderr. Ends with \
      the exit code that a batch of this one input has.
      """,
    examples: ["reproduce --digest 8c0f2a11 --out OUT", "reproduce --digest 8c0f2a11 --manifest m.jsonl"],
    options: [options]
  ) { invocation in
    let digest = try invocation.need(options.digest)
    guard (8...64).contains(digest.utf8.count), digest.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit })
    else { throw UsageError("--digest is 8 to 64 hexadecimal digits") }
    try invocation.refuse(
      !invocation.has(options.manifest) && !invocation.has(options.out) && !invocation.has(options.journal),
      "say where the journals are: --out, --manifest or --journal")
    try invocation.refuse(
      invocation.has(options.folder) && !invocation.has(options.manifest), "--folder is where a --manifest begins")
    try run(invocation, digest)
  }

  private static func run(_ invocation: Invocation, _ digest: String) throws {
    // Paths must be absolute before the working folder changes.
    let record = invocation[options.record].map { $0 == "-" ? FilePath($0) : FilePath($0).absolute }
    let own = invocation[options.journal].map { FilePath($0).absolute }
    let (past, batch) =
      try invocation.has(options.manifest) ? planned(invocation, digest, own) : rendered(invocation, digest, own)
    let bytes: [UInt8]
    do {
      bytes = try readFile(batch.input.path, maxBytes: batch.limits.maxFileBytes)
    } catch {
      throw UsageError("\(batch.input.path.display): \(printable("\(error)"))")
    }
    let now = Digest(of: bytes)
    guard now == past.digest else {
      throw UsageError(
        "\(batch.input.path.display) is another file now, with digest \(now.hex): what was meant is gone")
    }
    say("input", "\(batch.input.display), \(bytes.count) bytes, SHA-256 \(now.hex)")
    say("recorded", "\(outcome(past.status.rawValue, past.code, past.message)), by hdrbatch \(past.version)")

    let scratch = try ScratchFolder()
    defer { scratch.remove() }
    var isolation = IsolationOptions(invocation[options.isolation])
    isolation.limits.seconds = invocation[options.maxSeconds]
    isolation.limits.memoryBytes = invocation[options.maxWorkerMemory]
    isolation.showsErrors = true
    var prepared = try PreparedRecipe(
      RecipeText(batch.recipe), inputs: [batch.input], limits: batch.limits, isolation: isolation)
    try checkFiles(past, batch, prepared.digest)
    try NameFactsReader.add(
      to: &prepared, batch.recipe, for: [batch.input], limits: batch.limits, isolation: isolation)
    let items = try OutputNaming.make([batch.input], out: scratch.path, outputs: prepared.nameRules, onExisting: .fail)
    (prepared.options.backend, prepared.options.jobs, prepared.options.durability) = (.cpu, 1, .none)
    prepared.options.limits = batch.limits
    prepared.options.isolation = isolation
    prepared.options.record = record
    prepared.options.command = programArguments
    let runner = try BatchRunner(items, prepared.options) { event in
      switch event {
      case .itemFinished(let item):
        let name = items.count > 1 ? "\(item.item.relativeOutput.display): " : ""
        say("now", name + outcome(item.status.rawValue, item.code, item.message))
        for warning in item.warnings { say("", "\(warning.code): \(Terminal.text(warning.message))") }
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

  /// Refuses to repeat what a config, LUTs or other files of the recipe decided that have changed since.
  private static func checkFiles(_ past: PastItem, _ batch: Batch, _ digest: Digest) throws(UsageError) {
    // Another version may write the same recipe otherwise.
    guard let then = batch.recipeDigest, then != digest, past.version == hdrbatchVersion else { return }
    throw UsageError(
      "a file that the recipe names (a config, a LUT, a second picture) is another one now: what was made with it is gone"
    )
  }

  /// The work that is repeated.
  private struct Batch {
    var input: InputReference
    var recipe: Recipe
    /// The digest that the recipe and its files had; `nil`: it is another recipe, or nobody knows.
    var recipeDigest: Digest?
    /// The limits of the repeated run, with its choice of decoders.
    var limits: DecodeLimits
  }

  /// Finds the work in the manifest of the run.
  private static func planned(
    _ invocation: Invocation, _ digest: String, _ journal: FilePath?
  ) throws -> (PastItem, Batch) {
    let manifest = try ManifestOptions.read(invocation)
    let out = try ManifestOptions.enter(invocation, manifest)
    let past = try PastItem.find(digest, in: try Journal.all(in: journal ?? .standardJournal(below: out)))
    guard let row = manifest.rows.first(where: { manifest.id($0) == past.id }) else {
      let name = FilePath(invocation[options.manifest] ?? "").display
      throw UsageError("\(name) has no item of that input: it is another manifest, or render made it")
    }
    // Of the options of run, --accept alone decides what becomes of an item.
    var text = RecipeText(manifest.recipe)
    let accept = Settings.acceptance.accept, words = Self.invocation(of: past)?.values.words[accept.name]
    if let words { try text.set(accept.setting, words) }
    return (
      past,
      Batch(
        input: manifest.inputs()(row), recipe: text.recipe, recipeDigest: words == nil ? manifest.recipeDigest : nil,
        limits: limits(of: past))
    )
  }

  /// Finds the work in the recipe in the journal of `render`.
  private static func rendered(
    _ invocation: Invocation, _ digest: String, _ journal: FilePath?
  ) throws -> (PastItem, Batch) {
    let folder = journal ?? .standardJournal(below: FilePath(invocation[options.out] ?? ".").absolute)
    let past = try PastItem.find(digest, in: try Journal.all(in: folder))
    if past.manifest != nil { throw UsageError("a manifest was run: say --manifest") }
    guard past.command.count > 2, past.command[1] == "render" || Self.invocation(of: past)?.path == "render",
      let place = past.folder
    else {
      throw UsageError("the journal does not say what was made of it; only render and run can be reproduced")
    }
    guard let value = past.recipe else {
      throw UsageError("the journal is of an older version and holds no recipe: render again")
    }
    guard changeFolder(to: place) else { throw UsageError("\(place.display), where render ran, is not here") }
    let recipe = try RecipeText(value, file: "the journal's recipe").recipe
    var input = InputReference(FilePath(past.input))
    if recipe.settings.takesAllPictures { input.picture = past.image.map { InputPicture(number: $0) } }
    return (past, Batch(input: input, recipe: recipe, recipeDigest: past.recipeDigest, limits: limits(of: past)))
  }

  /// Returns the limits of the past run; the default ones if this version does not understand its command line.
  private static func limits(of past: PastItem) -> DecodeLimits {
    invocation(of: past).map { BatchSettings($0).limits } ?? DecodeLimits()
  }

  /// Returns the command line of the past run, if this version understands it.
  private static func invocation(of past: PastItem) -> Invocation? {
    guard case .run(let invocation)? = try? CommandLineParser.parse(Array(past.command.dropFirst())) else { return nil }
    return invocation
  }

  private static func say(_ what: String, _ text: String) {
    Terminal.output.line(what + String(repeating: " ", count: max(1, 10 - what.count)) + text)
  }

  private static func outcome(_ status: String, _ code: String?, _ message: String?) -> String {
    guard let code else { return status }
    return "\(status), \(code): \(printable(message ?? ""))"
  }
}
