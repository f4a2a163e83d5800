import HDRCore
import Kernels

/// Rolls the picture up as a page that casts a shadow on the input. The shadow fades over the last tenth of the time.
enum PageCurlWithShadowTransition: Filter {
  static let name = "page-curl-with-shadow-transition"
  static let summary = "from the picture to the input: a page that is rolled up and casts a shadow"
  static let category = FilterCategory.transition
  static let size = FilterParameter("shadow-size", .number(0.5, 0...1), "length of the shadow, times the roll's width")
  static let amount = FilterParameter("shadow-amount", .number(0.7, 0...1), "strength of the shadow")
  static let parameters = [
    Compositing.input, PageCurl.backside, Dissolve.time, PageCurl.angle, PageCurl.radius, size, amount,
  ]
  static let alpha = AlphaRule.premultiplied
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    PageCurlTransition.largest(values, content, inputs)
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let rest = min(10 * (1 - values.value(Dissolve.time)), 1)
    let length = 2 * values.value(PageCurl.radius) * max(values.value(size), 0x1p-10)
    try PageCurl.apply(values, shading: nil, shadow: (rest * values.value(amount), length), to: &edit)
  }
}
