import HDRCore

/// Turns a quadrilateral of the picture into a rectangle.
enum PerspectiveCorrection: Filter {
  static let name = "perspective-correction"
  static let summary = "a quadrilateral of the picture as a rectangle of its mean sides"
  static let category = FilterCategory.geometry
  static let crop = FilterParameter(
    "crop", .flag(true), "the quadrilateral alone; otherwise all of the picture, on a canvas as large as that becomes")
  static let parameters = Quadrilateral.parameters + [crop, Warping.sampling]
  static let isGeometric = true
  static let alpha = AlphaRule.premultiplied

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let p = Quadrilateral.corners(values, edit)
    guard let square = Matrix3.square(to: p) else { throw Quadrilateral.fault(name) }
    func side(_ a: Int, _ b: Int) -> Double {
      let x = p[a][0] - p[b][0], y = p[a][1] - p[b][1]
      return (x * x + y * y).squareRoot()
    }
    let width = max(1, Edit.pixels((side(0, 1) + side(3, 2)) / 2)),
      height = max(1, Edit.pixels((side(0, 3) + side(1, 2)) / 2))
    let source = square * .diagonal(1 / Double(width), 1 / Double(height), 1)
    guard values.flag(crop) else {
      guard let map = source.inverse else { throw Quadrilateral.fault(name) }
      return try Canvas.expand(name, values, map, to: &edit)
    }
    try edit.warp(name, width: width, height: height, Warping.sampling(values), source: source)
  }
}

/// Turns the picture into a quadrilateral.
enum PerspectiveTransform: Filter {
  static let name = "perspective-transform"
  static let summary = "the picture's corners moved to four places, transparent around"
  static let category = FilterCategory.geometry
  static let parameters = Quadrilateral.parameters + [Canvas.parameter, Warping.sampling]
  static let isGeometric = true
  static let alpha = AlphaRule.premultiplied

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    guard let square = Matrix3.square(to: Quadrilateral.corners(values, edit)) else { throw Quadrilateral.fault(name) }
    try Canvas.apply(name, values, square * .diagonal(1 / Double(edit.width), 1 / Double(edit.height), 1), to: &edit)
  }
}

/// Four corners, in pixels from the top left corner of the picture.
enum Quadrilateral {
  private static func corner(_ name: String, _ where: String) -> FilterParameter {
    FilterParameter(
      name, .vector(nil, size: 2, -1_048_576...1_048_576), "x, y in pixels; without it the picture's \(`where`) corner")
  }
  static let parameters = [
    corner("top-left", "top left"), corner("top-right", "top right"), corner("bottom-right", "bottom right"),
    corner("bottom-left", "bottom left"),
  ]

  /// Returns the corners in the order of `parameters`.
  static func corners(_ values: FilterValues, _ edit: Edit) -> [[Double]] {
    let w = Double(edit.width), h = Double(edit.height)
    return zip(parameters, [[0, 0], [w, 0], [w, h], [0, h]]).map { values.vector($0) ?? $1 }
  }

  static func fault(_ name: String) -> PlanError {
    .invalidParameter("\(name): the corners are not those of a convex quadrilateral, in order")
  }
}
