import HDRCore
import Kernels

/// A distortion that turns a disc; `shape` says how much at which share of the radius.
protocol DiscTurnFilter: PlaceFilter {
  static var shape: WarpPlace.Shape { get }
  static var angle: FilterParameter { get }
}

extension DiscTurnFilter {
  static var own: [FilterParameter] { [Pattern.center, PinchDistortion.radius, angle] }

  static func formula(_ values: FilterValues, _ edit: inout Edit) -> PlaceFormula {
    let r = values.value(PinchDistortion.radius), center = edit.place(values, Pattern.center)
    return PlaceFormula(
      shape: shape, center: center, numbers: [1 / (r * r), Placing.radians(values.value(angle))],
      rows: .disc(center, r))
  }
}

/// Turns a disc, most in the middle: by angle (1 - w)², w the squared share of the radius.
enum TwirlDistortion: DiscTurnFilter {
  static let name = "twirl-distortion"
  static let summary = "a disc turned, most in its middle"
  static let shape = WarpPlace.Shape.twirl
  static let angle = Placing.angle("angle", 180, "of the middle's turn, in degrees counter-clockwise")
}

/// Turns a disc like water at a drain: by angle (1 - r)², r the share of the radius.
enum VortexDistortion: DiscTurnFilter {
  static let name = "vortex-distortion"
  static let summary = "a disc turned as water at a drain; take samples: 3 above a turn"
  static let isGeometric = false
  static let shape = WarpPlace.Shape.vortex
  static let angle = Placing.angle("angle", 3240, "of the middle's turn, in degrees counter-clockwise")
}

/// Turns the rim of a disc on outwards.
enum LightTunnel: PlaceFilter {
  static let name = "light-tunnel"
  static let summary = "the rim of a disc drawn and turned outwards"
  static let radius = Placing.length("radius", 100, "of the disc in pixels")
  static let rotation = Placing.angle("rotation", 0, "turn for each radius outwards, in degrees counter-clockwise")
  static let own = [Pattern.center, radius, rotation]

  static func formula(_ values: FilterValues, _ edit: inout Edit) -> PlaceFormula {
    let r = values.value(radius), center = edit.place(values, Pattern.center)
    return PlaceFormula(
      shape: .tunnel, center: center, numbers: [r * r, r, Placing.radians(values.value(rotation))],
      rows: .between(center.y - r, center.y + r))
  }
}

/// Bends the picture around a circle: its lower edge on the circle, its left edge at the angle.
enum CircularWrap: PlaceFilter {
  static let name = "circular-wrap"
  static let summary = "the picture bent around a circle, its foot inwards"
  static let radius = Placing.length("radius", 150, "of the circle in pixels")
  static let angle = Placing.angle("angle", 0, "of the picture's left edge, in degrees counter-clockwise")
  static let own = [Pattern.center, radius, angle]
  static let samples = 2
  static let hasEdges = false

  static func formula(_ values: FilterValues, _ edit: inout Edit) -> PlaceFormula {
    let r = values.value(radius)
    return PlaceFormula(
      shape: .wrap, center: edit.place(values, Pattern.center),
      numbers: [values.value(angle) / 360, r, Double(edit.width) / (2 * Double.pi * r)], wraps: (true, false),
      covers: true)
  }
}

/// Shows the picture in itself without end, along a spiral.
///
/// The rectangle of the inset grows about its middle to the picture's shape. Directions and logarithms of distances from
/// the place that both have in common are turned into one another; the level is that whose frame holds the place.
enum Droste: PlaceFilter {
  static let name = "droste"
  static let summary = "the picture in a rectangle of itself, without end, as a spiral"
  static let isGeometric = false
  static let inset0 = FilterParameter(
    "inset-point0", .vector(nil, size: 2, -1_048_576...1_048_576), "a corner; without it a third of the picture")
  static let inset1 = FilterParameter(
    "inset-point1", .vector(nil, size: 2, -1_048_576...1_048_576), "the opposite; without it two thirds")
  static let strands = FilterParameter("strands", .count(1, -10...10), "arms of the spiral; below 0 the other way")
  static let periodicity = FilterParameter("periodicity", .count(1, 1...10), "insets for each turn")
  static let rotation = Placing.angle("rotation", 0, "of the result, in degrees counter-clockwise")
  static let zoom = FilterParameter("zoom", .number(1, 0.01...100), "of the result")
  static let own = [inset0, inset1, strands, periodicity, rotation, zoom]
  static let samples = 3

  static func formula(_ values: FilterValues, _ edit: inout Edit) throws(PlanError) -> PlaceFormula {
    let w = Double(edit.width), h = Double(edit.height)
    let p = values.vector(inset0) ?? [w / 3, h / 3], q = values.vector(inset1) ?? [2 * w / 3, 2 * h / 3]
    let ratio = max(abs(q[0] - p[0]) / w, abs(q[1] - p[1]) / h)
    guard ratio > 1e-6, ratio <= 0.95 else {
      throw .invalidParameter(
        "\(name): the inset takes up to 95 % of the picture's width and height, and more than none")
    }
    func fixed(_ a: Double, _ b: Double, _ size: Double) -> Double {
      let first = min(max((a + b) / 2 - ratio * size / 2, 0), size - ratio * size)
      return min(max(first / (1 - ratio), 0.01), size - 0.01)
    }
    let x = fixed(p[0], q[0], w), y = fixed(p[1], q[1], h), period = -ExactMath.log2(ratio) * 0.6931471805599453
    let turns = Double(values.count(strands) ?? 1) * period / (2 * Double.pi)
    return PlaceFormula(
      shape: .spiral, center: (x, y),
      numbers: [
        Double(values.count(periodicity) ?? 1), turns, ExactMath.log2(values.value(zoom)) * 0.6931471805599453,
        Placing.radians(values.value(rotation)), period, 1 / (w - x), 1 / x, 1 / (h - y), 1 / y,
      ])
  }
}
