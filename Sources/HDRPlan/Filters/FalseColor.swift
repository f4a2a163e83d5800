import HDRCore

/// Luminance as the place between two colours in linear light: color0 + Y (color1 - color0). Light above white
/// continues beyond the second.
enum FalseColor: Filter {
  static let name = "false-color"
  static let summary = "luminance as the place between two colours"
  static let category = FilterCategory.color
  static let color0 = FilterParameter("color0", .color([0.3, 0, 0]), "what black becomes, encoded sRGB")
  static let color1 = FilterParameter("color1", .color([1, 0.9, 0.8]), "what white becomes")
  static let parameters = [color0, color1]
  static let headroomEffect = HeadroomEffect.unknown

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let dark = values.color(color0), bright = values.color(color1)
    let rows = (0..<3).flatMap { i in ColorTransform.luminance.map { (bright[i] - dark[i]) * $0 } }
    edit.matrix(Matrix3(rows))
    edit.affine(scale: [1, 1, 1], offset: Array(dark.prefix(3)))
  }
}
