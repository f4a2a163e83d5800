import HDRCore

extension Plan {
  mutating func keep(_ image: SampleImage) {
    kept = image
    report.stageNames = []
  }

  /// Whether the plan only turns a source's Y'CbCr into R'G'B' and back into the same codes, or one of the two ways.
  func keepsPlanes(of source: SourceImage, as recipe: RenderRecipe) -> Bool {
    let image = source.image
    guard passes.count == 1, passes[0].mapping == .identity, passes[0].width == image.width,
      passes[0].height == image.height, image.model == .ycc, image.alpha == nil
    else { return false }
    let stages = passes[0].stages.map(\.kind)
    switch recipe.target.sink {
    case .rgba8: return stages == [.loadSamples, .yccToRGB] && keepsJPEG(of: source, as: recipe)
    case .planarYCC: return stages == [.loadSamples, .yccToRGB, .rgbToYCC] && keepsCodes(of: source, as: recipe)
    default: return false
    }
  }

  /// Whether depth, chroma and what codes mean stay as they are; then nothing is rounded or interpolated, and codes
  /// outside 0...1 stay too.
  private func keepsCodes(of source: SourceImage, as recipe: RenderRecipe) -> Bool {
    let image = source.image, target = recipe.target, cicp = report.outputCICP
    guard target.keepsPlanes, image.bitDepth == target.bitDepth, image.chroma == target.chroma,
      !image.chroma.isSubsampled || image.siting.horizontallyCosited && !image.siting.verticallyCosited
    else { return false }
    return source.color.matrix == cicp.matrix && source.color.fullRange == cicp.fullRange
  }

  /// Whether the source's codes are those of a JPEG file: 8 bits, BT.601, full range, chroma in the middle of its luma
  /// (ITU-T T.871).
  private func keepsJPEG(of source: SourceImage, as recipe: RenderRecipe) -> Bool {
    let image = source.image
    guard let chroma = recipe.target.keptChroma, recipe.dither == 0 else { return false }
    return image.chroma == chroma && image.format == .uint8 && image.bitDepth == 8
      && (chroma == .s444 || image.siting == .center) && [5, 6].contains(source.color.matrix) && source.color.fullRange
  }
}
