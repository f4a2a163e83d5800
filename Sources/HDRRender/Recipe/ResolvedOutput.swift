import CodecService
import HDRCore
import HDRPlan
import HDRRecipe
import ImageFiles

/// An output of a recipe with all its settings resolved: what a picture becomes.
package struct ResolvedOutput: Sendable {
  package var product = ItemProduct.rendition
  /// The rendition, or the options for the renditions of an Adaptive HDR file.
  package var rendition: RenditionOptions
  /// The colours that a config gives the output; `nil` where none is used.
  package var colors: ConfigColors?
  /// All settings of the output, for decisions about single pictures.
  package var settings = SettingValues()
  /// The digest of all that decides the output's pixels and files; `nil` without a recipe.
  package var digest: Digest?
  /// The output for a picture without HDR, which replaces this one; at most one.
  package var ofSDR: [ResolvedOutput] = []
  /// The filters whose values depend on the picture; `nil`: all are in `rendition`.
  var pictureSteps: Recipe.Steps?

  package init(_ rendition: RenditionOptions, _ product: ItemProduct = .rendition) {
    self.rendition = rendition
    self.product = product
  }

  /// The condition under which a file gets its name; `nil`: none.
  package var accept: AcceptExpression? { settings[Settings.acceptance.accept] }

  /// The quality of each file is searched for this goal; `nil`: it is stated.
  var qualityGoal: QualitySearch.Goal? { QualitySearch.Goal(settings) }

  /// True if files are compared with their renditions.
  package var isJudged: Bool { judging != nil }

  /// The metrics that files are compared by; `nil` if they are not judged.
  package var judging: Set<Metric>? {
    let expressions = [accept, qualityGoal?.target?.expression].compactMap(\.self)
    return expressions.isEmpty ? nil : expressions.reduce(into: []) { $0.formUnion($1.metrics) }
  }

  /// The options for reading each source.
  package var reading: ReadingOptions {
    var reading = ReadingOptions(settings)
    if let told = colors?.told { reading.space = told }
    return reading
  }

  /// True if OpenEXR is written and no filter moves pixels, so that those of OpenEXR inputs keep their places.
  var keepsPlaces: Bool {
    guard case .rendition = product, rendition.kind.format == .exr, pictureSteps == nil else { return false }
    return rendition.recipe.keepsPlaces
  }

  /// The HDR kind of the output, for records.
  package var hdrKind: String {
    switch product {
    case .rendition: rendition.kind.curve.rawValue
    case .adaptive(let options): "gain-map (iso\(options.base == .hdr ? ", HDR base" : ""))"
    case .extract(let part): part.rawValue
    case .recompress: "as read"
    }
  }

  /// The reason why it cannot be written here, in one line; `nil` if it can.
  package var missing: String? {
    switch product {
    case .rendition: rendition.kind.missing
    case .adaptive(let options): options.container.missing
    case .extract: nil
    case .recompress: AdaptiveContainer.jxl.missing
    }
  }

  /// The word after `--to`, for records.
  package var target: String {
    switch product {
    case .rendition: rendition.kind.rawValue
    case .adaptive(let options): "adaptive-\(options.container.rawValue)"
    case .extract(let part): "extract-\(part.rawValue)"
    case .recompress: KindNames.recompressed
    }
  }
}
