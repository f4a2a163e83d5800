import HDRCore

/// Applies the gain map of an input to the picture, stretched over it (ISO 21496-1; docs/gain-map-maths.md#applying).
///
/// Gains apply in the primaries that the map's file states. If the input is stored rotated or cropped, so is the map.
enum ApplyGainMap: Filter {
  static let name = "apply-gain-map"
  static let summary = "the gain map of an input, applied to the picture"
  static let category = FilterCategory.tone
  static let input = FilterParameter("input", .input(nil), "a picture with a gain map")
  static let display = FilterParameter(
    "headroom", .number(nil, 1...65536), "headroom that the map is to give, over reference white; without it all")
  static let parameters = [input, display]
  static let headroomEffect = HeadroomEffect.recomputed

  /// Returns the headroom of the rendition that the map leads to, if the picture is the one that it was made for.
  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    guard content.stops < 100, let most = values.input(input).flatMap(inputs) else { return nil }
    return max(content, values.number(display).map { min(most, Headroom(factor: $0)) } ?? most)
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let name = values.input(input) ?? ""
    guard case .picture(let found) = try edit.content(name).content else {
      throw .invalidParameter("\(self.name): input \"\(name)\" is no picture")
    }
    let source = found.withRGBPlanes
    guard let map = source.gainMap, let placed = source.auxiliaryGainMap else {
      throw .invalidParameter("\(self.name): input \"\(name)\" has no gain map")
    }
    guard map.metadata.isComplete else {
      throw .missingChoice("\(self.name): the gain map of \"\(name)\" does not say its headroom")
    }
    let most = map.metadata.maxHeadroom
    let share = GainMapShare(
      map.metadata, display: values.number(display).map { Headroom(factor: $0) } ?? most,
      edit.recipe.applePartialHeadroom)
    if share.weight == 0 { return }
    let own = map.metadata.usesBaseColorSpace ? source.color : map.alternateColor ?? source.color
    let space = own.toBT2020 ?? .identity
    // A pass of its own: the map's stage reads source 1, at the picture's upright pixels.
    edit.use(edit.planes())
    var step = GainMapOperation(map, share, transfer: edit.recipe.appleMapTransfer, source: source)
    step.geometry = placed.geometry
    step.base = edit.axes
    edit.builder.add([.matrix(space.inverse ?? .identity), .gainMap(step), .matrix(space)])
    edit.builder.flush()
  }
}
