import HDRCore

/// Shades of a warm brown; luminance is kept.
enum SepiaTone: Filter {
  static let name = "sepia-tone"
  static let summary = "shades of a warm brown; luminance stays"
  static let category = FilterCategory.color
  static let intensity = FilterParameter("intensity", .number(1, 0...1), "share of the shades")
  static let parameters = [intensity]
  static let headroomEffect = HeadroomEffect.recomputed

  /// The tint in linear BT.2020 of luminance 1: sRGB (1, 0.85, 0.65), a choice of this project, brightened.
  static let tint: [Double] = {
    let color = (Primaries.bt709.matrix(to: .bt2020) ?? .identity) * [1, 0.85, 0.65].map { Transfer.sRGBDecode($0) }
    let luminance = zip(color, ColorTransform.luminance).map(*).reduce(0, +)
    return color.map { $0 / luminance }
  }()

  static func matrix(_ values: FilterValues) -> Matrix3 {
    ColorTransform.tinted(tint, amount: values.value(intensity))
  }

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    ColorTransform.headroom(matrix(values), after: content)
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) { edit.matrix(matrix(values)) }
}
