import HDRCore
import Kernels

/// Upright stripes of two colours.
enum Stripes: Filter {
  static let name = "stripes"
  static let summary = "upright stripes of two colours"
  static let category = FilterCategory.generator
  static let width = FilterParameter("width", .number(80, 0.5...65536), "width of a stripe in pixels")
  static let parameters = [
    Pattern.center, Pattern.color0, Pattern.color1, width, Checkerboard.sharpness, Pattern.exposure,
  ]
  static let alpha = AlphaRule.made
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    Pattern.headroom(values, [Pattern.color0, Pattern.color1])
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let cells = Pattern.cells(
      edit.width, center: edit.place(values, Pattern.center).x, width: values.value(width),
      sharpness: values.value(Checkerboard.sharpness))
    edit.pattern(.sum, values, columns: cells, rows: [Double](repeating: 0, count: edit.height))
  }
}
