import HDRCore

/// Multiplies light by a colour, so that white becomes that colour; no chromatic adaptation.
enum WhitePointAdjust: Filter {
  static let name = "white-point-adjust"
  static let summary = "light times a colour: what white becomes"
  static let category = FilterCategory.color
  static let color = FilterParameter("color", .color([1, 1, 1]), "what white becomes")
  static let parameters = [color]
  static let headroomEffect = HeadroomEffect.recomputed

  static func matrix(_ values: FilterValues) -> Matrix3 {
    let c = values.color(color)
    return .diagonal(c[0], c[1], c[2])
  }

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    ColorTransform.headroom(matrix(values), after: content)
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) { edit.matrix(matrix(values)) }
}
