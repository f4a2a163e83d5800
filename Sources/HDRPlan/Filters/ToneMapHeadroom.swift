import HDRCore

/// Tone maps from one headroom to another by the Reference White operator (docs/tone-formulas.md#reference-white).
/// Nothing happens if the target is not smaller.
enum ToneMapHeadroom: Filter {
  static let name = "tone-map-headroom"
  static let summary = "tone maps to a smaller headroom (Reference White)"
  static let category = FilterCategory.tone
  static let source = FilterParameter(
    "source-headroom", .number(nil, 1...65_536),
    "peak of the light over reference white; without it the content headroom")
  static let target = FilterParameter("target-headroom", .number(1, 1...65_536), "peak that it gets")
  static let parameters = [source, target]
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    let known = content.stops > 100 ? .nominal : content, target = Headroom(factor: values.value(target))
    let from = values.number(source).map { Headroom(factor: $0) } ?? known
    return from <= target ? content : target
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let content = values.number(source).map { Headroom(factor: $0) } ?? edit.headroom ?? .nominal
    edit.add(
      ReferenceWhiteTone.operations(content: content, display: Headroom(factor: values.value(target)), ToneValues()))
  }
}
