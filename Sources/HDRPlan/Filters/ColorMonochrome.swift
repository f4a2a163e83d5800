import HDRCore

/// Shifts colours towards one colour of the pixel's luminance: lerp(c, Y color, intensity).
enum ColorMonochrome: Filter {
  static let name = "color-monochrome"
  static let summary = "shades of one colour by luminance"
  static let category = FilterCategory.color
  static let color = FilterParameter("color", .color([0.6, 0.45, 0.3]), "what white becomes")
  static let intensity = FilterParameter("intensity", .number(1, 0...1), "share of the shades")
  static let parameters = [color, intensity]
  static let headroomEffect = HeadroomEffect.recomputed

  static func matrix(_ values: FilterValues) -> Matrix3 {
    ColorTransform.tinted(Array(values.color(color).prefix(3)), amount: values.value(intensity))
  }

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    ColorTransform.headroom(matrix(values), after: content)
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) { edit.matrix(matrix(values)) }
}
