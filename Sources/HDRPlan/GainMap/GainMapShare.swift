import HDRCore

/// The share of a gain map that is applied for a display.
struct GainMapShare: Sendable {
  /// Signed weight (ISO 21496-1; docs/gain-map-maths.md#applying).
  var weight: Double
  /// The factor of the map's log2 gains: `weight`, but 1 for Apple's map in the capped form, whose gains are themselves
  /// computed for `appleHeadroom`.
  var factor: Double
  /// Headroom of Apple's formula, a factor; `nil` for other maps.
  var appleHeadroom: Double?
  /// The headroom of the resulting rendition.
  var result: Headroom

  /// - Parameter map: complete metadata.
  init(_ map: GainMapMetadata, display: Headroom, _ rule: ApplePartialHeadroom) {
    weight = GainMapWeight.weight(base: map.baseHeadroom, alternate: map.alternateHeadroom, display: display.stops)
    result = Headroom(
      stops: GainMapWeight.resultHeadroom(base: map.baseHeadroom, alternate: map.alternateHeadroom, weight: weight))
    factor = weight
    if let own = map.apple?.headroom {
      let isCapped = rule == .capped
      appleHeadroom = isCapped ? min(own, result.factor) : own
      if isCapped { factor = weight == 0 ? 0 : 1 }
    }
  }
}
