import HDRCore

/// Direct mapping of Report ITU-R BT.2408; docs/tone-formulas.md#bt2408. SDR white is HDR reference white. Upwards, SDR
/// light stays unchanged (times 2.03 in cd/m²); downwards, light above the display's headroom is cut.
package enum BT2408: ToneOperator {
  package static let name = "bt2408"
  package static let summary = "direct mapping of Report ITU-R BT.2408: SDR white is reference white"
  package static let space = "the output's primaries, each channel"
  package static let direction = ToneDirection.both
  package static let keepsWhite = true
  static let gamma = ToneParameter(
    "gamma", 1, 0.5...2, "extra gamma on the luminance of SDR light; 1.165 for HLG looks (BT.2408 §5.1.3.2)")
  package static let parameters = [gamma]

  package static func operations(content: Headroom, display: Headroom, _ values: ToneValues) -> [ToneOperation] {
    if content > display { return [.clamp(low: -1_048_576, high: display.factor)] }
    let g = values.value(gamma)
    if g == 1 || content > .sdr { return [] }
    return [.scaleByLuminance(octaves: -24..<2, k: 8) { y in ExactMath.pow(y, g - 1) }]
  }
}
