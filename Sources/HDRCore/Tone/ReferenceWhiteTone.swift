/// Reference White Tone Mapping Operator: SMPTE ST 2094-50 (second public committee draft, 2026-02-23) clause C.3.8
/// with 6.2.5, 6.4.3 and 6.5.3; docs/tone-formulas.md#reference-white.
///
/// Works in linear BT.2020 on max(R, G, B); one log2 gain a pixel. Content of 1000 cd/m² on an SDR display shows
/// reference white at half of the display's peak.
public enum ReferenceWhiteTone: ToneOperator {
  public static let name = "reference-white"
  public static let summary = "Reference White Tone Mapping Operator (SMPTE ST 2094-50 C.3.8)"
  public static let space = "linear BT.2020, max(R, G, B)"

  /// One alternate's gain curve: control points (x, log2 gain, slope).
  public struct GainCurve: Sendable, Hashable {
    /// Headroom of the alternate, stops.
    public var headroom: Double
    public var x: [Double]
    public var gain: [Double]
    public var slope: [Double]

    /// log2 gain at `v` = max(R, G, B) (6.4.3): constant below, cubic Hermite between, constant output above.
    public func evaluate(_ v: Double) -> Double {
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

  /// Kappa of the Bezier's middle point (C.3.8).
  static let kappa = 0.65

  /// The two alternates for content of `stops` headroom (0...6); empty for SDR content.
  public static func curves(contentStops stops: Double) -> [GainCurve] {
    let hs = min(max(stops, 0), 6)
    if hs == 0 { return [] }
    let q = min(hs / ExactMath.log2(1000.0 / 203), 1)
    return [
      curve(contentStops: hs, white: 1 - q / 2, headroom: 0),
      curve(contentStops: hs, white: 1, headroom: ExactMath.log2(8.0 / 3) * q),
    ]
  }

  /// Quadratic Bezier of one alternate: content light in, display light out.
  struct Bezier {
    var ax, bx, ay, by, white, end, peak, headroom: Double

    init(contentStops: Double, white: Double, headroom: Double) {
      let peak = ExactMath.exp2(headroom), end = ExactMath.exp2(contentStops)
      let x1 = (1 - kappa) + kappa * peak / white, y1 = (1 - kappa) * white + kappa * peak
      (ax, bx, ay, by) = (1 - 2 * x1 + end, 2 * (x1 - 1), white - 2 * y1 + peak, 2 * (y1 - white))
      (self.white, self.end, self.peak, self.headroom) = (white, end, peak, headroom)
    }

    /// Point and slope at t in 0...1.
    func point(_ t: Double) -> (x: Double, y: Double, slope: Double) {
      ((ax * t + bx) * t + 1, (ay * t + by) * t + white, (2 * ay * t + by) / (2 * ax * t + bx))
    }

    /// log2 gain at content light `v`: constant below reference white, constant output above the content's peak.
    func log2Gain(_ v: Double) -> Double {
      if v <= 1 { return ExactMath.log2(white) }
      if v >= end { return ExactMath.log2(peak / v) }
      let c = 1 - v, t = -2 * c / (bx + max(bx * bx - 4 * ax * c, 0).squareRoot())
      return ExactMath.log2(point(min(t, 1)).y / v)
    }
  }

  /// Eight control points on the quadratic Bezier from (1, white) to (2^content, 2^headroom).
  static func curve(contentStops: Double, white: Double, headroom: Double) -> GainCurve {
    let bezier = Bezier(contentStops: contentStops, white: white, headroom: headroom)
    var result = GainCurve(headroom: headroom, x: [], gain: [], slope: [])
    for c in 0...7 {
      let (x, y, m) = bezier.point(Double(c) / 7)
      result.x.append(x)
      result.gain.append(ExactMath.log2(y / x))
      result.slope.append((x * m - y) / (ExactMath.ln2 * x * y))
    }
    return result
  }

  /// log2 gain for a pixel with maximum `v` (6.2.5): curves mixed by headroom.
  public static func log2Gain(_ v: Double, curves: [GainCurve], contentStops: Double, displayStops: Double) -> Double {
    guard curves.count == 2 else { return 0 }
    let low = curves[0], high = curves[1]
    let (a, b) = weights(low.headroom, high.headroom, contentStops: contentStops, displayStops: displayStops)
    return (a == 0 ? 0 : a * low.evaluate(v)) + (b == 0 ? 0 : b * high.evaluate(v))
  }

  /// Shares of the two alternates' log2 gains (6.5.3).
  static func weights(
    _ low: Double, _ high: Double, contentStops: Double, displayStops: Double
  ) -> (low: Double, high: Double) {
    if displayStops <= low { return (1, 0) }
    if displayStops >= contentStops { return (0, 0) }
    if displayStops < high {
      let w = (displayStops - low) / (high - low)
      return (1 - w, w)
    }
    return (0, 1 - (displayStops - high) / (contentStops - high))
  }

  public static func stages(content: Headroom, display: Headroom, _ values: ToneValues) -> [ToneStage] {
    let contentStops = min(max(content.stops, 0), 6), displayStops = display.stops
    let curves = curves(contentStops: contentStops)
    if curves.isEmpty || displayStops >= contentStops { return [] }
    // Constant below reference white. 512 segments an octave: where the curve has its corner at the content's peak, a
    // segment that straddles it is off by half a segment's share of the slope (6e-5 of the light).
    return [
      .scaleByMax(octaves: -1..<12, k: 9) { v in
        ExactMath.exp2(log2Gain(v, curves: curves, contentStops: contentStops, displayStops: displayStops))
      }
    ]
  }
}

/// The operator with the Bezier curves themselves instead of eight samples of them: what the samples approximate. The
/// sampled curve turns back from headroom 32 on; this one does not (docs/tone-formulas.md#reference-white).
public enum ReferenceWhiteExact: ToneOperator {
  public static let name = "reference-white-exact"
  public static let summary = "Reference White with the exact Bezier instead of its eight samples"
  public static let space = ReferenceWhiteTone.space

  public static func stages(content: Headroom, display: Headroom, _ values: ToneValues) -> [ToneStage] {
    let contentStops = min(max(content.stops, 0), 6), displayStops = display.stops
    if contentStops == 0 || displayStops >= contentStops { return [] }
    let q = min(contentStops / ExactMath.log2(ReferenceWhite.nominalHeadroom), 1)
    let low = ReferenceWhiteTone.Bezier(contentStops: contentStops, white: 1 - q / 2, headroom: 0)
    let high = ReferenceWhiteTone.Bezier(
      contentStops: contentStops, white: 1, headroom: ExactMath.log2(8.0 / 3) * q)
    let (a, b) = ReferenceWhiteTone.weights(
      low.headroom, high.headroom, contentStops: contentStops, displayStops: displayStops)
    return [
      .scaleByMax(octaves: -1..<12, k: 9) { v in ExactMath.exp2(a * low.log2Gain(v) + b * high.log2Gain(v)) }
    ]
  }
}
