import HDRCore

/// The picture through a 2x3 matrix: inverse mapping on premultiplied colour.
enum AffineTransform: Filter {
  static let name = "affine"
  static let summary = "scaled, turned, sheared and moved by a 2x3 matrix"
  static let category = FilterCategory.geometry
  static let matrix = FilterParameter(
    "matrix", .vector([1, 0, 0, 0, 1, 0], size: 6, -1_048_576...1_048_576),
    "a, b, tx, c, d, ty: x' = a x + b y + tx, y' = c x + d y + ty in pixels from the top left corner")
  static let parameters = [matrix, Canvas.parameter, Warping.sampling]
  static let isGeometric = true
  static let alpha = AlphaRule.premultiplied

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let m = Matrix3((values.vector(matrix) ?? [1, 0, 0, 0, 1, 0]) + [0, 0, 1])
    guard abs(m.determinant) > 1e-9 else { throw .invalidParameter("affine: the matrix makes a line of the picture") }
    try Canvas.apply(name, values, m, to: &edit)
  }
}

/// The canvas of a picture that is moved freely: its own size, or expanded.
enum Canvas {
  static let parameter = FilterParameter(
    "canvas", .choice("same", ["same", "expand"]), "the picture's own size, or as large as what becomes of it")

  /// - Parameter map: from the picture to the result, y downwards; its denominator is positive all over the picture.
  static func apply(
    _ name: String, _ values: FilterValues, _ map: Matrix3, to edit: inout Edit
  ) throws(PlanError) {
    var (width, height) = (edit.width, edit.height), map = map
    if values.choice(parameter) == "expand" {
      let w = Double(width), h = Double(height)
      let corners = [[0, 0, 1], [w, 0, 1], [0, h, 1], [w, h, 1]].map { map * $0 }.map {
        [$0[0] / $0[2], $0[1] / $0[2]]
      }
      let x = corners.map { $0[0] }, y = corners.map { $0[1] }
      let left = (x.min()! + 1e-9).rounded(.down), top = (y.min()! + 1e-9).rounded(.down)
      width = Edit.pixels(x.max()! - left - 1e-9, .up)
      height = Edit.pixels(y.max()! - top - 1e-9, .up)
      map = .translation(-left, -top) * map
    }
    guard let inverse = map.inverse else { throw .invalidParameter("\(name): the matrix has no inverse") }
    // An affine map's inverse has the last row of the identity; this removes rounding errors from it.
    let isAffine = map[2, 0] == 0 && map[2, 1] == 0
    try edit.warp(
      name, width: width, height: height, Warping.sampling(values),
      source: isAffine ? Matrix3(inverse.rows[..<6] + [0, 0, 1]) : inverse)
  }
}
