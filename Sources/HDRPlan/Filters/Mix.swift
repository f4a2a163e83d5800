import HDRCore
import Kernels

/// The picture over another one by an amount everywhere: picture · amount + input · (1 - amount), premultiplied.
enum Mix: Filter {
  static let name = "mix"
  static let summary = "the picture and an input behind it, mixed by an amount"
  static let category = FilterCategory.composite
  static let input = FilterParameter(Compositing.input.name, .input(nil), "the picture behind")
  static let amount = FilterParameter("amount", .number(1, 0...1), "1: the picture, 0: the input")
  static let parameters = [input, amount, Compositing.covering]
  static let alpha = AlphaRule.premultiplied
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    Compositing.larger(values, content, inputs)
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    try edit.mix(values, weight: 1 - values.value(amount))
  }
}
