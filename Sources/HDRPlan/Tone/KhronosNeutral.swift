import HDRCore

/// Khronos PBR Neutral (KhronosGroup/ToneMapping; docs/tone-formulas.md#curves): base colours below 0.76 are kept,
/// highlights go to white.
package enum KhronosNeutral: ToneOperator {
  package static let name = "pbr-neutral"
  package static let summary = "Khronos PBR Neutral"
  package static let space = "linear BT.709, min and max(R, G, B)"

  /// Maps linear BT.709 that is not negative to 0...1.
  package static func map(_ rgb: [Double]) -> [Double] {
    let x = min(rgb[0], rgb[1], rgb[2])
    let f = x < 0.08 ? x - 6.25 * x * x : 0.04
    let c = rgb.map { $0 - f }, p = max(c[0], c[1], c[2])
    if p <= 0.76 { return c }
    let pn = 1 - 0.0576 / (p - 0.52), g = 1 / (0.15 * (p - pn) + 1)
    return c.map { $0 * (pn / p) * g + pn * (1 - g) }
  }

  package static func operations(content: Headroom, display: Headroom, _ values: ToneValues) -> [ToneOperation] {
    if display >= content { return [] }
    return SDRTone.operations(display, [.pbrNeutral])
  }
}
