import HDRCore

extension Plan {
  mutating func keep(_ image: SampleImage) {
    kept = image
    report.stageNames = []
  }

  /// Whether the plan only turns a source's Y'CbCr into R'G'B', pixel by pixel, and its codes are those of the target's
  /// file: 8 bits, BT.601, full range, chroma in the middle of its luma (ITU-T T.871).
  func keepsPlanes(of source: SourceImage, as recipe: RenderRecipe) -> Bool {
    let image = source.image
    guard let chroma = recipe.target.keptChroma, recipe.target.sink == .rgba8, recipe.dither == 0, passes.count == 1,
      image.model == .ycc, image.chroma == chroma, image.format == .uint8, image.bitDepth == 8, image.alpha == nil,
      chroma == .s444 || image.siting == .center, [5, 6].contains(source.color.matrix), source.color.fullRange
    else { return false }
    let pass = passes[0]
    return pass.stages.map(\.kind) == [.loadSamples, .yccToRGB] && pass.mapping == .identity
      && pass.width == image.width && pass.height == image.height
  }
}
