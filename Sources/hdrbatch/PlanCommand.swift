import ArgumentParser
import BatchEngine
import CodecService
import HDRCore

/// `hdrbatch plan`: writes what a batch will do.
struct PlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Writes a manifest of a batch, to be run in shares by one machine or many.",
    discussion: """
      Takes what render takes. The manifest holds no clock, host or user: planning twice gives the same bytes. Paths are \
      kept as they are given and counted from the folder where the plan is made. docs/farm.md.
      """)

  @Argument(
    help: ArgumentHelp("Files, folders (all pictures below them) or @list.txt (one path a line).", valueName: "input"))
  var inputs: [String]

  @Option(help: ArgumentHelp("Folder for the outputs.", valueName: "folder"))
  var out: String

  @Option(
    name: [.customShort("o"), .long], help: ArgumentHelp("The manifest; - is standard output.", valueName: "file.jsonl")
  )
  var manifest: String

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

  @Option(help: NameTemplate.help)
  var name: String?

  func run() throws {
    let words = try CommandWords(HDRBatch.arguments.dropFirst()).recipe
    let folder = FilePath(out)
    let found = try InputCollector.collect(inputs, excluding: folder)
    let prepared = try Render.reading(words, out: out).prepare(words, inputs: found, limits: DecodeLimits())
    // Existing outputs are checked by the run.
    let items = try OutputPlan.make(found, out: folder, outputs: prepared.forms, onExisting: .replace)
    let plan = Manifest(
      items, folder: try .workingFolder(), out: folder, recipe: words,
      recipeDigest: SettingFiles.recipeDigest(of: words))
    if manifest == "-" {
      Terminal.output.write(String(decoding: plan.bytes, as: UTF8.self))
    } else {
      try writeResultFile(String(decoding: plan.bytes, as: UTF8.self), to: manifest)
    }
    Terminal.error.line("hdrbatch: \(plan.rows.count) items, manifest \(plan.digest.hex.prefix(16))")
  }
}

extension Render {
  /// The command of a manifest's arguments.
  ///
  /// - Throws: `UsageError`.
  static func reading(_ words: [String], out: String) throws(UsageError) -> Render {
    do {
      return try Render.parse(words + ["--out=\(out)", "--", "manifest"])
    } catch {
      throw UsageError(Render.message(for: error))
    }
  }
}
