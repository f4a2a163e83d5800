import HDRCore

/// Stephen Hill's fit of the ACES reference rendering (BakingLab; docs/tone-formulas.md#curves): matrices around a
/// rational curve, linear sRGB.
package enum ACESHill: ToneOperator {
  package static let name = "aces"
  package static let summary = "ACES reference rendering, Hill's fit"
  package static let space = "linear BT.709 through the fit's matrices, each channel"

  static let before = Matrix3([0.59719, 0.35458, 0.04823, 0.07600, 0.90834, 0.01566, 0.02840, 0.13383, 0.83777])
  static let after = Matrix3([1.60475, -0.53108, -0.07367, -0.10208, 1.10813, -0.00605, -0.00327, -0.07276, 1.07602])

  static func curve(_ v: Double) -> Double {
    (v * (v + 0.0245786) - 0.000090537) / (v * (0.983729 * v + 0.4329510) + 0.238081)
  }

  /// Maps linear sRGB, unclipped.
  package static func map(_ rgb: [Double]) -> [Double] { after * (before * rgb).map(curve) }

  package static func operations(content: Headroom, display: Headroom, _ values: ToneValues) -> [ToneOperation] {
    if display >= content { return [] }
    return SDRTone.operations(
      display,
      [
        // The curve is mirrored and not 0 at 0, so a zero must not get a sign, which the matrix may give it.
        .matrix(before), .limit(low: 0, high: 65_504), .curve(octaves: -20..<16, k: 6) { curve($0) }, .matrix(after),
      ])
  }
}

/// Krzysztof Narkowicz's curve after ACES (docs/tone-formulas.md#curves), per channel.
package enum ACESNarkowicz: ToneOperator {
  package static let name = "aces-narkowicz"
  package static let summary = "ACES-like curve, Narkowicz's fit"
  package static let space = "linear BT.709, each channel"

  package static func curve(_ x: Double) -> Double { x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14) }

  package static func operations(content: Headroom, display: Headroom, _ values: ToneValues) -> [ToneOperation] {
    if display >= content { return [] }
    return SDRTone.operations(display, [.curve(octaves: -20..<16, k: 6) { curve($0) }])
  }
}

/// Operators that are made for linear BT.709 light of 0...1 on an SDR display.
enum SDRTone {
  /// Returns operations around `inner` that work in units of the display's headroom.
  static func operations(_ display: Headroom, _ inner: [ToneOperation]) -> [ToneOperation] {
    guard let there = Primaries.bt2020.matrix(to: .bt709), let back = Primaries.bt709.matrix(to: .bt2020) else {
      return []
    }
    let h = display.factor
    return [.matrix(there * (1 / h)), .limit(low: 0, high: 65_504)] + inner
      + [.limit(low: 0, high: 1), .matrix(back * h)]
  }
}
