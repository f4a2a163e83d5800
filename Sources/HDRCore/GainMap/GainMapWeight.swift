/// Weight of a gain map for a display (ISO 21496-1; docs/gain-map-maths.md#applying).
public enum GainMapWeight {
  /// Signed weight: 0 shows the baseline, ±1 the alternate; negative when the baseline is the HDR rendition. Headrooms
  /// in stops.
  public static func weight(base: Double, alternate: Double, display: Double) -> Double {
    if alternate == base { return 0 }
    let share = Swift.min(Swift.max((display - base) / (alternate - base), 0), 1)
    return alternate > base ? share : -share
  }

  /// Headroom of the picture that a weight gives, in stops.
  public static func resultHeadroom(base: Double, alternate: Double, weight: Double) -> Double {
    base + abs(weight) * (alternate - base)
  }
}
