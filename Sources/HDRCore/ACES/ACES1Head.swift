/// ACES 1 changes scene light in AP0 before its tones: it adds glow, and makes reds less saturated.
package struct ACES1Head: Sendable, Hashable {
  /// The largest glow, of dark saturated colours; the light whose glow is half of that; above twice that light is none.
  package var glow = 0.0, middle = 0.08
  /// The part of its saturation that a red loses, and the width of hues, in degrees, that count as red.
  package var redness = 0.0, width = 135.0
  /// True if green or blue follows red, so that the hue stays.
  package var keepsHue = false
  /// True if no result is negative.
  package var clamps = false

  /// Both, as the output transforms have them.
  package static let output = ACES1Head(glow: 0.05, redness: 0.18, clamps: true)
  /// One of them, of release 0.3 and of 1.0.
  package static let glow03 = ACES1Head(glow: 0.075, middle: 0.1), glow10 = ACES1Head(glow: 0.05)
  package static let red03 = ACES1Head(redness: 0.15, width: 120, keepsHue: true), red10 = ACES1Head(redness: 0.18)

  /// Returns the light after glow and the change of reds.
  package func apply(_ aces: [Double]) -> [Double] {
    let (amount, light) = Self.glow(aces, glow)
    let added = light >= 2 * middle ? 0 : light <= 2 * middle / 3 ? amount : amount * (middle / light - 0.5)
    let v = aces.map { $0 * (1 + added) }, share = redShare(v)
    return ended(turned(v, to: v[0] + share * Self.saturation(v) * (0.03 - v[0]) * redness, share))
  }

  /// Returns the light that becomes this.
  package func inverse(_ aces: [Double]) -> [Double] {
    let share = redShare(aces), part = share * redness, least = min(aces[1], aces[2])
    let half = aces[0] - part * (0.03 + least), square = half * half + 4 * (1 - part) * part * 0.03 * least
    let v = turned(aces, to: part > 0 ? (half + max(0, square).squareRoot()) / (2 * (1 - part)) : aces[0], part)
    let (amount, light) = Self.glow(v, glow)
    let taken =
      light >= 2 * middle
      ? 0
      : light <= (1 + amount) * 2 * middle / 3
        ? -amount / (1 + amount) : amount * (middle / light - 0.5) / (0.5 * amount - 1)
    return ended(v.map { $0 * (1 + taken) })
  }

  private func ended(_ v: [Double]) -> [Double] { clamps ? v.map { max($0, 0) } : v }

  /// Returns the colour with another red; if its hue is to stay, the larger of green and blue keeps its place between.
  private func turned(_ v: [Double], to red: Double, _ share: Double) -> [Double] {
    guard keepsHue, share > 0 else { return [red, v[1], v[2]] }
    let inner = v[1] >= v[2] ? 1 : 2, low = v[3 - inner]
    var result = [red, v[1], v[2]]
    result[inner] = (v[inner] - low) / max(1e-10, v[0] - low) * (red - low) + low
    return result
  }

  private static func saturation(_ v: [Double]) -> Double {
    let most = v.max()!, least = v.min()!
    return (max(most, 1e-10) - max(least, 1e-10)) / max(most, 0.01)
  }

  /// Returns the glow of a dark colour, most where it is saturated, and the light that it fades with.
  private static func glow(_ v: [Double], _ most: Double) -> (amount: Double, light: Double) {
    let (r, g, b) = (v[0], v[1], v[2])
    let chroma = max(0, b * (b - g) + g * (g - r) + r * (r - b)).squareRoot(), light = (r + g + b + 1.75 * chroma) / 3
    let u = 5 * (saturation(v) - 0.4), t = max(0, 1 - abs(u) / 2)
    return (most / 2 * (1 + (u < 0 ? -1 : 1) * (1 - t * t)), light)
  }

  private func redShare(_ v: [Double]) -> Double {
    let x = 2 * v[0] - v[1] - v[2], y = (3.0).squareRoot() * abs(v[1] - v[2])
    return x > 0 ? redShare(place: y / (x + y)) : 0
  }

  /// Returns the share of a red: 1 at hue 0, and 0 from half the width on, by a cubic B-spline.
  ///
  /// - Parameter place: y / (x + y) of the hue's components, which are not negative; 0...1.
  package func redShare(place: Double) -> Double {
    guard place > 0 else { return 1 }
    let s = ExactMath.degrees(y: place, x: 1 - place) / (width / 4)
    if s >= 2 { return 0 }
    return s < 1 ? 1 - 1.5 * s * s + 0.75 * s * s * s : (2 - s) * (2 - s) * (2 - s) / 4
  }
}
