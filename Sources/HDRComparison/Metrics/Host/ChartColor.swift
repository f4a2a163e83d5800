import HDRCore

/// Colours of SDR renditions for charts: CIELAB with the white of sRGB, and Oklab, of linear sRGB.
package struct ChartColor: Sendable, Hashable {
  package var lightness, a, b: Double

  package init(_ lightness: Double, _ a: Double, _ b: Double) {
    (self.lightness, self.a, self.b) = (lightness, a, b)
  }

  /// Makes CIELAB of linear sRGB.
  package init(lab r: Double, _ g: Double, _ b: Double) { self.init(r, g, b, ChartRow.toLab) }

  /// Makes Oklab of linear sRGB.
  package init(oklab r: Double, _ g: Double, _ b: Double) { self.init(r, g, b, ChartRow.toOklab) }

  private init(_ r: Double, _ g: Double, _ b: Double, _ turn: (inout ChartRow) -> Void) {
    var row = ChartRow(width: 1)
    row.append(r, g, b)
    turn(&row)
    self = row.color(0)
  }

  /// Returns the distance of two colours in their space.
  package func distance(to other: ChartColor) -> Double {
    let l = lightness - other.lightness, s = a - other.a, t = b - other.b
    return (l * l + s * s + t * t).squareRoot()
  }
}

extension ChartColor {
  private var chroma: Double { (a * a + b * b).squareRoot() }

  /// Returns CIEDE2000 of two colours in CIELAB, all weights 1. Source: ISO/CIE 11664-6; Sharma et al., 2005.
  package func difference2000(to other: ChartColor) -> Double {
    func seventh(_ c: Double) -> Double {
      let power = c * c * c * c * c * c * c
      return (power / (power + 6_103_515_625)).squareRoot()
    }
    let stretch = 1 + 0.5 * (1 - seventh((chroma + other.chroma) / 2))
    let p = ChartColor(lightness, a * stretch, b), q = ChartColor(other.lightness, other.a * stretch, other.b)
    let c = p.chroma, d = q.chroma, hasHues = c * d != 0
    let h = ExactMath.degrees(y: p.b, x: p.a), i = ExactMath.degrees(y: q.b, x: q.a)
    var turn = hasHues ? i - h : 0, middle = h + i
    if turn > 180 { turn -= 360 } else if turn < -180 { turn += 360 }
    if hasHues { middle = (abs(h - i) > 180 ? (h + i < 360 ? h + i + 360 : h + i - 360) : h + i) / 2 }
    let light = q.lightness - p.lightness, chromatic = d - c
    let hue = 2 * (c * d).squareRoot() * ExactMath.sin(degrees: turn / 2)
    let level = (p.lightness + q.lightness) / 2 - 50, mean = (c + d) / 2
    func cos(_ degrees: Double) -> Double { ExactMath.cos(degrees: degrees) }
    let t =
      1 - 0.17 * cos(middle - 30) + 0.24 * cos(2 * middle) + 0.32 * cos(3 * middle + 6) - 0.2 * cos(4 * middle - 63)
    let l = light / (1 + 0.015 * level * level / (20 + level * level).squareRoot())
    let s = chromatic / (1 + 0.045 * mean), u = hue / (1 + 0.015 * mean * t)
    let blue = (middle - 275) / 25
    let rotation = -ExactMath.sin(degrees: 60 * ExactMath.exp(-blue * blue)) * 2 * seventh(mean)
    return max(0, l * l + s * s + u * u + rotation * s * u).squareRoot()
  }
}
