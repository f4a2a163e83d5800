import HDRCore
import Kernels

/// A picture of one colour.
enum ConstantColorGenerator: Filter {
  static let name = "constant-color"
  static let summary = "a picture of one colour"
  static let category = FilterCategory.generator
  static let color = FilterParameter("color", .color([1, 0, 0, 1]), "encoded sRGB; 1 is white, more is brighter")
  static let parameters = [color, Pattern.exposure]
  static let alpha = AlphaRule.made
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    Pattern.headroom(values, [color])
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let light = Pattern.light(values, color)
    if light[3] < 1 { edit.makeTransparent() } else { edit.makeOpaque() }
    edit.stage(.constantColor, ConstantColor.words(light))
  }
}
