import HDRCore

/// Cuts each channel at the display's headroom in the destination's primaries; docs/tone-formulas.md#clip.
package enum ClipTone: ToneOperator {
  package static let name = "clip"
  package static let summary = "each channel cut at the display headroom"
  package static let space = "the output's primaries, each channel"
  package static let direction = ToneDirection.both
  package static let keepsWhite = true

  package static func operations(content: Headroom, display: Headroom, _ values: ToneValues) -> [ToneOperation] {
    [.clamp(low: -1_048_576, high: display.factor)]
  }
}

/// Scales colours above the display's headroom down to it, hue kept; docs/tone-formulas.md#clip.
package enum ClipRatio: ToneOperator {
  package static let name = "clip-ratio"
  package static let summary = "R, G, B scaled so that the largest is at most the display headroom"
  package static let space = "linear BT.2020, max(R, G, B)"
  package static let keepsWhite = true

  package static func operations(content: Headroom, display: Headroom, _ values: ToneValues) -> [ToneOperation] {
    if display >= content { return [] }
    let most = display.factor
    return [.scaleByMax(octaves: 0..<16, k: 9) { v in v > most ? most / v : 1 }]
  }
}
