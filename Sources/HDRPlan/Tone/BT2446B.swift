import HDRCore

/// A tone operator like method B of Report ITU-R BT.2446, HDR to SDR; docs/tone-formulas.md#bt2446. The Report gives
/// its roll-off only as a figure. The shoulder here is this project's, hence the "like" in the name.
///
/// HLG as on a 291 cd/m² display of system gamma 1.03, luminance unchanged up to 78 % SDR signal, above it a
/// logarithmic shoulder that takes 291 to 100 cd/m².
package enum BT2446B: ToneOperator {
  package static let name = "bt2446b-like"
  package static let summary = "after Report ITU-R BT.2446 method B; its roll-off is a figure, this shoulder is our own"
  package static let space = "linear BT.2020, luminance"
  package static let staysInside = false

  /// The luminance of 78 % SDR signal, in cd/m².
  package static let knee = 100 * ExactMath.pow(0.78, 2.4)
  static let peak = 291.0

  /// The scale of the shoulder, with which it ends at 100 cd/m².
  package static let shoulder: Double = {
    var low = 1.0, high = 100.0
    for _ in 0..<200 {
      let s = (low + high) / 2
      if knee + s * ExactMath.log(1 + (peak - knee) / s) < 100 { low = s } else { high = s }
    }
    return (low + high) / 2
  }()

  /// Maps cd/m² of the 291 cd/m² display to cd/m² of an SDR display of 100.
  package static func compressed(_ y: Double) -> Double {
    y <= knee ? y : knee + shoulder * ExactMath.log(1 + (y - knee) / shoulder)
  }

  package static func expanded(_ y: Double) -> Double {
    y <= knee ? y : knee + shoulder * (ExactMath.exp((y - knee) / shoulder) - 1)
  }

  /// Maps a share of the peak on a display of gamma 1.2 and 1000 cd/m² to cd/m² on one of gamma 1.03 and 291.
  package static func nits291(_ share: Double) -> Double { peak * ExactMath.pow(share, 1.03 / 1.2) }

  package static func operations(content: Headroom, display: Headroom, _ values: ToneValues) -> [ToneOperation] {
    if display >= content { return [] }
    let most = content.factor, shown = display.factor
    return [
      .scaleByLuminance(octaves: -24..<12, k: 8) { v in
        v <= 0 ? 0 : shown * compressed(nits291(v / most)) / (100 * v)
      }
    ]
  }
}
