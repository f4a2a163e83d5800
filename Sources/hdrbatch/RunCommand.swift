import ArgumentParser
import BatchEngine
import CodecService
import HDRCore

/// `hdrbatch run`: runs a manifest, or a share of it.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Runs a manifest, or a share of it.",
    discussion: """
      Shares are disjoint, and any number of them makes the same files. --resume leaves out what journals call done, if \
      input, recipe, version and output are as they were, and inputs that crashed or hung codecs; --force does all again; \
      without either nothing may be there.
      """)

  @OptionGroup
  var source: ManifestArguments

  @Option(
    help: ArgumentHelp(
      """
      The share number I of N (0-based; every Nth input), or auto: from SLURM_ARRAY_TASK_*, JOB_COMPLETION_INDEX or \
      CUE_IFRAME and CUE_CHUNK; auto/N where the scheduler does not say how many there are.
      """, valueName: "i/n|auto"))
  var shard: String?

  @Option(help: ArgumentHelp("Items by their numbers.", valueName: "0-15:3,18"))
  var items: String?

  @Flag(help: "Leaves out what is done already.")
  var resume = false

  @Flag(help: "With --resume: tries inputs again that codec processes were lost on.")
  var retryQuarantined = false

  @Flag(help: "Does all items again.")
  var force = false

  @OptionGroup(title: "Batch")
  var batch: BatchArguments

  func validate() throws {
    if shard != nil && items != nil { throw ValidationError("--shard and --items both choose items: give one of them") }
    if resume && force { throw ValidationError("--resume and --force contradict each other") }
    if retryQuarantined && !resume { throw ValidationError("--retry-quarantined says how to --resume") }
    if resume && batch.journal == "none" { throw ValidationError("--resume reads journals: leave out --journal none") }
  }

  func run() throws {
    let (share, source) = try share()
    let manifest = try self.source.read()
    // The manifest's paths are counted from its folder, this command's own from here.
    let journal = batch.journal.map { $0 == "none" ? $0 : FilePath($0).absolute.text ?? $0 }
    let record = batch.record.map { $0 == "-" ? $0 : FilePath($0).absolute.text ?? $0 }
    let out = try self.source.enter(manifest)

    let render = try Render.reading(manifest.recipe, out: "out")
    let existing = resume || force ? OnExisting.replace : .fail
    let inputs = manifest.rows.filter { $0.variant == 0 }.map { row in
      InputItem(path: manifest.roots[row.root].appending(row.input.bytes), relative: row.input)
    }
    var prepared = try render.prepare(manifest.recipe, inputs: inputs, limits: batch.limits)
    guard SettingFiles.recipeDigest(of: manifest.recipe) == manifest.recipeDigest else {
      throw UsageError(
        "\(self.source.manifest): the recipe, a LUT or a second picture is not what it was when the plan was made; "
          + "plan again")
    }
    let items = try OutputPlan.make(manifest, share, out: out, outputs: prepared.forms, onExisting: existing)
    if items.isEmpty {
      Terminal.error.line("hdrbatch: notice: no item of the manifest is in this share (\(source))")
      return
    }
    prepared.options.onExisting = existing
    var own = batch
    own.journal = journal
    own.record = record
    prepared.options.journal = own.journalOptions(out: out, recipeDigest: manifest.recipeDigest)
    prepared.options.journal?.resumes = resume
    prepared.options.journal?.retriesQuarantined = retryQuarantined
    prepared.options.journal?.label = share.label
    prepared.options.journal?.shard = source
    prepared.options.journal?.manifest = manifest.digest
    if shard?.hasPrefix("auto") == true { Terminal.error.line("hdrbatch: notice: share from \(source)") }
    try own.run(items, prepared.options)
  }

  /// The items, and where that was found.
  private func share() throws(UsageError) -> (Shard, String) {
    if let items { return (.items(try ItemRange(items)), "--items \(FilePath.printable(items))") }
    if let shard { return try Shard.parse(shard) }
    return (.all, "all")
  }
}

/// Which manifest, and where its folders are now.
struct ManifestArguments: ParsableArguments {
  @Option(help: ArgumentHelp("What hdrbatch plan wrote.", valueName: "file.jsonl"))
  var manifest: String

  @Option(help: ArgumentHelp("Output folder instead of the manifest's.", valueName: "folder"))
  var out: String?

  @Option(
    help: ArgumentHelp(
      "Counts the manifest's relative paths from here instead of the folder where it was planned.",
      valueName: "folder"))
  var folder: String?

  /// - Throws: `UsageError`.
  func read() throws(UsageError) -> Manifest {
    let path = FilePath(manifest), bytes: [UInt8]
    do {
      bytes = try readFile(path, maxBytes: 4 << 30)
    } catch {
      throw UsageError("--manifest \(path.display): \(FilePath.printable("\(error)"))")
    }
    return try Manifest(parsing: bytes, name: path.display)
  }

  /// Goes to the manifest's folder.
  ///
  /// - Returns: the output folder from there.
  /// - Throws: `UsageError`.
  func enter(_ manifest: Manifest) throws(UsageError) -> FilePath {
    let own = out.map { FilePath($0).absolute }
    let folder = folder.map { FilePath($0) } ?? manifest.folder
    guard changeFolder(to: folder) else {
      throw UsageError(
        "\(folder.display), where the manifest was planned, is not here; say --folder for where its relative paths begin"
      )
    }
    return own ?? manifest.out
  }
}
