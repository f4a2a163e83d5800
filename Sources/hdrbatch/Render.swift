import ArgumentParser
import BatchEngine
import CodecService
import HDRCore
import ImageFiles

/// `hdrbatch render`: the main job.
struct Render: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Renders photos into PQ, HLG, SDR or Adaptive HDR files, edited on the way.",
    discussion: """
      Reads HEIC, HEIF, HIF, AVIF, JPEG and PNG, with or without gain maps. Sub-folders of a folder INPUT are kept below \
      --out. An input is never overwritten; every output is written under a temporary name, checked, and renamed.
      """)

  @Argument(
    help: ArgumentHelp("Files, folders (all pictures below them) or @list.txt (one path a line).", valueName: "input"))
  var inputs: [String]

  @Option(help: ArgumentHelp("Folder for the outputs; made when it is not there.", valueName: "folder"))
  var out: String

  @OptionGroup(title: "Rendition")
  var rendition: RenditionArguments

  @Option(
    help: ArgumentHelp(
      "Instead of --to: takes a part of files with gain maps out, as a PNG: base, gainmap or alternate.",
      valueName: "part"))
  var extract: GainMapPart?

  @OptionGroup(title: "Edits")
  var edit: EditArguments

  @OptionGroup(title: "Adaptive HDR")
  var adaptive: AdaptiveArguments

  @OptionGroup(title: "Outputs")
  var outputs: OutputArguments

  @Flag(help: "Goes on where an earlier run ended: what journals call done and is as it was is not done again.")
  var resume = false

  @Flag(help: "With --resume: tries inputs again that codec processes were lost on.")
  var retryQuarantined = false

  @OptionGroup(title: "Batch")
  var batch: BatchArguments

  func validate() throws {
    if rendition.to != nil && extract != nil || rendition.to == nil && extract == nil && edit.recipe == nil {
      throw ValidationError("say what to make: either --to kind or --extract part")
    }
    if extract != nil && !edit.isEmpty {
      throw ValidationError("--extract takes parts out as they are: leave out filters and --recipe")
    }
    if resume && outputs.onExisting != .fail {
      throw ValidationError("--resume replaces what is not done: leave out --on-existing")
    }
    if retryQuarantined && !resume { throw ValidationError("--retry-quarantined says how to --resume") }
    if resume && batch.journal == "none" { throw ValidationError("--resume reads journals: leave out --journal none") }
  }

  func run() throws {
    let folder = FilePath(out)
    let words = try CommandWords(HDRBatch.arguments.dropFirst())
    let found = try InputCollector.collect(inputs, excluding: folder)
    var prepared = try prepare(words.recipe, inputs: found, limits: batch.limits)
    // Unfinished outputs of an earlier run are written again.
    let existing = resume ? OnExisting.replace : outputs.onExisting
    let items = try OutputPlan.make(found, out: folder, outputs: prepared.forms, onExisting: existing)
    prepared.options.onExisting = existing
    prepared.options.journal = batch.journalOptions(
      out: folder, recipeDigest: SettingFiles.recipeDigest(of: words.recipe))
    prepared.options.journal?.resumes = resume
    prepared.options.journal?.retriesQuarantined = retryQuarantined
    try batch.run(items, prepared.options)
  }

  /// The outputs of every input, and their names.
  struct Prepared {
    var options: BatchOptions
    var forms: [NamedForm]
  }

  /// Reads all that the options name.
  ///
  /// - Parameters:
  ///   - words: arguments that decide pixels and names.
  ///   - inputs: needed if a LUT has no space.
  /// - Throws: `UsageError`.
  func prepare(_ words: [String], inputs: [InputItem], limits: DecodeLimits) throws(UsageError) -> Prepared {
    let recipe = try RecipeFile(edit)
    let commands = try commands(recipe, words + ["--out=\(out)", "--"] + self.inputs)
    let edits = try edit.edits(recipe, limits: limits)
    var choices: [OutputChoice] = [], forms: [NamedForm] = []
    for command in commands {
      let (choice, form) = try command.output(edits, inputs: inputs, limits: limits)
      choices.append(choice)
      forms.append(form)
    }
    var options = BatchOptions(outputs: choices)
    options.isStrict = commands.contains { $0.adaptive.strict }
    return Prepared(options: options, forms: forms)
  }

  /// This command once for every output of the recipe, with the recipe's options.
  private func commands(_ recipe: RecipeFile?, _ words: [String]) throws(UsageError) -> [Render] {
    guard let recipe else { return [self] }
    if recipe.outputs.isEmpty {
      guard rendition.to != nil else { throw UsageError("say what to make: --to kind, or outputs in the recipe") }
      return [try recipe.command(nil, words)]
    }
    if rendition.to != nil || outputs.name != nil {
      throw UsageError("the recipe names its outputs: leave out --to and --name")
    }
    var commands: [Render] = []
    for output in recipe.outputs { commands.append(try recipe.command(output, words)) }
    return commands
  }

  /// One output and its name.
  private func output(
    _ edits: EditArguments.Edits, inputs: [InputItem], limits: DecodeLimits
  ) throws(UsageError) -> (OutputChoice, NamedForm) {
    var options = try rendition.options(inputs: inputs, limits: limits)
    try edit.apply(edits, to: &options)
    let product: ItemProduct
    if let extract { product = .extract(extract) } else { product = try adaptive.product(rendition.to, rendition) }
    let form = rendition.to?.form ?? OutputForm(fileExtension: "png", target: "extract-\(extract?.rawValue ?? "")")
    return (OutputChoice(options, product), NamedForm(form, try outputs.template))
  }
}
