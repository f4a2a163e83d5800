/// Cuts each channel at the display's headroom in the destination's primaries; specs/tone-mapping.md §7.
public enum ClipTone: ToneOperator {
  public static let name = "clip"
  public static let summary = "each channel cut at the display headroom"

  public static func stages(content: Headroom, display: Headroom) -> [ToneStage] {
    [.clamp(low: -1_048_576, high: display.factor)]
  }
}
