/// A gamut compression in AP1: distances from the largest component are compressed, so that colours of most cameras
/// become positive.
package struct ACESGamutCompression: Sendable, Hashable {
  /// The distances from which compression begins, and those that become 1, for R, G and B.
  package let thresholds: [Double], limits: [Double]
  package let power: Double

  /// The reference gamut compression of ACES 1.3.
  package static let reference = ACESGamutCompression(
    thresholds: [0.815, 0.803, 0.88], limits: [1.147, 1.264, 1.312], power: 1.2)

  /// - Parameters:
  ///   - thresholds: from 0, below 1.
  ///   - limits: above 1.
  ///   - power: from 1 to 100.
  package init(thresholds: [Double], limits: [Double], power: Double) {
    (self.thresholds, self.limits, self.power) = (thresholds, limits, power)
  }

  /// The distance beyond the threshold that nothing exceeds.
  package var scales: [Double] {
    zip(thresholds, limits).map { threshold, limit in
      let open = limit - threshold
      return open / ExactMath.pow(ExactMath.pow((1 - threshold) / open, -power) - 1, 1 / power)
    }
  }

  /// Returns the compressed light of AP1 or, as the inverse, the light that becomes it.
  package func apply(_ rgb: [Double], isInverse: Bool = false) -> [Double] {
    let most = rgb.max()!
    guard most != 0 else { return rgb }
    return zip(rgb, zip(thresholds, scales)).map { v, numbers in
      let (threshold, scale) = numbers, n = ((most - v) / abs(most) - threshold) / scale
      guard n > 0, !isInverse || n < 1 else { return v }
      return most - abs(most) * (threshold + scale * (isInverse ? unbent(n) : bent(n)))
    }
  }

  /// Returns the compressed distance from a threshold, in units of its scale.
  package func bent(_ n: Double) -> Double {
    n < 1
      ? n / ExactMath.pow(1 + ExactMath.pow(n, power), 1 / power)
      : 1 / ExactMath.pow(1 + ExactMath.pow(1 / n, power), 1 / power)
  }

  /// Returns the distance that `bent` brings to n, which is less than 1.
  package func unbent(_ n: Double) -> Double { n / ExactMath.pow(1 - ExactMath.pow(n, power), 1 / power) }
}
