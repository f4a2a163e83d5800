import HDRCore

/// The picture through a 2x3 matrix, and its border's pixels repeated all around.
enum AffineClamp: Filter {
  static let name = "affine-clamp"
  static let summary = "through a 2x3 matrix as affine; around the picture its border's pixels repeat"
  static let category = FilterCategory.geometry
  static let matrix = FilterParameter(
    "matrix", .vector([0.4, 0, 0, 0, 0.4, 0], size: 6, -1_048_576...1_048_576), AffineTransform.matrix.summary)
  static let parameters = [matrix, Warping.sampling]
  static let isGeometric = true
  static let alpha = AlphaRule.premultiplied

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let map = try AffineTransform.map(name, values.vector(matrix))
    if map.isIdentity() { return }
    try edit.warp(
      name, width: edit.width, height: edit.height, Warping.sampling(values), source: Canvas.inverse(name, map),
      repeatsBorder: true)
  }
}
