import HDRCore

/// An input where a mask is bright, the picture where it is dark: B + (S - B) m, premultiplied, m the mask's luminance
/// clamped to 0...1.
enum BlendWithMask: Filter {
  static let name = "blend-with-mask"
  static let summary = "the input where a mask is white, the picture where it is black"
  static let category = FilterCategory.composite
  static let mask = FilterParameter("mask", .input(nil), "picture whose luminance, 0 to 1, is the input's share")
  static let parameters = [Compositing.input, mask, Compositing.covering]
  static let alpha = AlphaRule.premultiplied
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    Compositing.larger(values, content, inputs)
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    try edit.mix(values, mask: values.input(mask))
  }
}
