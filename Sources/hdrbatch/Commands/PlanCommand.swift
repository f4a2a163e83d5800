import BatchEngine
import CodecService
import HDRCore
import HDRRecipe
import HDRRender

/// `hdrbatch plan`: fixes the work of a batch in a manifest.
enum PlanCommand {
  struct Options: SettingGroup {
    var title: String { "What to make" }

    let out = SettingKey("out", .text("folder"), "Folder for the outputs.")
    let manifest = SettingKey("manifest", short: "o", .text("file.jsonl"), "The manifest; - is standard output.")
  }
  static let options = Options()

  static let command = Command(
    name: "plan", summary: "Writes a manifest of a batch, to be run in shards by one machine or many.",
    discussion: """
      Takes what render takes. The manifest holds the recipe, and no clock, host or user: planning twice gives the same \
      bytes. Paths are kept as they are given and counted from the folder where the plan is made.
      """,
    examples: ["plan PHOTOS --to adaptive-jpeg --out OUT -o m.jsonl", "run --manifest m.jsonl"],
    arguments: [RenderCommand.inputs],
    options: [options, ListOptions.all, PlaceOptions.all, FrameOptions.all] + RecipeOptions.groups
  ) { invocation in
    let text = try RecipeOptions.recipe(invocation)
    let manifest = try invocation.need(options.manifest), folder = FilePath(try invocation.need(options.out))
    try text.check()
    if invocation.arguments.contains("-") {
      throw UsageError("a pipe cannot be planned: give files, or render - at once")
    }
    let limits = DecodeLimits(), isolation = IsolationOptions()
    let found = try RecipeOptions.inputs(invocation, text.recipe, out: folder, limits: limits, isolation: isolation)
    var prepared = try PreparedRecipe(text, inputs: found, limits: limits, isolation: isolation)
    try NameFactsReader.add(to: &prepared, text.recipe, for: found, limits: limits, isolation: isolation)
    // The run decides about existing outputs, not the plan.
    let items = try OutputNaming.make(found, out: folder, outputs: prepared.nameRules, onExisting: .replace)
    let plan = Manifest(
      items, folder: try .workingFolder(), out: folder, recipe: text.recipe, recipeDigest: prepared.digest)
    let bytes = try plan.readableBytes()
    if manifest == "-" {
      Terminal.output.write(String(decoding: bytes, as: UTF8.self))
    } else {
      try writeBytes(bytes, to: FilePath(manifest))
    }
    Terminal.error.line("hdrbatch: \(plan.rows.count) items, manifest \(plan.digest.hex.prefix(16))")
  }
}
