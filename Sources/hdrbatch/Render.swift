import ArgumentParser
import BatchEngine
import HDRCore
import ImageFiles

/// `hdrbatch render`: the main job.
struct Render: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Renders photos into PQ, HLG or SDR files.",
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

  @OptionGroup(title: "Adaptive HDR")
  var adaptive: AdaptiveArguments

  @OptionGroup(title: "Batch")
  var batch: BatchArguments

  func validate() throws {
    if (rendition.to == nil) == (extract == nil) {
      throw ValidationError("say what to make: either --to kind or --extract part")
    }
  }

  func run() throws {
    let folder = FilePath(out)
    let found = try InputCollector.collect(inputs, excluding: folder)
    var options = BatchOptions(rendition: try rendition.options(inputs: found, limits: batch.limits))
    options.isStrict = adaptive.strict
    options.product = try adaptive.product(rendition.to, rendition)
    if let extract { options.product = .extract(extract) }
    let form = rendition.to?.form ?? OutputForm(fileExtension: "png", target: "extract-\(extract?.rawValue ?? "")")
    let items = try OutputPlan.make(
      found, out: folder, form: form, template: try NameTemplate(batch.name), onExisting: batch.onExisting)
    try batch.run(items, options)
  }
}
