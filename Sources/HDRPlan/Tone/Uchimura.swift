import HDRCore

/// Uchimura's curve on max(R, G, B): a toe, a straight middle and a shoulder that nears the display's headroom and
/// never reaches it (docs/tone-formulas.md#curves). It depends only on the display, as in games that query it first.
///
/// Source: H. Uchimura, "HDR theory and practice", CEDEC 2017.
package enum Uchimura: ToneOperator {
  package static let name = "uchimura"
  package static let summary = "Uchimura's curve: toe, straight middle, shoulder"
  package static let space = "linear BT.2020, max(R, G, B)"
  static let contrast = ToneParameter("contrast", 1, 0.5...2, "slope of the straight middle")
  static let start = ToneParameter("start", 0.22, 0.01...0.9, "light at which the straight middle begins")
  static let length = ToneParameter("length", 0.4, 0...0.99, "share of the rest that is straight")
  static let toe = ToneParameter("toe", 1.33, 1...3, "power of the toe")
  package static let parameters = [contrast, start, length, toe]

  /// - Parameters:
  ///   - x: light, factor of reference white.
  ///   - peak: the display's headroom.
  package static func curve(_ x: Double, peak: Double, _ values: ToneValues = ToneValues()) -> Double {
    let a = values.value(contrast), m = values.value(start), c = values.value(toe)
    // The toe blends into the middle over 0...m.
    let t = min(max(x / m, 0), 1), middleShare = t * t * (3 - 2 * t)
    let straight = (peak - m) * values.value(length) / a
    if x < m + straight {
      let toe = m * ExactMath.pow(max(x, 0) / m, c), middle = m + a * (x - m)
      return toe * (1 - middleShare) + middle * middleShare
    }
    let from = m + a * straight
    return peak - (peak - from) * ExactMath.exp(-a * (x - m - straight) / (peak - from))
  }

  package static func operations(content: Headroom, display: Headroom, _ values: ToneValues) -> [ToneOperation] {
    if display >= content { return [] }
    let peak = display.factor
    return [.scaleByMax(octaves: -12..<16, k: 9) { v in curve(v, peak: peak, values) / v }]
  }
}
