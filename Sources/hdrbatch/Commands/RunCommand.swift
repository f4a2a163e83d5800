import BatchEngine
import CodecService
import HDRCore
import HDRRecipe
import HDRRender
import PlainData

/// `hdrbatch run`: carries out a manifest, or a shard of it.
enum RunCommand {
  struct Options: SettingGroup {
    var title: String { "Shard" }

    let shard = SettingKey(
      "shard", .text("i/n|auto"), like: "shard",
      """
      The shard number I of N (0-based; every Nth input, of a sequence the Ith range of frames), or auto: from \
      SLURM_ARRAY_TASK_*, JOB_COMPLETION_INDEX or CUE_IFRAME and CUE_CHUNK; auto/N where the scheduler does not say how many there are.
      """)
    let items = SettingKey("items", .text("0-15:3,18"), like: "shard", "Items by their numbers.")
    let frames = SettingKey(
      "frames", .text("1001-1010x2"), like: "shard", "Frames of a sequence by their numbers.")
    let force = SettingKey(flag: "force", "Does all items again.")
  }
  static let options = Options()

  static let command = Command(
    name: "run", summary: "Runs a manifest, or a shard of it.",
    discussion: """
      Shards are disjoint, and any number of them makes the same files. --resume leaves out what journals call done, if \
      input, settings, steps, version and output are as they were, and inputs that crashed or hung codecs; --force does all again; \
      without either nothing may be there.
      """,
    examples: ["run --manifest m.jsonl", "run --manifest m.jsonl --shard 0/4 --resume"],
    options: [ManifestOptions.all, options, Settings.acceptance, Settings.rejections, Settings.resuming]
      + Settings.runGroups
  ) { invocation in
    let resumes = invocation.has(Settings.resuming.resume)
    try invocation.refuse(resumes && invocation[options.force], "--resume and --force contradict each other")
    try RenderCommand.checkResuming(invocation)
    var batch = BatchSettings(invocation)
    try batch.check()
    let (shard, source) = try shard(invocation)
    let manifest = try ManifestOptions.read(invocation)
    // The manifest's paths are relative to its folder, this command's own to the working folder.
    batch = BatchSettings(invocation.withAbsolutePaths)
    let out = try ManifestOptions.enter(invocation, manifest)

    let existing = resumes || invocation[options.force] ? OnExisting.replace : .fail
    let inputs = manifest.rows.filter { $0.variant == 0 }.map(manifest.inputs())
    var prepared = try PreparedRecipe(
      RecipeText(manifest.recipe), inputs: inputs, limits: batch.limits, isolation: batch.isolation)
    guard prepared.digest == manifest.recipeDigest else {
      throw UsageError(
        "\(try invocation.need(ManifestOptions.all.manifest)): a LUT, a second picture or another file of the recipe "
          + "is not what it was when the plan was made; plan again")
    }
    var text = RecipeText(manifest.recipe)
    if invocation.has(Settings.acceptance.accept) {
      // The plan's items stay what they are, and each output's settings say by what it is judged.
      try text.set(invocation.values)
      prepared = try PreparedRecipe(text, inputs: inputs, limits: batch.limits, isolation: batch.isolation)
    }
    let items = try OutputNaming.make(manifest, shard, out: out, outputs: prepared.nameRules, onExisting: existing)
    if items.isEmpty {
      Terminal.error.line("hdrbatch: notice: no item of the manifest is in this shard (\(source))")
      return
    }
    prepared.options.onExisting = existing
    prepared.options.keepsRejected = try RenderCommand.keepsRejected(invocation, text.recipe)
    prepared.options.journal = batch.journalOptions(out: out, text.recipe, manifest.recipeDigest)
    prepared.options.journal?.resumes = resumes
    prepared.options.journal?.verifies = invocation[Settings.resuming.resume] == .verify
    prepared.options.journal?.retriesQuarantined = invocation[Settings.resuming.retryQuarantined]
    prepared.options.journal?.retriesRejected = invocation[Settings.resuming.retryRejected]
    prepared.options.journal?.label = shard.label
    prepared.options.journal?.shard = source
    prepared.options.journal?.manifest = manifest.digest
    if invocation[options.shard]?.hasPrefix("auto") == true {
      Terminal.error.line("hdrbatch: notice: shard from \(source)")
    }
    try batch.run(items, prepared.options)
  }

  /// Returns the shard of items, and the option or variable that gave it.
  private static func shard(_ invocation: Invocation) throws(UsageError) -> (Shard, String) {
    if let items = invocation[options.items] { return (.items(try ItemRange(items)), "--items \(printable(items))") }
    if let frames = invocation[options.frames] {
      return (.frames(try ItemRange(frames: frames)), "--frames \(printable(frames))")
    }
    if let shard = invocation[options.shard] { return try Shard.parse(shard) }
    return (.all, "all")
  }
}

extension Invocation {
  /// A copy with absolute paths of journal and record.
  fileprivate var withAbsolutePaths: Invocation {
    var result = self
    for (key, itself) in [(Settings.reports.journal, "none"), (Settings.reports.record, "-")] {
      guard let path = self[key], path != itself, let absolute = FilePath(path).absolute.text else { continue }
      try? result.values.set(key, absolute)
    }
    return result
  }
}
