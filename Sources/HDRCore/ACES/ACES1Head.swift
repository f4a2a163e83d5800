/// ACES 1 changes scene light in AP0 before its tones: it adds glow, and makes reds less saturated.
package enum ACES1Head {
  /// Returns the light after glow and the change of reds; none is negative.
  package static func apply(_ aces: [Double]) -> [Double] {
    var v = aces
    let saturation = saturation(v), glow = 1 + glow(v, saturation)
    v = v.map { $0 * glow }
    let share = redShare(v)
    v[0] += share * self.saturation(v) * (0.03 - v[0]) * 0.18
    return v.map { max($0, 0) }
  }

  private static func saturation(_ v: [Double]) -> Double {
    let most = v.max()!, least = v.min()!
    return (max(most, 1e-10) - max(least, 1e-10)) / max(most, 0.01)
  }

  /// Returns what is added to 1: most for dark and saturated colours.
  private static func glow(_ v: [Double], _ saturation: Double) -> Double {
    let (r, g, b) = (v[0], v[1], v[2])
    let chroma = max(0, b * (b - g) + g * (g - r) + r * (r - b)).squareRoot(), light = (r + g + b + 1.75 * chroma) / 3
    let u = 5 * (saturation - 0.4), t = max(0, 1 - abs(u) / 2)
    let amount = 0.025 * (1 + (u < 0 ? -1 : 1) * (1 - t * t))
    if light >= 0.16 { return 0 }
    return light <= 0.16 / 3 ? amount : amount * (0.08 / light - 0.5)
  }

  private static func redShare(_ v: [Double]) -> Double {
    let x = 2 * v[0] - v[1] - v[2], y = (3.0).squareRoot() * abs(v[1] - v[2])
    return x > 0 ? redShare(place: y / (x + y)) : 0
  }

  /// Returns the share of a red: 1 at hue 0, and 0 from 67.5 degrees on, by a cubic B-spline.
  ///
  /// - Parameter place: y / (x + y) of the hue's components, which are not negative; 0...1.
  package static func redShare(place: Double) -> Double {
    guard place > 0 else { return 1 }
    let s = ExactMath.degrees(y: place, x: 1 - place) / 33.75
    if s >= 2 { return 0 }
    return s < 1 ? 1 - 1.5 * s * s + 0.75 * s * s * s : (2 - s) * (2 - s) * (2 - s) / 4
  }
}
