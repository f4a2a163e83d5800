import ArgumentParser
import BatchEngine
import HDRCore
import HDRPlan
import ImageFiles

extension EditStrategy: ExpressibleByArgument {}

/// Options that edit pictures.
struct EditArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      A filter, or one with parameters: exposure=ev:0.5 or crop=rect:10/20/300/200. Several in their order, after those \
      of the recipe. `hdrbatch filters` lists them.
      """,
      valueName: "name=key:value,..."))
  var filter: [String] = []

  @Option(help: ArgumentHelp("A second picture that filters name.", valueName: "name=file"))
  var input: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Filters and gain maps: hdr edits the HDR rendition in full; sdr+gain edits base and map alike (filters that move \
      pixels only); sdr+hdr edits the rendition that the display shows, of adaptive-* both, with the map made anew; auto \
      is sdr+gain where it can be, else the SDR rendition for headroom 1 and hdr for more, of adaptive-* sdr+hdr.
      """,
      valueName: "strategy"))
  var editStrategy: EditStrategy?

  @Flag(
    help: """
      Filters that are not HDR safe get light that is tone mapped to SDR; without this they are refused where there is \
      more.
      """)
  var allowSdrFilter = false

  @Option(
    help: ArgumentHelp("Filters, inputs, options and outputs from a YAML or JSON file.", valueName: "file"))
  var recipe: String?

  @Option(
    help: ArgumentHelp(
      "Changes a parameter of the recipe: exposure.ev=0.5; the step by its filter or its name.",
      valueName: "step.parameter=value"))
  var set: [String] = []

  func validate() throws {
    if !set.isEmpty && recipe == nil { throw ValidationError("--set needs --recipe") }
  }

  /// Whether an option is given that only edits use.
  var isEmpty: Bool {
    filter.isEmpty && input.isEmpty && editStrategy == nil && !allowSdrFilter && recipe == nil
  }

  /// Filters and second pictures of all outputs: the recipe's, then the command line's.
  ///
  /// - Throws: `UsageError` for names and values that do not exist, and for inputs that cannot be read.
  func edits(_ recipe: RecipeFile?, limits: DecodeLimits) throws(UsageError) -> Edits {
    var edits = Edits()
    edits.steps = recipe?.steps.map(\.filter) ?? []
    for text in filter { edits.steps.append(try FilterText.step(text)) }
    var seen: Set<String> = []
    for text in input {
      let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard sides.count == 2, !sides[0].isEmpty, !sides[1].isEmpty else {
        throw UsageError("--input \(text): it is NAME=FILE")
      }
      guard seen.insert(sides[0]).inserted else { throw UsageError("--input \(text): \(sides[0]) is named twice") }
      edits.inputs[sides[0]] = try EditInputs.load(FilePath(sides[1]), "--input", limits: limits)
    }
    if let recipe {
      edits.inputs.merge(try EditInputs.load(recipe, except: seen, limits: limits)) { $1 }
    }
    try EditInputs.check(edits.steps, edits.inputs)
    return edits
  }

  struct Edits {
    var steps: [FilterStep] = []
    var inputs: [String: EditInput] = [:]
  }

  /// Puts edits into the options of an output.
  ///
  /// - Throws: `UsageError` for a strategy that cannot be carried out.
  func apply(_ edits: Edits, to rendition: inout RenditionOptions) throws(UsageError) {
    if edits.steps.isEmpty && (editStrategy != nil || allowSdrFilter) {
      throw UsageError("--edit-strategy and --allow-sdr-filter need filters")
    }
    rendition.edits = edits.steps
    rendition.inputs = edits.inputs
    rendition.editStrategy = editStrategy ?? .automatic
    rendition.allowsSDRFilters = allowSdrFilter
    if editStrategy == .sdrAndGain, let step = edits.steps.first(where: { $0.filter?.isGeometric == false }) {
      throw UsageError(
        "--edit-strategy sdr+gain: \(step.name) changes colour, and base and map are edited alike; "
          + "say hdr or sdr+hdr")
    }
  }
}
