import HDRCore
import Kernels

/// Repeats the picture over the plane of a 2x3 matrix.
enum AffineTile: PlaceFilter {
  static let name = "affine-tile"
  static let summary = "the picture through a 2x3 matrix, repeated"
  static let isGeometric = false
  static let category = FilterCategory.tile
  static let matrix = FilterParameter(
    "matrix", .vector([0.4, 0, 0, 0, 0.4, 0], size: 6, -1_048_576...1_048_576),
    "a, b, tx, c, d, ty: x' = a x + b y + tx, y' = c x + d y + ty in pixels from the top left corner")
  static let own = [matrix]
  static let samples = 3
  static let hasEdges = false

  static func formula(_ values: FilterValues, _ edit: inout Edit) throws(PlanError) -> PlaceFormula {
    let inverse = try Plane.inverse(name, Matrix3((values.vector(matrix) ?? []) + [0, 0, 1]))
    var formula = try Plane.formula(name, inverse, edit)
    let (a, b, c, d) = (inverse[0, 0], inverse[0, 1], inverse[1, 0], inverse[1, 1])
    let sum: Double = a * a + b * b + c * c + d * d, product: Double = a * d - b * c
    let rest: Double = max(sum * sum - 4 * product * product, 0)
    let largest: Double = ((sum + rest.squareRoot()) / 2).squareRoot()
    formula.samples = Int(min(max((largest - 1e-9).rounded(.up), 1), Placing.largest))
    return formula
  }
}

/// Repeats the picture over the plane of a quadrilateral, up to the horizon.
enum PerspectiveTile: PlaceFilter {
  static let name = "perspective-tile"
  static let summary = "the picture in a quadrilateral, repeated to the horizon"
  static let isGeometric = false
  static let category = FilterCategory.tile
  static let own = Quadrilateral.parameters
  static let samples = 4
  static let hasEdges = false

  static func formula(_ values: FilterValues, _ edit: inout Edit) throws(PlanError) -> PlaceFormula {
    let w = Double(edit.width), h = Double(edit.height)
    let usual = [[w / 6, h / 6], [5 * w / 6, h / 6], [5 * w / 6, 5 * h / 6], [w / 6, 5 * h / 6]]
    let corners = zip(Quadrilateral.parameters, usual).map { values.vector($0) ?? $1 }
    guard let square = Matrix3.square(to: corners) else { throw Quadrilateral.fault(name) }
    let inverse = try Plane.inverse(name, square * .diagonal(1 / w, 1 / h, 1))
    // The denominator is positive on the quadrilateral's side of the horizon.
    let middle = inverse * [(corners[0][0] + corners[2][0]) / 2, (corners[0][1] + corners[2][1]) / 2, 1]
    return try Plane.formula(name, middle[2] < 0 ? inverse * -1 : inverse, edit)
  }
}

/// The formula of a plane that repeats the picture.
enum Plane {
  static func inverse(_ name: String, _ map: Matrix3) throws(PlanError) -> Matrix3 {
    guard let inverse = map.inverse else { throw .invalidParameter("\(name): the matrix has no inverse") }
    // An affine map's inverse has the last row of the identity; this removes rounding errors from it.
    return map[2, 0] == 0 && map[2, 1] == 0 ? Matrix3(inverse.rows[..<6] + [0, 0, 1]) : inverse
  }

  /// - Parameter source: maps places in the result to places in the picture, centres at halves.
  static func formula(_ name: String, _ source: Matrix3, _ edit: Edit) throws(PlanError) -> PlaceFormula {
    let w = Double(edit.width), h = Double(edit.height)
    let most = [[0, 0, 1], [w, 0, 1], [0, h, 1], [w, h, 1]].map { (source * $0)[2] }.max() ?? 0
    guard most > 0, most.isFinite, source.rows.allSatisfy({ abs($0 / most) < 1e6 }) else {
      throw .invalidParameter("\(name): nothing of the picture can be seen so")
    }
    let center = Matrix3([1, 0, 0.5, 0, 1, 0.5, 0, 0, 1]), back = Matrix3([1, 0, -0.5, 0, 1, -0.5, 0, 0, 1])
    let matrix = back * (source * (1 / most)) * center
    let isProjective = matrix[2, 0] != 0 || matrix[2, 1] != 0
    return PlaceFormula(
      shape: .plane, numbers: matrix.rows + [1 / w, 1 / h], wraps: (true, true), covers: isProjective)
  }
}
