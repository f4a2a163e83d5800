import HDRCore

extension SourceImage {
  /// Returns the plan of this picture with `map` (its own if `nil`) applied for a display of `headroom`, as linear
  /// halves with 1.0 = reference white. Nothing but the map changes the light: no tone operator runs, colours outside
  /// the gamut stay.
  ///
  /// - Parameters:
  ///   - primaries: H.273 code of the result's primaries.
  /// - Throws: `PlanError.missingChoice` when there is no map, or what `Planner.plan` throws.
  package func applyingGainMap(
    _ map: GainMap? = nil, headroom: Headroom, primaries: Int = 9
  ) throws(PlanError) -> Plan {
    var source = self
    if let map { source.gainMap = map }
    guard source.gainMap != nil else { throw .missingChoice("the picture has no gain map, and none was given") }
    var recipe = RenderRecipe(
      target: OutputSignal(primaries: primaries, encoding: .linear, sink: .rgba16f), display: .headroom(headroom),
      tone: .none, gamut: .none)
    recipe.beyond = .keep
    return try Planner.plan(source, recipe)
  }
}
