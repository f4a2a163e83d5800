import CodecService
import HDRCore
import HDRPlan
import ImageFiles

extension RenderJob {
  /// Returns the recipe of a rendition. The content's headroom is measured if that was asked for, or if a tone operator
  /// needs it and the file does not state it or filters leave it unknown (docs/colour-formulas.md#headroom).
  func measured(
    _ source: SourceImage, _ rendition: RenditionOptions
  ) throws(HDRError) -> RenderRecipe {
    var recipe = rendition.recipe
    let source = recipe.settled(source)
    guard recipe.contentHeadroom == nil, recipe.view == nil else { return recipe }
    let isUnsaid = ContentHeadroom.ofFile(source).headroom == nil && recipe.mastering == nil
    var working = recipe
    working.leaveOutIdleFilters()
    // No operator tone maps an SDR rendition that was edited for SDR.
    let isUnbounded = working.headroom(afterEditing: .sdr) == nil && !working.editsSDR(source)
    let isUnknown = recipe.tone != .none && (isUnsaid || isUnbounded)
    guard let measure = rendition.contentMeasure ?? (isUnknown ? .maximum : nil) else { return recipe }
    // Light as it enters the operator: with the gain map applied fully or as filters need it, after filters and LUTs.
    var light = RenderRecipe(
      target: OutputSignal(primaries: Planner.workingPrimaries, encoding: .linear, sink: .rgba16f), display: .high,
      tone: .none, gamut: .none)
    light.beyond = .keep
    light.edits = working.edits
    light.inputs = recipe.inputs
    light.editStrategy = recipe.editStrategy
    if !working.movesPixelsOnly, let headroom = working.headroomToEdit(source) {
      (light.display, light.editStrategy) = (.headroom(headroom), .sdrAndHDR)
      light.applePartialHeadroom = recipe.applePartialHeadroom
    }
    light.allowsSDRFilters = recipe.allowsSDRFilters
    light.workingFormat = recipe.workingFormat
    light.luts = recipe.luts
    (light.input, light.look) = (recipe.input, recipe.look)
    light.mastering = recipe.mastering
    light.hlg = recipe.hlg
    light.appleMapTransfer = recipe.appleMapTransfer
    let lightPlan = try plan(source, light)
    defer { forgetRendered() }
    if let kept = try keepLight(lightPlan) {
      recipe.contentHeadroom = try kept.light.headroom(measure)
    } else {
      let (image, measured) = try render(lightPlan, measuring: StatisticsGauge())
      let statistics = measured ?? self.measure(.render) { LightStatistics(image, tools.backends.pool) }
      recipe.contentHeadroom = statistics.headroom(measure)
    }
    recipe.isContentMeasured = true
    return recipe
  }
}
