/// Puts an input over the picture: S + B (1 - alpha of S), premultiplied (specs/filters-and-luts.md §3.6).
enum SourceOver: Filter {
  static let name = "sourceOver"
  static let summary = "an input over the picture"
  static let category = FilterCategory.composite
  static let parameters = Compositing.parameters
  static let alpha = AlphaRule.premultiplied
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    Compositing.larger(values, content, inputs)
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    try Compositing.apply(.sourceOver, values, to: &edit)
  }
}
