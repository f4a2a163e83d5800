import HDRCore
import Kernels

/// Squares of two colours.
enum Checkerboard: Filter {
  static let name = "checkerboard"
  static let summary = "squares of two colours"
  static let category = FilterCategory.generator
  static let width = FilterParameter("width", .number(80, 0.5...65536), "side of a square in pixels")
  static let sharpness = FilterParameter(
    "sharpness", .number(1, 0...1), "below 1 borders are blended over 1 - sharpness of a square")
  static let parameters = [Pattern.center, Pattern.color0, Pattern.color1, width, sharpness, Pattern.exposure]
  static let alpha = AlphaRule.made
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    Pattern.headroom(values, [Pattern.color0, Pattern.color1])
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let (x, y) = edit.place(values, Pattern.center)
    func cells(_ size: Int, _ center: Double) -> [Double] {
      Pattern.cells(size, center: center, width: values.value(width), sharpness: values.value(sharpness))
    }
    edit.pattern(.parity, values, columns: cells(edit.width, x), rows: cells(edit.height, y))
  }
}
