import BatchEngine
import CodecService
import HDRCore
import HDRRecipe
import HDRRender
import ImageFiles

/// `hdrbatch render`: renders pictures, the main job.
enum RenderCommand {
  struct Options: SettingGroup {
    var title: String { "What to make" }

    let out = SettingKey(
      "out", short: "o", .text("folder"),
      "Folder for the outputs; made when it is not there. Of one input, also the output's name: photo.jpg. - is standard "
        + "output: one picture, or frames in their order.")
    let dryRun = SettingKey(flag: "dry-run", short: "n", "Names the outputs and renders nothing.")
    let printRecipe = SettingKey(
      flag: "print-recipe", "Prints the recipe that the options mean, as YAML for --recipe, and renders nothing.")
  }
  static let options = Options()

  static let inputs = Command.Argument(
    name: "input", count: .any,
    help: "Files, folders (all pictures below them), @list.txt (one path a line), sequences (shot.%04d.png, "
      + "shot.####.png, shot.[1001-1100x2].png), or - for frames or a picture on standard input.")

  /// The argument `inputs` of commands that need at least one.
  static let someInputs = Command.Argument(name: "input", help: inputs.help)

  /// The options of `--help`.
  private static let brief: [(title: String, options: [(name: String, help: String)])] = [
    (
      "Output",
      [
        ("out", "Folder, or the file of one input; - is standard output."),
        ("to", "adaptive-jpeg (Ultra HDR), sdr-jpeg, pq-png, exr ... Default: by the ending of --out."),
        ("name", "Name or path of an output: {stem} {ext} {dir} {width} {date} {digest} ..."),
        ("on-existing", "Outputs that are there: fail (default), skip or replace."),
        ("dry-run", "Names the outputs and renders nothing."),
      ]
    ),
    (
      "Size and quality",
      [
        ("resize", "2048 for the longer side, 1920x1080, 1920x, 50%; :fill cuts to the box."),
        ("quality", "0...100, of lossy files. Default: 90."),
        ("max-bytes", "The largest size of a file, as 300K: finds the quality."),
        ("metadata", "all (default), no-location, copyright or none of Exif, XMP and IPTC."),
      ]
    ),
    (
      "Light and colour",
      [
        ("headroom", "Of the display: peak over white, as 4 or 2ev."),
        ("display", "Of the display: PEAK:WHITE in cd/m², as 1000:100, or a name."),
        ("tone-map", "How too much light is made less. Default: auto."),
        ("primaries", "bt2020, p3 or srgb."),
        ("if-sdr", "SDR pictures of adaptive-*: fail (default), skip, or sdr-jpeg and so on."),
      ]
    ),
    (
      "Edits",
      [
        ("filter", "As exposure=0.5 or crop=aspect:4:5; `hdrbatch filters` lists them."),
        ("lut", "A LUT: .cube, .clf and others."),
        ("recipe", "Filters, settings and outputs from a YAML file."),
      ]
    ),
    (
      "Batches",
      [
        ("frames", "Of a sequence: 1001-1100x2."),
        ("resume", "Goes on where an earlier run ended."),
        ("jobs", "Pictures in flight. Default: the processors."),
        ("backend", "auto (default), gpu or cpu."),
        ("progress", "human (default), none, jsonl or openjd."),
        ("record", "One JSON line an output."),
        ("gallery", "Makes a page to look at the batch."),
      ]
    ),
  ]

