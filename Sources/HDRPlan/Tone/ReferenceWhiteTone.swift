import HDRCore

/// Reference White Tone Mapping Operator: SMPTE ST 2094-50 (second public committee draft, 2026-02-23) clause C.3.8
/// with 6.2.5, 6.4.3 and 6.5.3; docs/tone-formulas.md#reference-white.
///
/// Works in linear BT.2020 on max(R, G, B); one log2 gain a pixel. Content of 1000 cd/m² on an SDR display shows
/// reference white at half of the display's peak.
package enum ReferenceWhiteTone: ToneOperator {
  package static let name = "reference-white"
  package static let summary = "Reference White Tone Mapping Operator (SMPTE ST 2094-50 C.3.8)"
  package static let space = "linear BT.2020, max(R, G, B)"

  /// Returns the log2 gain for a pixel with maximum `v` (6.2.5): curves mixed by headroom.
  package static func log2Gain(_ v: Double, curves: [ToneGainCurve], contentStops: Double, displayStops: Double)
    -> Double
  {
    guard curves.count == 2 else { return 0 }
    let low = curves[0], high = curves[1]
    let (a, b) = weights(low.headroom, high.headroom, contentStops: contentStops, displayStops: displayStops)
    return (a == 0 ? 0 : a * low.evaluate(v)) + (b == 0 ? 0 : b * high.evaluate(v))
  }

  /// Returns the shares of the two alternates' log2 gains (6.5.3).
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

  package static func operations(content: Headroom, display: Headroom, _ values: ToneValues) -> [ToneOperation] {
    let contentStops = min(max(content.stops, 0), 6), displayStops = display.stops
    let curves = ReferenceWhiteCurves.make(contentStops: contentStops)
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

/// The operator with the Bezier curves themselves instead of eight samples of them. From headroom 32 on the sampled
/// curve turns back; this one does not (docs/tone-formulas.md#reference-white).
package enum ReferenceWhiteExact: ToneOperator {
  package static let name = "reference-white-exact"
  package static let summary = "Reference White with the exact Bezier instead of its eight samples"
  package static let space = ReferenceWhiteTone.space

  package static func operations(content: Headroom, display: Headroom, _ values: ToneValues) -> [ToneOperation] {
    let contentStops = min(max(content.stops, 0), 6), displayStops = display.stops
    if contentStops == 0 || displayStops >= contentStops { return [] }
    let q = min(contentStops / ExactMath.log2(ReferenceWhite.nominalHeadroom), 1)
    let low = ReferenceWhiteCurves.Bezier(contentStops: contentStops, white: 1 - q / 2, headroom: 0)
    let high = ReferenceWhiteCurves.Bezier(
      contentStops: contentStops, white: 1, headroom: ExactMath.log2(8.0 / 3) * q)
    let (a, b) = ReferenceWhiteTone.weights(
      low.headroom, high.headroom, contentStops: contentStops, displayStops: displayStops)
    return [
      .scaleByMax(octaves: -1..<12, k: 9) { v in ExactMath.exp2(a * low.log2Gain(v) + b * high.log2Gain(v)) }
    ]
  }
}
