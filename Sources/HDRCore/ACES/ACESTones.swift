/// The numbers of ACES 2.0 that follow from a display's peak.
package struct ACESTones: Sendable {
  /// The peak in cd/m².
  package let peak: Double
  /// The largest value of a channel of AP1.
  package let largest: Double
  /// The curve of tones: t = m2 (Y / (Y + s2))^1.15, then t² / (t + 0.04).
  package let m2: Double, s2: Double, u2: Double
  /// Lightness of the peak, of middle grey, and of endless light in the scene.
  package let jMax: Double, jMiddle: Double, jEnd: Double
  /// These numbers belong to chroma compression.
  package let compression: Double, saturation: Double, saturationThreshold: Double, chromaScale: Double
  /// These numbers belong to gamut compression: distance of the focus in units of `jMax`, exponent below the cusp.
  package let focus: Double, lowerExponent: Double

  package init(peak n: Double) {
    peak = n
    let stops = ExactMath.log10(n / 100)
    let r = 128 + 768 * ExactMath.log(n / 100) / ExactMath.log(100)
    largest = 8 * r
    let m0 = n / 100, m1 = (m0 + (m0 * (m0 + 0.16)).squareRoot()) / 2
    let m = m1 / ExactMath.pow((r / m1) / (r / m1 + 1), 1.15)
    let target = 0.10013 * (1 + 0.14 * ExactMath.log2(n / 100))
    let g = (target + (target * (target + 0.16)).squareRoot()) / 2
    let q = ExactMath.pow(g / m, 1 / 1.15)
    let w2 = 0.18 * (1 - q) / (m1 * q)
    s2 = 100 * w2 * m1
    u2 = ExactMath.pow((r / m1) / (r / m1 + w2), 1.15)
    m2 = m1 / u2
    jMax = ACESAppearance.lightness(ofLuminance: n)
    jMiddle = ACESAppearance.lightness(ofLuminance: 100 * target)
    jEnd = ACESAppearance.lightness(ofLuminance: 100 * m2 * m2 / (m2 + 0.04))
    compression = 2.4 + 7.92 * stops
    saturation = max(0.2, 1.3 - 0.897 * stops)
    saturationThreshold = 0.5 / n
    chromaScale = ExactMath.pow(0.03379 * n, 0.30596) - 0.45135
    focus = 1.35 + 2.3625 * stops
    lowerExponent = 1 / (1.14 + 0.07 * stops)
  }

  /// Returns the display's luminance for one of the scene; both 100 for white of 100 cd/m².
  package func toned(_ y: Double) -> Double {
    let t = m2 * ExactMath.pow(max(y, 0) / (max(y, 0) + s2), 1.15)
    return 100 * max(0, t * t / (t + 0.04))
  }

  package func untoned(_ y: Double) -> Double {
    let z = min(max(y / 100, 0), peak / (100 * u2)), t = (z + (z * (0.16 + z)).squareRoot()) / 2
    return t == 0 ? 0 : s2 / (ExactMath.pow(m2 / t, 1 / 1.15) - 1)
  }

  /// Returns the lightness on the display of an achromatic signal of the scene.
  package func lightness(ofAchromatic a: Double) -> Double {
    ACESAppearance.lightness(ofLuminance: toned(ACESAppearance.luminance(ofAchromatic: a)))
  }

  /// Returns the factor of colourfulness that depends on hue.
  package func chromaNorm(cosine c: Double, sine s: Double) -> Double {
    let cosine2 = 2 * c * c - 1, cosine3 = 4 * c * c * c - 3 * c, sine2 = 2 * s * c, sine3 = 3 * s - 4 * s * s * s
    let first = 11.34072 * c + 16.46899 * cosine2 + 7.8838 * cosine3 + 14.66441 * s
    return chromaScale * (first - 6.37224 * sine2 + 9.19364 * sine3 + 77.12896)
  }
}
