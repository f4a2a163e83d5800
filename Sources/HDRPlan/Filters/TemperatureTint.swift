import HDRCore

/// Adapts from one white to another by linear Bradford (docs/filter-formulas.md#colour).
enum TemperatureTint: Filter {
  static let name = "temperature-tint"
  static let summary = "adapts from the white that a scene had to another one"
  static let category = FilterCategory.color
  static let neutral = FilterParameter(
    "neutral", .vector([6500, 0], size: 2, -1000...25000), "temperature in K and tint of the scene's white, or its x, y"
  )
  static let target = FilterParameter(
    "target-neutral", .vector([6500, 0], size: 2, -1000...25000), "temperature in K and tint that it gets, or x, y")
  static let parameters = [neutral, target]
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    (try? matrix(values)).flatMap { ColorTransform.headroom($0, after: content) }
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    edit.matrix(try matrix(values))
  }

  static func matrix(_ values: FilterValues) throws(PlanError) -> Matrix3 {
    let from = values.vector(neutral) ?? [6500, 0], to = values.vector(target) ?? [6500, 0]
    let source = try white(from, neutral), destination = try white(to, target)
    guard source != destination, let there = Primaries.bt2020.rgbToXYZ, let back = there.inverse else {
      return .identity
    }
    return back * Primaries.bradford(from: Primaries.xyz(source), to: Primaries.xyz(destination)) * there
  }

  /// Returns the white of a pair of numbers: x, y if the first is at most 10, else temperature and tint.
  static func white(_ pair: [Double], _ parameter: FilterParameter) throws(PlanError) -> Chromaticity {
    let white: Chromaticity
    if pair[0] <= 10 {
      white = Chromaticity(pair[0], pair[1])
    } else {
      guard WhiteLocus.range.contains(pair[0]) else {
        throw .invalidParameter("\(name): \(parameter.name) is \(WhiteLocus.range) K or x, y, not \(pair[0])")
      }
      white = WhiteLocus.white(temperature: pair[0], tint: pair[1])
    }
    guard white.x > 0.05, white.y > 0.05, white.x + white.y < 1 else {
      throw .invalidParameter("\(name): \(parameter.name) is no white: x \(white.x), y \(white.y)")
    }
    return white
  }
}

/// Whites by correlated colour temperature: the CIE daylight locus from 4000 K (CIE 15, clause 4.1.2), the Planckian
/// locus below in the cubic form of Kim et al. (US patent 7 024 034, as used by common references). The two lie 0.007
/// apart in x, y at 4000 K.
package enum WhiteLocus {
  /// The range of temperatures, in kelvin.
  package static let range = 1667.0...25000.0

  static func chromaticity(_ t: Double, isDaylight: Bool) -> Chromaticity {
    let m = 1000 / t
    if isDaylight {
      let x =
        t <= 7000
        ? ((-4.6070 * m + 2.9678) * m + 0.09911) * m + 0.244063 : ((-2.0064 * m + 1.9018) * m + 0.24748) * m + 0.237040
      return Chromaticity(x, (-3 * x + 2.870) * x - 0.275)
    }
    let x = ((-0.2661239 * m - 0.2343589) * m + 0.8776956) * m + 0.179910
    let y =
      t <= 2222
      ? ((-1.1063814 * x - 1.34811020) * x + 2.18555832) * x - 0.20219683
      : ((-0.9549476 * x - 1.37418593) * x + 2.09137015) * x - 0.16748867
    return Chromaticity(x, y)
  }

  /// Converts to CIE 1960 u, v.
  static func uv(_ c: Chromaticity) -> (u: Double, v: Double) {
    let d = -2 * c.x + 12 * c.y + 3
    return (4 * c.x / d, 6 * c.y / d)
  }

  static func xy(u: Double, v: Double) -> Chromaticity {
    let d = 2 * u - 8 * v + 4
    return Chromaticity(3 * u / d, 2 * v / d)
  }

  /// - Parameter tint: in 1/3000 of CIE 1960 u, v along the isotherm, that is at right angles to the locus; positive
  ///   towards magenta, smaller v.
  package static func white(temperature t: Double, tint: Double) -> Chromaticity {
    let isDaylight = t >= 4000, center = chromaticity(t, isDaylight: isDaylight)
    if tint == 0 { return center }
    let a = uv(chromaticity(t * 0.9999, isDaylight: isDaylight))
    let b = uv(chromaticity(t * 1.0001, isDaylight: isDaylight))
    let du = b.u - a.u, dv = b.v - a.v, length = (du * du + dv * dv).squareRoot()
    // At right angles to the locus, in the direction in which v falls.
    let sign: Double = du < 0 ? 1 : -1, step = tint / 3000
    let at = uv(center)
    return xy(u: at.u - sign * dv / length * step, v: at.v + sign * du / length * step)
  }
}
