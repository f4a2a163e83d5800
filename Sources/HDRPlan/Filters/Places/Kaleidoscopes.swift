import HDRCore
import Kernels

/// Shows a triangle in three mirrors, darker after each one.
enum TriangleKaleidoscope: PlaceFilter {
  static let name = "triangle-kaleidoscope"
  static let summary = "a triangle between three mirrors, each dimming light and alpha"
  static let isGeometric = false
  static let effect = "dims light"
  static let category = FilterCategory.tile
  static let point = FilterParameter(
    "point", .vector(nil, size: 2, -1_048_576...1_048_576), "a corner, in pixels; without it the picture's centre")
  static let size = Placing.length("size", 700, from: 1, "side of the triangle in pixels")
  static let rotation = Placing.angle("rotation", 339.4, "of the triangle, in degrees counter-clockwise")
  static let decay = FilterParameter("decay", .number(0.85, 0...1), "what a mirror leaves")
  static let own = [point, size, rotation, decay]

  static func formula(_ values: FilterValues, _ edit: inout Edit) throws(PlanError) -> PlaceFormula {
    var formula = try Tile.formula(
      name, .dimmed, center: edit.place(values, point), angle: values.value(rotation), acute: 60,
      width: values.value(size), edit)
    let left = values.value(decay)
    formula.numbers.append(left > 0 ? max(ExactMath.log2(left), -64) : -64)
    formula.covers = true
    return formula
  }
}

/// Mirrors a sector of the picture around its point.
enum Kaleidoscope: PlaceFilter {
  static let name = "kaleidoscope"
  static let summary = "a sector mirrored around its point"
  static let category = FilterCategory.tile
  static let count = FilterParameter("count", .count(6, 1...64), "pairs of sectors")
  static let angle = Placing.angle("angle", 0, "of the first mirror, in degrees counter-clockwise")
  static let own = [Pattern.center, count, angle]

  static func formula(_ values: FilterValues, _ edit: inout Edit) -> PlaceFormula {
    let n = values.count(count) ?? 6, (c, s) = ExactMath.cosSin(degrees: values.value(angle))
    let half = ExactMath.cosSin(degrees: 180 / Double(n))
    return PlaceFormula(
      shape: .mirrors, center: edit.place(values, Pattern.center), numbers: [c, s, half.cos, half.sin], count: n)
  }
}

/// Shows the picture about the middle of each cell, scaled and turned.
enum OpTile: PlaceFilter {
  static let name = "op-tile"
  static let summary = "cells that each show the picture about their middle, scaled and turned"
  static let isGeometric = false
  static let category = FilterCategory.tile
  static let scale = FilterParameter("scale", .number(2.8, 0.01...100), "pixels of the picture for each of a cell")
  static let angle = Placing.angle("angle", 0, "of what cells show, in degrees counter-clockwise")
  static let width = Placing.length("width", 65, from: 1, "side of a cell in pixels")
  static let own = [Pattern.center, scale, angle, width]
  static let samples = 3

  static func formula(_ values: FilterValues, _ edit: inout Edit) -> PlaceFormula {
    let scale = values.value(scale), width = values.value(width)
    let (c, s) = ExactMath.cosSin(degrees: -values.value(angle))
    return PlaceFormula(
      shape: .cells, center: edit.place(values, Pattern.center), numbers: [1 / width, width, scale * c, scale * s],
      samples: Int(min(max(scale.rounded(.up), 1), Placing.largest)), rows: .around((1 + scale) * 0.7072 * width))
  }
}
