/// The colour appearance model of ACES 2.0 for light of one set of primaries: lightness J, colourfulness M, hue h.
package struct ACESAppearance: Sendable {
  /// The matrices from linear RGB to cones, and from compressed cones to an achromatic signal A and opponents a, b.
  package let toCones: Matrix3, fromCones: Matrix3, toOpponents: Matrix3, fromOpponents: Matrix3

  /// A colour. A is 1 for white of 100 cd/m²; cosine and sine are those of the hue.
  package struct Color: Sendable {
    package var achromatic: Double, m: Double, cosine = 1.0, sine = 0.0

    package var j: Double { ACESAppearance.lightness(ofAchromatic: achromatic) }
    /// The hue in degrees, 0 to 360.
    package var hue: Double { ExactMath.degrees(y: sine, x: cosine) }
  }

  /// The exponent of lightness: J = 100 A^cz.
  package static let cz = 0.59 * (1.48 + (0.2).squareRoot())
  /// Luminance adaptation, for 100 cd/m².
  private static let adaptation: Double = {
    let k = 1 / 501.0, k4 = k * k * k * k
    return 0.2 * k4 * 500 + 0.1 * (1 - k4) * (1 - k4) * ExactMath.pow(500, 1.0 / 3)
  }()
  private static let whiteSignal = compressed(adaptation)

  /// The cones' primaries.
  private static let cones = Primaries(
    red: Chromaticity(0.8336, 0.1735), green: Chromaticity(2.3854, -1.4659), blue: Chromaticity(0.087, -0.125),
    white: Chromaticity(0.333, 0.333))

  package init(_ primaries: Primaries) {
    let toXYZ = primaries.rgbToXYZ! * 100, xyzToCones = Self.cones.rgbToXYZ!.inverse!, f = Self.adaptation / 100
    let white = toXYZ * [1, 1, 1], seen = xyzToCones * white
    let adapted = seen.map { f * white[1] / $0 }
    toCones = Matrix3.diagonal(adapted[0], adapted[1], adapted[2]) * xyzToCones * toXYZ
    fromCones = toCones.inverse!
    let base = Matrix3([2, 1, 0.05, 1, -12 / 11.0, 1 / 11.0, 1 / 9.0, 1 / 9.0, -2 / 9.0]) * 400
    let ofWhite = zip(adapted, seen).map { Self.compressed($0 * $1) }
    let chroma = 43 * 0.9, first = 1 / (base * ofWhite)[0]
    toOpponents = Matrix3.diagonal(first, chroma, chroma) * base
    fromOpponents = toOpponents.inverse!
  }

  /// The response of cones, an odd function.
  package static func compressed(_ v: Double) -> Double {
    let power = ExactMath.pow(abs(v), 0.42)
    return (v < 0 ? -power : power) / (27.13 + power)
  }

  package static func expanded(_ r: Double) -> Double {
    let q = min(abs(r), 0.99), light = ExactMath.pow(27.13 * q / (1 - q), 1 / 0.42)
    return r < 0 ? -light : light
  }

  package static func lightness(ofAchromatic a: Double) -> Double { 100 * ExactMath.pow(max(a, 0), cz) }
  package static func achromatic(ofLightness j: Double) -> Double { ExactMath.pow(max(j, 0) / 100, 1 / cz) }
  /// Returns 1.0 = 100 cd/m² times 100 for an achromatic signal, which is not negative.
  package static func luminance(ofAchromatic a: Double) -> Double { expanded(whiteSignal * a) / (adaptation / 100) }
  package static func lightness(ofLuminance y: Double) -> Double {
    lightness(ofAchromatic: compressed(max(y, 0) * adaptation / 100) / whiteSignal)
  }

  /// Returns the appearance of linear RGB, 1.0 = 100 cd/m².
  package func color(_ rgb: [Double]) -> Color {
    let v = toOpponents * (toCones * rgb).map(Self.compressed)
    guard v[0] > 0 else { return Color(achromatic: 0, m: 0) }
    let m = (v[1] * v[1] + v[2] * v[2]).squareRoot()
    guard m > 0 else { return Color(achromatic: v[0], m: 0) }
    return Color(achromatic: v[0], m: m, cosine: v[1] / m, sine: v[2] / m)
  }

  /// Returns linear RGB of a colour of lightness `j`, 1.0 = 100 cd/m².
  package func rgb(j: Double, m: Double, cosine: Double, sine: Double) -> [Double] {
    fromCones * (fromOpponents * [Self.achromatic(ofLightness: j), m * cosine, m * sine]).map(Self.expanded)
  }
}
