/// An alternate's gain curve: control points (x, log2 gain, slope).
package struct ToneGainCurve: Sendable, Hashable {
  /// The headroom of the alternate, in stops.
  package var headroom: Double
  package var x: [Double]
  package var gain: [Double]
  package var slope: [Double]

  package init(headroom: Double, x: [Double], gain: [Double], slope: [Double]) {
    self.headroom = headroom
    self.x = x
    self.gain = gain
    self.slope = slope
  }

  /// Returns log2 gain at `v` = max(R, G, B) (ST 2094-50, 6.4.3): constant, cubic Hermite, constant output above.
  package func evaluate(_ v: Double) -> Double {
    let last = x.count - 1
    if v <= x[0] { return gain[0] }
    if v >= x[last] { return gain[last] + ExactMath.log2(x[last] / v) }
    var i = 0
    while i + 1 < last && v >= x[i + 1] { i += 1 }
    let h = x[i + 1] - x[i], t = (v - x[i]) / h
    let a = slope[i] * h, b = slope[i + 1] * h, g0 = gain[i], g1 = gain[i + 1]
    return ((2 * g0 + a - 2 * g1 + b) * t + (-3 * g0 + 3 * g1 - 2 * a - b)) * t * t + a * t + g0
  }
}

/// The gain curves of the Reference White Tone Mapping Operator: SMPTE ST 2094-50 (second public committee draft,
/// 2026-02-23) clause C.3.8; docs/tone-formulas.md#reference-white.
package enum ReferenceWhiteCurves {
  /// The kappa of the Bezier's middle point (C.3.8).
  static let kappa = 0.65

  /// Makes the two alternates for content of `stops` headroom (0...6); empty for SDR content.
  package static func make(contentStops stops: Double) -> [ToneGainCurve] {
    let hs = min(max(stops, 0), 6)
    if hs == 0 { return [] }
    let q = min(hs / ExactMath.log2(1000.0 / 203), 1)
    return [
      curve(contentStops: hs, white: 1 - q / 2, headroom: 0),
      curve(contentStops: hs, white: 1, headroom: ExactMath.log2(8.0 / 3) * q),
    ]
  }

  /// The quadratic Bezier of an alternate, from content light to display light.
  package struct Bezier {
    private var ax, bx, ay, by, white, end, peak: Double
    package private(set) var headroom: Double

    package init(contentStops: Double, white: Double, headroom: Double) {
      let peak = ExactMath.exp2(headroom), end = ExactMath.exp2(contentStops)
      let x1 = (1 - kappa) + kappa * peak / white, y1 = (1 - kappa) * white + kappa * peak
      (ax, bx, ay, by) = (1 - 2 * x1 + end, 2 * (x1 - 1), white - 2 * y1 + peak, 2 * (y1 - white))
      (self.white, self.end, self.peak, self.headroom) = (white, end, peak, headroom)
    }

    /// Returns the point and slope at t in 0...1.
    fileprivate func point(_ t: Double) -> (x: Double, y: Double, slope: Double) {
      ((ax * t + bx) * t + 1, (ay * t + by) * t + white, (2 * ay * t + by) / (2 * ax * t + bx))
    }

    /// Returns the log2 gain at content light `v`: constant below reference white, constant output above the peak.
    package func log2Gain(_ v: Double) -> Double {
      if v <= 1 { return ExactMath.log2(white) }
      if v >= end { return ExactMath.log2(peak / v) }
      let c = 1 - v, t = -2 * c / (bx + max(bx * bx - 4 * ax * c, 0).squareRoot())
      return ExactMath.log2(point(min(t, 1)).y / v)
    }
  }

  /// Samples eight control points on the quadratic Bezier from (1, white) to (2^content, 2^headroom).
  static func curve(contentStops: Double, white: Double, headroom: Double) -> ToneGainCurve {
    let bezier = Bezier(contentStops: contentStops, white: white, headroom: headroom)
    var result = ToneGainCurve(headroom: headroom, x: [], gain: [], slope: [])
    for c in 0...7 {
      let (x, y, m) = bezier.point(Double(c) / 7)
      result.x.append(x)
      result.gain.append(ExactMath.log2(y / x))
      result.slope.append((x * m - y) / (ExactMath.ln2 * x * y))
    }
    return result
  }
}
