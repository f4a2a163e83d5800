import HDRCore

/// HLG shown on a display of another peak: the OOTF of BT.2100 with that display's system gamma;
/// docs/tone-formulas.md#hlg. White moves with the display. HLG signals have no peak of their own, so they are rendered
/// for brighter displays too.
package enum HLGPeak: ToneOperator {
  package static let name = "hlg-ootf"
  package static let summary = "HLG's own adaptation to the display's peak (ITU-R BT.2100)"
  package static let space = "linear BT.2020, luminance of scene light"
  package static let staysInside = false

  package static func result(content: Headroom, display: Headroom, _ values: ToneValues) -> Headroom { display }

  package static func operations(content: Headroom, display: Headroom, _ values: ToneValues) -> [ToneOperation] {
    if display == content { return [] }
    let white = ReferenceWhite.nits
    func level(_ h: Headroom) -> (peak: Double, gamma: Double) {
      let peak = min(max(white * h.factor, 100), 10_000)
      return (peak, Transfer.hlgGamma(peak: peak))
    }
    let from = level(content), to = level(display)
    let power = (to.gamma - from.gamma) / from.gamma
    return [
      .scaleByLuminance(octaves: -24..<12, k: 6) { y in
        to.peak / from.peak * ExactMath.pow(y * white / from.peak, power)
      }
    ]
  }
}
