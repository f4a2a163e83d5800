/// Coordinates of colour that other programs compute with, beside R, G, B or X, Y, Z: hue and saturation, chromaticities.
package enum ColorCoordinates: String, Sendable, Hashable, CaseIterable {
  /// Hue, 0 to 1, saturation and value of R, G, B. Colours with components below 0 have saturations from 1 to 2.
  case hsv
  /// Chromaticity and luminance of X, Y, Z: x, y, Y of CIE 1931; u', v', Y of CIE 1976.
  case xyY, uvY
  /// L*, u*, v* of CIE 1976 about D65, divided by 100.
  case luv

  /// u' and v' of D65, and the constants of L*.
  package static let white = (u: 0.19783001, v: 0.46831999)
  package static let dark = (slope: 9.0329629629629608, luminance: 0.008856451679, lightness: 0.08)

  /// Returns the numbers of a colour: R, G, B for HSV, X, Y, Z for the others.
  package func apply(_ c: [Double]) -> [Double] {
    switch self {
    case .hsv:
      let most = c.max()!, least = c.min()!, distance = most - least
      guard distance > 0 else { return [0, 0, most + min(least, 0)] }
      let turn =
        c[0] == most
        ? (c[1] - c[2]) / distance
        : c[1] == most ? 2 + (c[2] - c[0]) / distance : 4 + (c[0] - c[1]) / distance
      return [(turn < 0 ? turn + 6 : turn) / 6, distance / max(most, -least), most + min(least, 0)]
    case .xyY: return Self.ratios(c, [1, 1, 1], 1, 1)
    case .uvY: return Self.ratios(c, [1, 15, 3], 4, 9)
    case .luv:
      let uv = Self.ratios(c, [1, 15, 3], 4, 9), y = c[1]
      let lightness = y <= Self.dark.luminance ? Self.dark.slope * y : 1.16 * ExactMath.pow(y, 1.0 / 3) - 0.16
      return [lightness, 13 * lightness * (uv[0] - Self.white.u), 13 * lightness * (uv[1] - Self.white.v)]
    }
  }

  /// Returns the colour of numbers.
  package func inverse(_ v: [Double]) -> [Double] {
    switch self {
    case .hsv:
      let turn = 6 * (v[0] - v[0].rounded(.down)), share = min(max(v[1], 0), 1.999)
      var least = v[2] * (1 - share), most = v[2]
      if v[2] < 0 || share > 1 {
        least = (v[2] < 0 ? v[2] : least) / (2 - share)
        most = v[2] - least
      }
      let edges = [abs(turn - 3) - 1, 2 - abs(turn - 2), 2 - abs(turn - 4)]
      return edges.map { min(max($0, 0), 1) * (most - least) + least }
    case .xyY:
      let per = v[1] == 0 ? 0 : 1 / v[1]
      return [v[2] * v[0] * per, v[2], v[2] * (1 - v[0] - v[1]) * per]
    case .uvY: return Self.xyz(v[0], v[1], v[2])
    case .luv:
      let per = v[0] == 0 ? 0 : 1 / (13 * v[0]), t = (v[0] + 0.16) / 1.16
      let y = v[0] <= Self.dark.lightness ? v[0] / Self.dark.slope : t * t * t
      return Self.xyz(v[1] * per + Self.white.u, v[2] * per + Self.white.v, y)
    }
  }

  private static func xyz(_ u: Double, _ v: Double, _ y: Double) -> [Double] {
    let per = v == 0 ? 0 : 0.25 * y / v
    return [9 * u * per, y, (12 - 3 * u - 20 * v) * per]
  }

  private static func ratios(_ c: [Double], _ weights: [Double], _ first: Double, _ second: Double) -> [Double] {
    let sum = weights[0] * c[0] + weights[1] * c[1] + weights[2] * c[2], per = sum == 0 ? 0 : 1 / sum
    return [first * c[0] * per, second * c[1] * per, c[1]]
  }
}
