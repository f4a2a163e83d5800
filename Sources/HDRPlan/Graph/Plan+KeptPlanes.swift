import HDRCore

extension Plan {
  mutating func keep(_ image: SampleImage) {
    kept = image
    report.stageNames = []
  }

  /// Returns true if the plan only converts a source's Y'CbCr to R'G'B', or also back to the same codes.
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

  /// Returns true if depth, chroma and the meaning of codes stay the same. Then nothing is rounded or interpolated, and
  /// codes outside 0...1 stay too.
  private func keepsCodes(of source: SourceImage, as recipe: RenderRecipe) -> Bool {
    let image = source.image, target = recipe.target, cicp = report.outputCICP
    guard target.keepsPlanes, image.bitDepth == target.bitDepth, image.chroma == target.chroma,
      !image.chroma.isSubsampled || image.siting.horizontallyCosited && !image.siting.verticallyCosited
    else { return false }
    return source.color.matrix == cicp.matrix && source.color.fullRange == cicp.fullRange
  }

  /// Returns true if the source's codes are those of a JPEG file: 8 bits, BT.601, full range, chroma in the middle of
  /// its luma (ITU-T T.871).
  private func keepsJPEG(of source: SourceImage, as recipe: RenderRecipe) -> Bool {
    let image = source.image
    guard let chroma = recipe.target.keptChroma, recipe.dither == 0 else { return false }
    return image.chroma == chroma && image.format == .uint8 && image.bitDepth == 8
      && (chroma == .s444 || image.siting == .center) && [5, 6].contains(source.color.matrix) && source.color.fullRange
  }
}