  static let command = Command(
    name: "render",
    summary: "Renders photos into PQ, HLG, SDR or Adaptive HDR (Ultra HDR) files, edited on the way.",
    discussion: """
      Reads \(readableFormats.joined(separator: ", ")), with or without gain maps. Sub-folders of a folder INPUT are kept below \
      --out. An input is never overwritten; every output is written under a temporary name, checked, and renamed.
      """,
    examples: [
      "render PHOTOS -o OUT --to adaptive-jpeg", "render PHOTOS -o OUT --to sdr-jpeg --quality 85",
      "render photo.heic -o OUT --to pq-png --headroom 4 --filter exposure=ev:0.5",
      "render PHOTOS -o OUT --recipe look.yaml --resume",
      "render shot.%04d.png -o OUT --to pq-png --frames 1001-1100 --missing hold",
      "render - -o - --from raw:p010,1920x1080 --cicp 9/18/9 --range limited --to pq-raw:p010",
    ],
    arguments: [inputs],
    options: [options, ListOptions.all, PlaceOptions.all, FrameOptions.all] + RecipeOptions.groups + [
      Settings.outputs, Settings.resuming, Settings.rejections,
    ]
      + Settings.runGroups,
    brief: brief
  ) { invocation in
    var text = try RecipeOptions.recipe(invocation)
    let batch = BatchSettings(invocation)
    let chosen = try EndingKind.add(to: &text, invocation, batch)
    if invocation[options.printRecipe] { return try printRecipe(text) }
    try batch.check()
    for row in [Settings.reports.explain, Settings.reports.record, Settings.reports.gallery] as [any SettingRow] {
      try invocation.refuse(
        invocation[options.dryRun] && invocation.has(row),
        "--dry-run renders nothing, and --\(row.setting.name) tells of what is rendered: give one of them")
    }
    if invocation.arguments.contains("-") || invocation[options.out] == "-" {
      try StreamRun.run(invocation, text, batch)
    }
    try checkResuming(invocation)
    if invocation.has(Settings.resuming.resume) && invocation[Settings.outputs.onExisting] != .fail {
      throw UsageError("--resume replaces what is not done: leave out --on-existing")
    }
    // Faults of the options are reported before folders are read.
    try text.check()
    let out = try OutOption(try invocation.need(options.out), text.recipe), folder = out.folder
    let found = try RecipeOptions.inputs(
      invocation, text.recipe, out: folder, limits: batch.limits, isolation: batch.isolation)
    var prepared = try PreparedRecipe(text, inputs: found, limits: batch.limits, isolation: batch.isolation)
    // The outputs that an earlier run did not finish are written again.
    let resumes = invocation.has(Settings.resuming.resume)
    let existing = resumes ? .replace : invocation[Settings.outputs.onExisting]
    try NameFactsReader.add(to: &prepared, text.recipe, for: found, limits: batch.limits, isolation: batch.isolation)
    try out.name(&prepared.nameRules, for: found)
    if let plain = prepared.nameRules.first(where: { !$0.template.hasExtension }) {
      Terminal.note("--name '\(plain.template.text)' gives files no extension; {ext} at its end does")
    }
    let items = try OutputNaming.make(found, out: folder, outputs: prepared.nameRules, onExisting: existing)
    if let chosen { Terminal.note(chosen) }
    if invocation[options.dryRun] {
      return dryRun(items, prepared.options.outputs, batch)
    }
    prepared.options.onExisting = existing
    prepared.options.keepsRejected = try keepsRejected(invocation, text.recipe)
    prepared.options.journal = batch.journalOptions(out: folder, text.recipe, prepared.digest)
    prepared.options.journal?.resumes = resumes
    prepared.options.journal?.verifies = invocation[Settings.resuming.resume] == .verify
    prepared.options.journal?.retriesQuarantined = invocation[Settings.resuming.retryQuarantined]
    prepared.options.journal?.retriesRejected = invocation[Settings.resuming.retryRejected]
    try batch.run(items, prepared.options)
  }

  /// Throws `UsageError` for settings of `--resume` that contradict each other.
  static func checkResuming(_ invocation: Invocation) throws(UsageError) {
    let resumes = invocation.has(Settings.resuming.resume)
    try invocation.refuse(
      invocation[Settings.resuming.retryQuarantined] && !resumes, "--retry-quarantined says how to --resume")
    try invocation.refuse(
      invocation[Settings.resuming.retryRejected] && !resumes, "--retry-rejected says how to --resume")
    try invocation.refuse(
      resumes && invocation[Settings.reports.journal] == "none", "--resume reads journals: leave out --journal none")
  }

  /// Returns true if files that are not accepted are kept.
  ///
  /// - Throws: `UsageError` where nothing is judged.
  static func keepsRejected(_ invocation: Invocation, _ recipe: Recipe) throws(UsageError) -> Bool {
    for row in [Settings.rejections.rejected, Settings.resuming.retryRejected] as [any SettingRow] {
      try invocation.refuse(
        invocation.has(row) && !recipe.isJudged,
        "--\(row.setting.name) is of files that are not accepted: give --accept, --quality-target or --max-bytes, or "
          + "accept in the recipe")
    }
    return invocation[Settings.rejections.rejected] == .keep
  }

  /// Names the outputs; those that pictures without HDR do not get are only counted.
  private static func dryRun(_ items: [BatchItem], _ outputs: [ResolvedOutput], _ batch: BatchSettings) {
    var leftOut = 0, known: [FilePath: Bool] = [:]
    let codecs = CodecsAtUse(batch.isolation, limits: batch.limits)
    defer { _ = codecs.close() }
    for item in items {
      let choice = outputs[item.variant]
      if case .adaptive = choice.product, choice.settings[Settings.adaptive.ifSDR] == .skip {
        var limits = batch.limits
        limits.reading = choice.reading
        // A file that cannot be read is an output that fails.
        let path = item.input.file
        let hasHDR = known[path] ?? (try? FileInspection(path, limits: limits, codecs: codecs))?.hasHDR ?? true
        known[path] = hasHDR
        if !hasHDR {
          leftOut += 1
          continue
        }
      }
      Terminal.output.line("\(item.input.display) -> \(item.output.display)")
    }
    if leftOut > 0 { Terminal.note("\(leftOut) outputs are left out, as their pictures have no HDR (--if-sdr skip)") }
  }

  /// Prints the recipe with absolute paths, so that it may be kept anywhere.
  private static func printRecipe(_ text: RecipeText) throws(UsageError) {
    try text.check()
    let recipe = text.recipe.replacingPaths { FilePath($0).absolute.text ?? $0 }
    Terminal.output.write(recipe.yaml)
  }
}
