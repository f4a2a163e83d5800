import HDRCore
import Kernels

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
    try Canvas.apply(name, values, map(name, values.vector(matrix)), to: &edit)
  }

  /// Returns the map of a matrix of 2x3 numbers.
  static func map(_ name: String, _ rows: [Double]?) throws(PlanError) -> Matrix3 {
    let m = Matrix3((rows ?? [1, 0, 0, 0, 1, 0]) + [0, 0, 1])
    guard abs(m.determinant) > 1e-9 else {
      throw .invalidParameter("\(name): the matrix makes a line of the picture")
    }
    return m
  }
}

/// The canvas of a picture that is moved freely: its own size, or expanded.
enum Canvas {
  static let parameter = FilterParameter(
    "canvas", .choice("same", ["same", "expand"]), "the picture's own size, or as large as what becomes of it")

  /// - Parameter map: from the picture to the result, y downwards; its denominator is positive where the picture is seen.
  static func apply(
    _ name: String, _ values: FilterValues, _ map: Matrix3, to edit: inout Edit
  ) throws(PlanError) {
    if values.choice(parameter) == "expand" { return try expand(name, values, map, to: &edit) }
    try edit.warp(
      name, width: edit.width, height: edit.height, Warping.sampling(values), source: inverse(name, map))
  }

  /// Shows all that becomes of the picture.
  static func expand(
    _ name: String, _ values: FilterValues, _ map: Matrix3, to edit: inout Edit
  ) throws(PlanError) {
    let corners = try corners(name, map, of: PictureSize(edit.width, edit.height))
    let x = corners.map { $0[0] }, y = corners.map { $0[1] }
    let left = (x.min()! + 1e-9).rounded(.down), top = (y.min()! + 1e-9).rounded(.down)
    try edit.warp(
      name, width: Edit.pixels(x.max()! - left - 1e-9, .up), height: Edit.pixels(y.max()! - top - 1e-9, .up),
      Warping.sampling(values), source: inverse(name, .translation(-left, -top) * map))
  }

  /// Returns the map from the result to the picture.
  static func inverse(_ name: String, _ map: Matrix3) throws(PlanError) -> Matrix3 {
    guard let inverse = map.inverse else { throw .invalidParameter("\(name): the matrix has no inverse") }
    // An affine map's inverse has the last row of the identity; this removes rounding errors from it.
    let isAffine = map[2, 0] == 0 && map[2, 1] == 0
    return isAffine ? Matrix3(inverse.rows[..<6] + [0, 0, 1]) : inverse
  }

  /// Returns the places of the picture's corners in the result, from the top left clockwise.
  ///
  /// - Throws: `PlanError.invalidParameter` if one lies at the horizon of the map or behind it.
  static func corners(_ name: String, _ map: Matrix3, of size: PictureSize) throws(PlanError) -> [[Double]] {
    let w = Double(size.width), h = Double(size.height)
    let corners = [[0, 0, 1], [w, 0, 1], [w, h, 1], [0, h, 1]].map { map * $0 }
    let most = corners.map { $0[2] }.max() ?? 0
    guard corners.allSatisfy({ $0[2] > 2 * WarpProjective.horizon * most }) else {
      throw .invalidParameter("\(name): a corner of the picture comes to lie behind the viewer")
    }
    return corners.map { [$0[0] / $0[2], $0[1] / $0[2]] }
  }
}
