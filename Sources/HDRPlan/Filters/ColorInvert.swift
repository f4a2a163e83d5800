import HDRCore

/// Inverts each component to 1 - c: light above reference white becomes negative.
enum ColorInvert: Filter {
  static let name = "color-invert"
  static let summary = "reference white minus the light; what is brighter becomes negative"
  static let category = FilterCategory.color
  static let parameters: [FilterParameter] = []
  static let headroomEffect = HeadroomEffect.unknown

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    edit.affine(scale: [-1, -1, -1], offset: [1, 1, 1])
  }
}
