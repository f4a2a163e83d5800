import HDRCore

/// Colours of SDR renditions for charts: CIELAB with the white of sRGB, and Oklab, of linear sRGB.
package struct ChartColor: Sendable, Hashable {
  package var lightness, a, b: Double

  package init(_ lightness: Double, _ a: Double, _ b: Double) {
    (self.lightness, self.a, self.b) = (lightness, a, b)
  }

  private static let xyz = [
    0.4123907993, 0.3575843394, 0.1804807884, 0.2126390059, 0.7151686788, 0.0721923154, 0.0193308187, 0.1191947798,
    0.9505321522,
  ]

  /// Makes CIELAB of linear sRGB. The white is that of the matrix (D65), without adaptation. Source: CIE 15.
  package init(lab r: Double, _ g: Double, _ b: Double) {
    func f(_ row: Int) -> Double {
      let m = Self.xyz, white = m[row] + m[row + 1] + m[row + 2]
      let t = (m[row] * r + m[row + 1] * g + m[row + 2] * b) / white
      return t > 216.0 / 24_389 ? cubeRoot(t) : t * (841.0 / 108) + 4.0 / 29
    }
    let x = f(0), y = f(3), z = f(6)
    self.init(116 * y - 16, 500 * (x - y), 200 * (y - z))
  }

  /// Makes Oklab of linear sRGB. Source: B. Ottosson, "A perceptual color space for image processing", 2020.
  package init(oklab r: Double, _ g: Double, _ b: Double) {
    let l = cubeRoot(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
    let m = cubeRoot(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
    let s = cubeRoot(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
    self.init(
      0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s, 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
      0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s)
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
    func cos(_ degrees: Double) -> Double { ExactMath.cosSin(degrees: degrees).cos }
    let light = q.lightness - p.lightness, chromatic = d - c
    let hue = 2 * (c * d).squareRoot() * ExactMath.cosSin(degrees: turn / 2).sin
    let level = (p.lightness + q.lightness) / 2 - 50, mean = (c + d) / 2
    let t =
      1 - 0.17 * cos(middle - 30) + 0.24 * cos(2 * middle) + 0.32 * cos(3 * middle + 6) - 0.2 * cos(4 * middle - 63)
    let l = light / (1 + 0.015 * level * level / (20 + level * level).squareRoot())
    let s = chromatic / (1 + 0.045 * mean), u = hue / (1 + 0.015 * mean * t)
    let blue = (middle - 275) / 25
    let rotation = -ExactMath.cosSin(degrees: 60 * ExactMath.exp(-blue * blue)).sin * 2 * seventh(mean)
    return max(0, l * l + s * s + u * u + rotation * s * u).squareRoot()
  }
}
