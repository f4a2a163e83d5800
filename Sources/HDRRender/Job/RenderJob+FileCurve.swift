import HDRCore
import HDRPlan
import ImageFiles

extension ToneChoice {
  fileprivate var wantsFileCurve: Bool {
    if case .named(let name, _) = self { name == FileCurveTone.name } else { false }
  }
}

extension RenderJob {
  /// Returns the options with the curve of the file to render, if their operator wants it.
  func withFileCurve(_ rendition: RenditionOptions, of source: SourceImage) throws(HDRError) -> RenditionOptions {
    guard rendition.recipe.tone.wantsFileCurve else { return rendition }
    var result = rendition
    result.recipe.fileCurve = try fileCurve(of: source, rendition)
    return result
  }

  /// Returns the curve between the file's own renditions, from small copies of both; `nil` without a gain map.
  private func fileCurve(of source: SourceImage, _ rendition: RenditionOptions) throws(HDRError) -> FileCurve? {
    guard let map = source.gainMap?.metadata, map.isComplete else { return nil }
    func small(_ display: DisplayChoice) throws(HDRError) -> SampleImage {
      var recipe = RenderRecipe(
        target: OutputSignal(
          primaries: Planner.workingPrimaries, encoding: .linear, sink: .rgba16f, isOpaque: true), display: display,
        tone: .none, gamut: .none)
      recipe.beyond = .keep
      recipe.edits = [FilterStep("thumbnail", ["size": .number(512)])]
      recipe.appleMapTransfer = rendition.recipe.appleMapTransfer
      recipe.applePartialHeadroom = rendition.recipe.applePartialHeadroom
      return try render(try plan(source, recipe))
    }
    return FileCurve(sdr: try small(.standard), hdr: try small(.high), headroom: map.maxHeadroom)
  }
}
