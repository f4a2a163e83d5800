import HDRPlan

extension MetricRows {
  /// Writes CIEDE2000, all weights 1. Hues are unit vectors: functions of angles and their multiples follow from their
  /// components, but for the distance from blue. Source: ISO/CIE 11664-6; Sharma et al., 2005.
  package static func differences2000(_ a: LabRow, _ b: LabRow, to result: Doubles, count: Int) {
    let (l0, a0, b0, l1, a1, b1) = (a.lightness, a.a, a.b, b.lightness, b.a, b.b)
    for i in 0..<count {
      result[i] = difference2000(l0[i], a0[i], b0[i], l1[i], a1[i], b1[i])
    }
  }

  @inline(__always) private static func difference2000(
    _ l0: Double, _ a0: Double, _ b0: Double, _ l1: Double, _ a1: Double, _ b1: Double
  ) -> Double {
    let whole = (length(a0, b0) + length(a1, b1)) / 2, stretch = 1 + 0.5 * (1 - seventh(whole))
    let ap = a0 * stretch, aq = a1 * stretch, c = length(ap, b0), d = length(aq, b1)
    // Unit vectors of both hues; grey has none.
    let (up, vp) = unit(ap, b0, c), (uq, vq) = unit(aq, b1, d)
    // 2 sqrt(cd) sin(turn / 2), with the sign of the turn.
    let cross = ap * b1 - b0 * aq, dot = ap * aq + b0 * b1, cd = c * d
    let isFirstLow = vp > 0 || vp == 0 && up > 0
    let opposite = isFirstLow ? (2 * (cd - dot)).squareRoot() : -(2 * (cd - dot)).squareRoot()
    let folded = (cd - dot) * 2 > 0 ? ((cd - dot) * 2).squareRoot() : 0
    let wide = cross == 0 ? opposite : cross < 0 ? -folded : folded
    let sum = cd + dot, narrow = cross * (2 / (sum > 0 ? sum : 1)).squareRoot()
    let hue = cd == 0 ? 0 : dot > 0 ? narrow : wide
    // The hue in the middle; between opposite ones a quarter turn after the lower.
    let mu = up + uq, mv = vp + vq, size = length(mu, mv), isAcross = cd > 0 && size < 1e-14
    let lowU = isFirstLow ? -vp : -vq, lowV = isFirstLow ? up : uq
    let divisor = size > 0 ? size : 1, isGrey = c == 0 && d == 0
    let cosine = isGrey ? 1 : isAcross ? lowU : mu / divisor, sine = isAcross ? lowV : mv / divisor
    let c2 = cosine * cosine - sine * sine, s2 = 2 * cosine * sine
    let c3 = c2 * cosine - s2 * sine, s3 = s2 * cosine + c2 * sine
    let c4 = c2 * c2 - s2 * s2, s4 = 2 * c2 * s2
    let t =
      1 - 0.17 * (cosine * cos30 + sine * sin30) + 0.24 * c2 + 0.32 * (c3 * cos6 - s3 * sin6)
      - 0.2 * (c4 * cos63 + s4 * sin63)
    let level = (l0 + l1) / 2 - 50, mean = (c + d) / 2
    let l = (l1 - l0) / (1 + 0.015 * level * level / (20 + level * level).squareRoot())
    let s = (d - c) / (1 + 0.045 * mean), u = hue / (1 + 0.015 * mean * t)
    // The distance from 275° counts along 0...360°: up to 95° it is so large that nothing is left.
    let isFar = sine >= 0 && cosine > -cos275, turn = turned(cosine * cos275 + sine * sin275)
    let rotation = isFar ? 0 : -2 * seventh(mean) * turn
    let square = l * l + s * s + u * u + rotation * s * u
    return (square > 0 ? square : 0).squareRoot()
  }

  @inline(__always) private static func length(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }

  @inline(__always) private static func unit(_ x: Double, _ y: Double, _ length: Double) -> (Double, Double) {
    let divisor = length > 0 ? length : 1
    return (x / divisor, y / divisor)
  }

  @inline(__always) private static func seventh(_ c: Double) -> Double {
    let c2 = c * c, power = c2 * c2 * c2 * c
    return (power / (power + 6_103_515_625)).squareRoot()
  }

  /// Returns sin(60° exp(-(δ / 25°)²)) of the angle δ of -180° to 180° whose cosine is given.
  @inline(__always) private static func turned(_ cosine: Double) -> Double {
    // Half the angle, then a quarter, whose tangent is 0...1: δ / 4 = atan t.
    let below = (1 - cosine) / 2, above = (1 + cosine) / 2
    let sine = (below > 0 ? below : 0).squareRoot(), half = (above > 0 ? above : 0).squareRoot()
    let t = sine / (1 + half), isSteep = t > 0.41421356237309503, flat = (1 - t) / (1 + t), v = isSteep ? flat : t
    let square = v * v
    var p = 1.0 / 27 - square * (1.0 / 29)
    p = 1.0 / 25 - square * p
    p = 1.0 / 23 - square * p
    p = 1.0 / 21 - square * p
    p = 1.0 / 19 - square * p
    p = 1.0 / 17 - square * p
    p = 1.0 / 15 - square * p
    p = 1.0 / 13 - square * p
    p = 1.0 / 11 - square * p
    p = 1.0 / 9 - square * p
    p = 1.0 / 7 - square * p
    p = 1.0 / 5 - square * p
    p = 1.0 / 3 - square * p
    p = 1 - square * p
    let quarter = isSteep ? 0.78539816339744831 - v * p : v * p
    let distance = 4 * quarter * (180 / 3.14159265358979324) / 25
    return sine60(exponential(-distance * distance))
  }

  /// Returns e^x for x of -60 to 0.
  @inline(__always) private static func exponential(_ x: Double) -> Double {
    let y = x * 1.4426950408889634, shifted = y + 0x1.8p52, f = (y - (shifted - 0x1.8p52)) * 0.69314718055994531
    var p = 1.0 / 39_916_800 * f + 1.0 / 3_628_800
    p = p * f + 1.0 / 362_880
    p = p * f + 1.0 / 40_320
    p = p * f + 1.0 / 5040
    p = p * f + 1.0 / 720
    p = p * f + 1.0 / 120
    p = p * f + 1.0 / 24
    p = p * f + 1.0 / 6
    p = p * f + 0.5
    p = p * f + 1
    p = p * f + 1
    return Double(bitPattern: p.bitPattern &+ shifted.bitPattern &<< 52)
  }

  /// Returns sin(60° x) for x of 0 to 1.
  @inline(__always) private static func sine60(_ x: Double) -> Double {
    let angle = x * 1.0471975511965976, square = angle * angle
    var p = -1.0 / 1_307_674_368_000 * square + 1.0 / 6_227_020_800
    p = p * square - 1.0 / 39_916_800
    p = p * square + 1.0 / 362_880
    p = p * square - 1.0 / 5040
    p = p * square + 1.0 / 120
    p = p * square - 1.0 / 6
    p = p * square + 1
    return angle * p
  }

  private static let cos30 = 0.86602540378443865, sin30 = 0.5
  private static let cos6 = 0.99452189536827329, sin6 = 0.10452846326765347
  private static let cos63 = 0.45399049973954675, sin63 = 0.89100652418836787
  private static let cos275 = 0.08715574274765817, sin275 = -0.99619469809174555
}
