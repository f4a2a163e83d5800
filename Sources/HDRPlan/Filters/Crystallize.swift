import HDRCore
import Kernels

/// Areas of one colour around scattered points, one in each square of twice the radius. The colour is the mean light of
/// a square of the radius around the point.
enum Crystallize: Filter {
  static let name = "crystallize"
  static let summary = "areas of one colour around scattered points"
  static let category = FilterCategory.stylize
  static let radius = FilterParameter("radius", .number(20, 1...1000), "half the mean distance of points in pixels")
  static let parameters = [Pattern.center, radius]
  static let alpha = AlphaRule.premultiplied

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let r = values.value(radius)
    Mosaic.apply(
      name, .scattered, center: edit.place(values, Pattern.center), side: (2 * r, 2 * r), mean: r / 2, to: &edit)
  }
}

/// Dots of the radius at scattered points; the picture is transparent between them.
enum Pointillize: Filter {
  static let name = "pointillize"
  static let summary = "dots of one colour at scattered points, transparent between"
  static let category = FilterCategory.stylize
  static let parameters = Crystallize.parameters
  static let alpha = AlphaRule.made

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let r = values.value(Crystallize.radius)
    Mosaic.apply(
      name, .scattered, center: edit.place(values, Pattern.center), side: (2 * r, 2 * r), mean: r / 2, dot: r,
      to: &edit)
  }
}

/// Hexagons as wide as the scale, with the mean light of a square of half that side in their middle.
enum HexagonalPixellate: Filter {
  static let name = "hexagonal-pixellate"
  static let summary = "hexagons of one colour"
  static let category = FilterCategory.stylize
  static let scale = FilterParameter("scale", .number(8, 1...2000), "width of a hexagon in pixels")
  static let parameters = [Pattern.center, scale]
  static let alpha = AlphaRule.premultiplied

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let side = values.value(scale)
    Mosaic.apply(
      name, .hexagons, center: edit.place(values, Pattern.center), side: (side, side * 0.75.squareRoot()),
      mean: side / 4, to: &edit)
  }
}
