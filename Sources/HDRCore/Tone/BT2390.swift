/// Electrical-electrical transfer function of Report ITU-R BT.2390 §5.4; specs/tone-mapping.md §3. Hermite knee in PQ
/// signal space, applied to max(R, G, B), black levels 0.
public enum BT2390: ToneOperator {
  public static let name = "bt2390"
  public static let summary = "Report ITU-R BT.2390 EETF on max(R, G, B)"

  /// All intermediate quantities of one evaluation, PQ signals normalised to the source range; `nits` in and out.
  public struct Evaluation: Sendable {
    public var e1, ks, minLum, maxLum, e2, e3, nits: Double
  }

  /// - Parameters: luminances in cd/m².
  public static func eetf(
    _ nits: Double, sourceBlack lb: Double = 0, sourcePeak lw: Double, targetBlack tb: Double = 0,
    targetPeak tw: Double
  ) -> Evaluation {
    let p = Transfer.pqInverseEOTF
    let low = p(lb), range = p(lw) - low
    let e1 = min(max((p(nits) - low) / range, 0), 1)
    let minLum = max((p(tb) - low) / range, 0), maxLum = (p(tw) - low) / range
    let ks = 1.5 * maxLum - 0.5
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

  public static func stages(content: Headroom, display: Headroom) -> [ToneStage] {
    if display >= content { return [] }
    let white = ReferenceWhite.nits, lw = white * content.factor, tw = white * display.factor
    return [
      .scaleByMax(octaves: -8..<12, k: 9) { v in
        let input = white * v
        return input <= 0 ? 1 : eetf(input, sourcePeak: lw, targetPeak: tw).nits / input
      }
    ]
  }
}
