import CodecService
import HDRCore
import HDRPlan
import HDRRecipe
import ImageFiles

/// What is made of a picture: one of the outputs of a recipe.
package struct OutputChoice: Sendable {
  package var product = ItemProduct.rendition
  /// The rendition, or how the renditions of an Adaptive HDR file are made.
  package var rendition: RenditionOptions
  /// All settings of the output, for what they decide of single pictures.
  package var settings = SettingValues()
  /// Of all that decides the output's pixels and files; `nil` where no recipe made the choice.
  package var digest: Digest?
  /// What is made of a picture without HDR instead; one at most.
  package var ofSDR: [OutputChoice] = []
  /// Filters whose values depend on the picture; `nil`: those of `rendition` are all there is.
  var pictureSteps: Recipe.Steps?

  package init(_ rendition: RenditionOptions, _ product: ItemProduct = .rendition) {
    self.rendition = rendition
    self.product = product
  }

  /// What is read of each source.
  package var reading: ReadingOptions { ReadingOptions(settings) }

  /// HDR kind of the output, for records.
  package var hdrKind: String {
    switch product {
    case .rendition: rendition.kind.curve.rawValue
    case .adaptive(let options): "gain-map (iso\(options.base == .hdr ? ", HDR base" : ""))"
    case .extract(let part): part.rawValue
    case .recompress: "as read"
    }
  }

  /// Why it cannot be written here, in one line; `nil`: it can.
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
    case .recompress: OutputNames.recompressed
    }
  }
}
