/// The reference gamut compression of ACES 1.3, in AP1: distances from the largest component are compressed, so that
/// colours of most cameras become positive.
package enum ACESGamutCompression {
  /// The distances from which compression begins, and those that become 1, for R, G and B.
  package static let thresholds = [0.815, 0.803, 0.88]
  private static let limits = [1.147, 1.264, 1.312]
  private static let power = 1.2

  /// The distance beyond the threshold that nothing exceeds.
  package static let scales = zip(thresholds, limits).map { threshold, limit in
    let open = limit - threshold
    return open / ExactMath.pow(ExactMath.pow((1 - threshold) / open, -power) - 1, 1 / power)
  }

  /// Returns the compressed light of AP1 or, as the inverse, the light that becomes it.
  package static func apply(_ rgb: [Double], isInverse: Bool = false) -> [Double] {
    let most = rgb.max()!
    guard most != 0 else { return rgb }
    return zip(rgb, zip(thresholds, scales)).map { v, numbers in
      let (threshold, scale) = numbers, n = ((most - v) / abs(most) - threshold) / scale
      guard n > 0, !isInverse || n < 1 else { return v }
      let p = ExactMath.pow(n, power)
      let bent = isInverse ? ExactMath.pow(p / (1 - p), 1 / power) : n / ExactMath.pow(1 + p, 1 / power)
      return most - abs(most) * (threshold + scale * bent)
    }
  }
}

/// The fix of ACES 1 for saturated blue lights, which turn violet: a matrix in ACES2065-1.
package let acesBlueLightFix = Matrix3([
  0.9404372683, -0.0183068787, 0.0778696104, 0.0083786969, 0.8286599939, 0.1629613092, 0.0005471261, -0.0008833746,
  1.0003362486,
])
