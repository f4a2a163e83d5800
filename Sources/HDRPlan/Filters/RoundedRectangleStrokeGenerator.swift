import HDRCore
import Kernels

/// The line around a rectangle with round corners, half inside and half outside.
enum RoundedRectangleStrokeGenerator: Filter {
  static let name = "rounded-rectangle-stroke-generator"
  static let summary = "the line around a rectangle with round corners"
  static let category = FilterCategory.generator
  static let width = FilterParameter("width", .number(10, 0...1_048_576), "of the line, in pixels")
  static let parameters = [RoundedShape.extent, RoundedShape.radius, width, RoundedShape.color, Pattern.exposure]
  static let alpha = AlphaRule.made
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    Emission.headroom(values, RoundedShape.color)
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    try RoundedShape.apply(name, values, line: values.value(width), to: &edit)
  }
}
