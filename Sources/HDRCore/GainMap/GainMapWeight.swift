/// The weight of a gain map for a display (ISO 21496-1; docs/gain-map-maths.md#applying).
package enum GainMapWeight {
  /// Returns the signed weight: 0 shows the baseline, ±1 the alternate; negative if the baseline is the HDR rendition.
  /// Headrooms are in stops.
  package static func weight(base: Double, alternate: Double, display: Double) -> Double {
    if alternate == base { return 0 }
    let share = Swift.min(Swift.max((display - base) / (alternate - base), 0), 1)
    return alternate > base ? share : -share
  }

  /// Returns the headroom of the picture at a weight, in stops.
  package static func resultHeadroom(base: Double, alternate: Double, weight: Double) -> Double {
    base + abs(weight) * (alternate - base)
  }
}
