import HDRCore
import Kernels

/// Mixes the picture and an input by time, premultiplied.
enum Dissolve: Filter {
  static let name = "dissolve"
  static let summary = "from the picture to the input: mixed by time"
  static let category = FilterCategory.transition
  static let time = FilterParameter("time", .number(0, 0...1), "0: the picture, 1: the input")
  static let parameters = [Compositing.input, time, Compositing.covering]
  static let alpha = AlphaRule.premultiplied
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    Compositing.larger(values, content, inputs)
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    try edit.mix(values, weight: values.value(time))
  }
}
