import HDRCore

/// Extended Reinhard on max(R, G, B): x (1 + x/w²) / (1 + x), the content's peak w at the display's
/// (docs/tone-formulas.md#curves). For displays above SDR in units of their headroom.
package enum Reinhard: ToneOperator {
  package static let name = "reinhard"
  package static let summary = "extended Reinhard, the content's peak at the display's"
  package static let space = "linear BT.2020, max(R, G, B)"

  package static func curve(_ x: Double, white w: Double) -> Double { x * (1 + x / (w * w)) / (1 + x) }

  package static func operations(content: Headroom, display: Headroom, _ values: ToneValues) -> [ToneOperation] {
    if display >= content { return [] }
    let h = display.factor, w = content.factor / h
    return [
      // Beyond the content's peak the output stays constant.
      .scaleByMax(octaves: -12..<16, k: 8) { v in v >= w * h ? h / v : (1 + v / h / (w * w)) / (1 + v / h) }
    ]
  }
}

/// Hable's curve on max(R, G, B), which maps the content's peak to the display's (docs/tone-formulas.md#curves). It
/// darkens: the toe is part of the look.
package enum Hable: ToneOperator {
  package static let name = "hable"
  package static let summary = "Hable's filmic curve, the content's peak at the display's"
  package static let space = "linear BT.2020, max(R, G, B)"

  static func shape(_ x: Double) -> Double {
    (x * (0.15 * x + 0.05) + 0.004) / (x * (0.15 * x + 0.50) + 0.06) - 0.02 / 0.30
  }

  package static func curve(_ x: Double, white w: Double) -> Double { x >= w ? 1 : shape(x) / shape(w) }

  package static func operations(content: Headroom, display: Headroom, _ values: ToneValues) -> [ToneOperation] {
    if display >= content { return [] }
    let h = display.factor, w = content.factor / h
    return [.scaleByMax(octaves: -12..<16, k: 9) { v in h * curve(v / h, white: w) / v }]
  }
}
