import HDRCore

/// Turns an extent of the picture into a quadrilateral, and what lies around it with it.
enum PerspectiveTransformWithExtent: Filter {
  static let name = "perspective-transform-with-extent"
  static let summary = "the corners of an extent moved to four places, and all around it moved alike"
  static let category = FilterCategory.geometry
  static let parameters = [Reduction.extent] + Quadrilateral.parameters + [Canvas.parameter, Warping.sampling]
  static let isGeometric = true
  static let alpha = AlphaRule.premultiplied

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let r = values.vector(Reduction.extent) ?? [0, 0, Double(edit.width), Double(edit.height)]
    guard r[2] > 0, r[3] > 0 else { throw .invalidParameter("\(name): the extent has no pixels") }
    guard let square = Matrix3.square(to: Quadrilateral.corners(values, edit)) else { throw Quadrilateral.fault(name) }
    let map = square * .diagonal(1 / r[2], 1 / r[3], 1) * .translation(-r[0], -r[1])
    if map.isIdentity() { return }
    try Canvas.apply(name, values, map, to: &edit)
  }
}
