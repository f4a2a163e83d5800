import HDRCore

/// Electrical-electrical transfer function of Report ITU-R BT.2390 §5.4; docs/tone-formulas.md#bt2390. It is a Hermite
/// knee in PQ signal space, applied here to max(R, G, B); the other applications are in BT2390Applications.swift.
package enum BT2390: ToneOperator {
  package static let name = "bt2390"
  package static let summary = "Report ITU-R BT.2390 EETF on max(R, G, B)"
  package static let space = "linear BT.2020, max(R, G, B) in PQ"

  static let knee = ToneParameter(
    "knee", 0.5, 0...2, "how soft: the knee begins at (1 + knee) · peak − knee; 0.5 is the Report's")
  static let contentBlack = ToneParameter("content-black", 0, 0...10, "black of the content, cd/m²")
  static let displayBlack = ToneParameter("display-black", 0, 0...10, "black of the display, cd/m²: lifts the dark")
  package static let parameters = [knee, contentBlack, displayBlack]

  /// The intermediate quantities of one evaluation, PQ signals normalised to the source range; `nits` in and out.
  package struct Evaluation: Sendable {
    package var e1, ks, minLum, maxLum, e2, e3, nits: Double
  }

  /// - Parameters: luminances in cd/m²; `knee` as in `parameters`.
  package static func eetf(
    _ nits: Double, sourceBlack lb: Double = 0, sourcePeak lw: Double, targetBlack tb: Double = 0,
    targetPeak tw: Double, knee: Double = 0.5
  ) -> Evaluation {
    let p = Transfer.pqInverseEOTF
    let low = p(lb), range = p(lw) - low
    let e1 = min(max((p(nits) - low) / range, 0), 1)
    let minLum = max((p(tb) - low) / range, 0), maxLum = (p(tw) - low) / range
    let ks = (1 + knee) * maxLum - knee
    var e2 = e1
    if e1 >= ks && maxLum < 1 {
      let t = (e1 - ks) / (1 - ks), t2 = t * t, t3 = t2 * t
      e2 = (2 * t3 - 3 * t2 + 1) * ks + (t3 - 2 * t2 + t) * (1 - ks) + (-2 * t3 + 3 * t2) * maxLum
    }
    let lift = (1 - e2) * (1 - e2)
    let e3 = e2 + minLum * lift * lift
    let out = Transfer.pqEOTF(min(max(e3 * range + low, p(tb)), p(tw)))
    return Evaluation(e1: e1, ks: ks, minLum: minLum, maxLum: maxLum, e2: e2, e3: e3, nits: out)
  }

  /// The curve for two headrooms, light relative to reference white in and out.
  struct Curve: Sendable {
    var content, display, contentBlack, displayBlack, knee: Double

    init(_ content: Headroom, _ display: Headroom, _ values: ToneValues) {
      (self.content, self.display) = (ReferenceWhite.nits * content.factor, ReferenceWhite.nits * display.factor)
      contentBlack = min(values.value(BT2390.contentBlack), 0.1 * self.content)
      displayBlack = min(values.value(BT2390.displayBlack), 0.1 * self.display)
      knee = values.value(BT2390.knee)
    }

    var movesBlack: Bool { contentBlack > 0 || displayBlack > 0 }

    /// The range in which the factor varies; with black levels down to 10⁻⁵ cd/m².
    var octaves: Range<Int> { movesBlack ? -24..<12 : -8..<12 }

    func light(_ v: Double) -> Double {
      eetf(
        ReferenceWhite.nits * v, sourceBlack: contentBlack, sourcePeak: content, targetBlack: displayBlack,
        targetPeak: display, knee: knee
      ).nits / ReferenceWhite.nits
    }

    func factor(_ v: Double) -> Double { v <= 0 ? 1 : light(v) / v }
  }

  package static func operations(content: Headroom, display: Headroom, _ values: ToneValues) -> [ToneOperation] {
    if display >= content { return [] }
    let curve = Curve(content, display, values)
    return [.scaleByMax(octaves: curve.octaves, k: 9) { curve.factor($0) }]
  }
}
