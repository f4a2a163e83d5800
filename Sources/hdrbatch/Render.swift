import ArgumentParser
import BatchEngine
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

  @OptionGroup(title: "Batch")
  var batch: BatchArguments

  func validate() throws {
    if rendition.to != nil && extract != nil || rendition.to == nil && extract == nil && edit.recipe == nil {
      throw ValidationError("say what to make: either --to kind or --extract part")
    }
    if extract != nil && !edit.isEmpty {
      throw ValidationError("--extract takes parts out as they are: leave out filters and --recipe")
    }
  }

  func run() throws {
    let folder = FilePath(out)
    let recipe = try RecipeFile(edit)
    let commands = try commands(recipe)
    let found = try InputCollector.collect(inputs, excluding: folder)
    let edits = try edit.edits(recipe, limits: batch.limits)
    var outputs: [OutputChoice] = [], forms: [NamedForm] = []
    for command in commands {
      let (choice, form) = try command.output(edits, inputs: found, limits: batch.limits)
      outputs.append(choice)
      forms.append(form)
    }
    var options = BatchOptions(outputs: outputs)
    options.isStrict = commands.contains { $0.adaptive.strict }
    let items = try OutputPlan.make(found, out: folder, outputs: forms, onExisting: batch.onExisting)
    try batch.run(items, options)
  }

  /// This command once for every output of the recipe, with the recipe's options.
  private func commands(_ recipe: RecipeFile?) throws(UsageError) -> [Render] {
    guard let recipe else { return [self] }
    let words = Array(HDRBatch.arguments.dropFirst())
    if recipe.outputs.isEmpty {
      guard rendition.to != nil else { throw UsageError("say what to make: --to kind, or outputs in the recipe") }
      return [try recipe.command(nil, words)]
    }
    if rendition.to != nil || batch.name != nil {
      throw UsageError("the recipe names its outputs: leave out --to and --name")
    }
    var commands: [Render] = []
    for output in recipe.outputs { commands.append(try recipe.command(output, words)) }
    return commands
  }

  /// What one output is, and its name.
  private func output(
    _ edits: EditArguments.Edits, inputs: [InputItem], limits: DecodeLimits
  ) throws(UsageError) -> (OutputChoice, NamedForm) {
    var options = try rendition.options(inputs: inputs, limits: limits)
    try edit.apply(edits, to: &options)
    let product: ItemProduct
    if let extract { product = .extract(extract) } else { product = try adaptive.product(rendition.to, rendition) }
    let form = rendition.to?.form ?? OutputForm(fileExtension: "png", target: "extract-\(extract?.rawValue ?? "")")
    return (OutputChoice(options, product), NamedForm(form, try batch.template))
  }
}
