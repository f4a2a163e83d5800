import BatchEngine
import CodecService
import HDRCore
import HDRRecipe
import HDRRender
import PlainData

/// `hdrbatch watch`: renders the pictures that arrive in a folder.
enum WatchCommand {
  struct Options: SettingGroup {
    var title: String { "What to make" }

    let out = SettingKey("out", short: "o", .text("folder"), "Folder for the outputs; made when it is not there.")
  }
  static let options = Options()

  static let command = Command(
    name: "watch", summary: "Renders the pictures that arrive in a folder, until it is told to stop.",
    discussion: """
      A picture has arrived when it has not changed for two seconds. What is in the folder at the start and what journals do \
      not call done is rendered first; a picture that changes is rendered again. A picture that fails is told of, and does \
      not end the watch. SIGTERM ends it after the pictures in flight: 0, or 65 if a picture had failed.
      """,
    examples: ["watch UPLOADS -o WEB --to adaptive-jpeg --resize 2048"],
    arguments: [
      Command.Argument(name: "folder", count: .one, help: "The folder, with all folders below it.")
    ],
    options: [options] + RecipeOptions.groups + [Settings.rejections] + Settings.runGroups
  ) { invocation in
    let text = try RecipeOptions.recipe(invocation)
    try text.check()
    let batch = BatchSettings(invocation)
    try batch.check()
    for row in [Settings.reports.record, Settings.reports.gallery] as [any SettingRow] {
      try invocation.refuse(
        invocation.has(row), "--\(row.setting.name) is of a batch that ends: leave it out, journals have all items")
    }
    let folder = FilePath(invocation.arguments[0]), out = FilePath(try invocation.need(options.out))
    // Faults of the recipe are told before the first picture is there.
    _ = try PreparedRecipe(text, inputs: [], limits: batch.limits, isolation: batch.isolation)
    var watch = Watch(text, invocation, batch, out: out)
    let files = try FolderWatch(folder, excluding: [out])
    Terminal.note("\(folder.display) is watched; Ctrl-C or SIGTERM ends it")
    throw ExitCode(try watch.run(files).code)
  }
}

/// The batches of a watch: one for the pictures that have arrived at a time.
private struct Watch {
  private let text: RecipeText
  private let invocation: Invocation
  private let batch: BatchSettings
  private let out: FilePath
  /// True once journals have been looked at for what earlier runs made.
  private var hasResumed = false
  /// The inputs that outputs were made of.
  private var owners: [FilePath: FilePath] = [:]
  private var statuses: [ExitStatus] = []

  /// The code of an output that another input has.
  private static let takenCode = "name.taken"

  init(_ text: RecipeText, _ invocation: Invocation, _ batch: BatchSettings, out: FilePath) {
    (self.text, self.invocation, self.batch, self.out) = (text, invocation, batch, out)
  }

  /// Renders what arrives until the program is told to stop.
  mutating func run(_ files: FolderWatch) throws -> ExitStatus {
    let stop = StopSwitch()
    while true {
      SignalWatcher.watch(stop) {}
      let found = try files.next { stop.reason != nil }
      if let reason = stop.reason {
        if reason == .interrupted { statuses.append(reason.exitStatus) }
        break
      }
      do {
        let (summary, reason) = try render(found)
        statuses.append(summary.exitStatus)
        if let reason {
          // All that had arrived is done: nothing is left.
          if summary.stopped == nil, reason == .terminated { break }
          statuses.append(reason.exitStatus)
          break
        }
      } catch let error as UsageError {
        statuses.append(.failedItems)
        Terminal.error.line("hdrbatch: error: \(Terminal.text(error.message))")
      }
    }
    return ExitStatus.worst(statuses)
  }

  private mutating func render(_ found: [InputReference]) throws -> (BatchSummary, StopReason?) {
    var inputs = found
    if text.recipe.settings.takesAllPictures {
      var limits = batch.limits
      limits.reading = ReadingOptions(text.recipe.settings)
      let codecs = CodecsAtUse(batch.isolation, limits: limits)
      defer { _ = codecs.close() }
      inputs = try PictureCollector.expand(inputs, limits: limits, codecs: codecs)
    }
    var prepared = try PreparedRecipe(text, inputs: inputs, limits: batch.limits, isolation: batch.isolation)
    try NameFactsReader.add(
      to: &prepared, text.recipe, for: inputs, limits: batch.limits, isolation: batch.isolation)
    let all = try OutputNaming.make(inputs, out: out, outputs: prepared.nameRules, onExisting: .replace)
    let items = all.filter { item in
      guard let owner = owners[item.output], owner != item.input.path else { return true }
      statuses.append(.failedItems)
      Terminal.error.line(
        "hdrbatch: error: \(item.input.display): \(item.output.display) was made of \(owner.display), and is kept; "
          + "--name '{name}.{ext}' tells them apart [\(Self.takenCode)]")
      return false
    }
    if items.isEmpty { return (BatchSummary(), nil) }
    for item in items { owners[item.output] = item.input.path }
    prepared.options.onExisting = .replace
    prepared.options.keepsRejected = try RenderCommand.keepsRejected(invocation, text.recipe)
    prepared.options.journal = batch.journalOptions(out: out, text.recipe, prepared.digest)
    prepared.options.journal?.resumes = !hasResumed
    hasResumed = true
    return try batch.perform(items, prepared.options)
  }
}
