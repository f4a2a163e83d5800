import HDRCore
import Kernels

/// Magnifies a disc, or makes it smaller: the radius times 1 - scale (1 - w)², w the squared share of the radius.
enum BumpDistortion: PlaceFilter {
  static let name = "bump-distortion"
  static let summary = "a round bump that magnifies, or a dent"
  static let radius = Placing.length("radius", 300, "of the bump in pixels")
  static let scale = FilterParameter("scale", .number(0.5, -1...1), "above 0 magnifies, below makes smaller")
  static let own = [Pattern.center, radius, scale]

  static func formula(_ values: FilterValues, _ edit: inout Edit) -> PlaceFormula {
    let r = values.value(radius)
    return PlaceFormula(
      shape: .bump, center: edit.place(values, Pattern.center), numbers: [1 / (r * r), values.value(scale)],
      rows: rows(r, values.value(scale)))
  }

  /// Returns the rows for a bump: r (1 - r²/R²)² is largest at R/√5.
  static func rows(_ radius: Double, _ scale: Double) -> PlaceRows { .around(0.2863 * radius * abs(scale)) }
}

/// Magnifies along a line, as `BumpDistortion` about a place.
enum BumpDistortionLinear: PlaceFilter {
  static let name = "bump-distortion-linear"
  static let summary = "a bump along a line that magnifies across it, or a dent"
  static let radius = Placing.length("radius", 300, "half of the bump's width in pixels")
  static let angle = Placing.angle("angle", 0, "of the line, in degrees counter-clockwise")
  static let own = [Pattern.center, radius, angle, BumpDistortion.scale]

  static func formula(_ values: FilterValues, _ edit: inout Edit) -> PlaceFormula {
    let r = values.value(radius), (c, s) = ExactMath.cosSin(degrees: values.value(angle))
    return PlaceFormula(
      shape: .line, center: edit.place(values, Pattern.center),
      numbers: [1 / (r * r), values.value(BumpDistortion.scale), -s, -c],
      rows: BumpDistortion.rows(r, values.value(BumpDistortion.scale)))
  }
}

/// Pulls a disc to its centre by powers of the radius, without a fold.
enum PinchDistortion: PlaceFilter {
  static let name = "pinch-distortion"
  static let summary = "a disc pulled towards its centre"
  static let radius = Placing.length("radius", 300, "of the disc in pixels")
  static let scale = FilterParameter("scale", .number(0.5, 0...2), "0 changes nothing")
  static let own = [Pattern.center, radius, scale]

  static func formula(_ values: FilterValues, _ edit: inout Edit) -> PlaceFormula {
    let r = values.value(radius), scale = values.value(scale), center = edit.place(values, Pattern.center)
    return PlaceFormula(
      shape: .pinch, center: center, numbers: [1 / (r * r), scale / (1 + scale) / 2], rows: .disc(center, r))
  }
}

/// Pushes the picture outwards from a transparent hole.
enum HoleDistortion: PlaceFilter {
  static let name = "hole-distortion"
  static let summary = "a round hole that pushes the picture outwards"
  static let radius = Placing.length("radius", 150, "of the hole in pixels")
  static let own = [Pattern.center, radius]

  static func formula(_ values: FilterValues, _ edit: inout Edit) -> PlaceFormula {
    let r = values.value(radius)
    return PlaceFormula(
      shape: .hole, center: edit.place(values, Pattern.center), numbers: [r * r, r], covers: true, rows: .around(r))
  }
}

/// Draws the colours of a circle's rim outwards.
enum CircleSplashDistortion: PlaceFilter {
  static let name = "circle-splash-distortion"
  static let summary = "the rim of a disc drawn outwards"
  static let radius = Placing.length("radius", 150, "of the disc in pixels")
  static let own = [Pattern.center, radius]

  static func formula(_ values: FilterValues, _ edit: inout Edit) -> PlaceFormula {
    let r = values.value(radius), center = edit.place(values, Pattern.center)
    return PlaceFormula(
      shape: .splash, center: center, numbers: [r * r, r], rows: .between(center.y - r, center.y + r))
  }
}

/// Lays a ring of glass on the picture, of circular section, seen from above.
enum TorusLensDistortion: PlaceFilter {
  static let name = "torus-lens-distortion"
  static let summary = "a ring of glass on the picture"
  static let radius = Placing.length("radius", 160, "outer radius in pixels")
  static let width = Placing.length("width", 80, "of the ring in pixels")
  static let refraction = FilterParameter("refraction", .number(1.7, 1...10), "refractive index of the glass")
  static let own = [Pattern.center, radius, width, refraction]

  static func formula(_ values: FilterValues, _ edit: inout Edit) -> PlaceFormula {
    let half = values.value(width) / 2, index = values.value(refraction)
    return PlaceFormula(
      shape: .torus, center: edit.place(values, Pattern.center),
      numbers: [values.value(radius), 1 / half, half, index * index], rows: .around(half))
  }
}

/// Lays a rod of glass with round ends on the picture.
enum GlassLozenge: PlaceFilter {
  static let name = "glass-lozenge"
  static let summary = "a rod of glass with round ends on the picture"
  static let point0 = FilterParameter(
    "point0", .vector(nil, size: 2, -1_048_576...1_048_576), "one end, in pixels; without it a third of the picture")
  static let point1 = FilterParameter(
    "point1", .vector(nil, size: 2, -1_048_576...1_048_576), "the other; without it two thirds of the picture")
  static let radius = Placing.length("radius", 100, "of the rod in pixels")
  static let own = [point0, point1, radius, TorusLensDistortion.refraction]

  static func formula(_ values: FilterValues, _ edit: inout Edit) -> PlaceFormula {
    let w = Double(edit.width), h = Double(edit.height), index = values.value(TorusLensDistortion.refraction)
    let p = values.vector(point0) ?? [w / 3, h / 3], q = values.vector(point1) ?? [2 * w / 3, 2 * h / 3]
    let (x, y) = (q[0] - p[0], q[1] - p[1]), square = x * x + y * y
    return PlaceFormula(
      shape: .lozenge, center: (p[0], p[1]),
      numbers: [x, y, square > 0 ? 1 / square : 0, 1 / values.value(radius), index * index],
      rows: .around(values.value(radius)))
  }
}
