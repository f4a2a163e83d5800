/// The gain map formula in binary64 (ISO 21496-1; docs/gain-map-maths.md#applying), for tables, tools and tests. Pixels
/// go through the stage `gain_map`.
extension GainMapMetadata {
  /// Returns the log2 gain of a map value 0...1 in one channel, at full weight. Apple's maps: their formula, BT.709.
  package func log2Gain(_ value: Double, channel: Int) -> Double {
    if let apple { return apple.log2Gain(value) }
    let g = value <= 0 ? 0 : ExactMath.pow(value, 1 / gamma[channel])
    return min[channel] + (max[channel] - min[channel]) * g
  }

  /// Returns the light of one channel at a weight: linear, 1.0 = reference white. Weight 0 returns the base itself.
  package func applied(to base: Double, log2Gain gain: Double, weight: Double, channel: Int) -> Double {
    if weight == 0 { return base }
    return (base + baseOffset[channel]) * ExactMath.exp2(weight * gain) - alternateOffset[channel]
  }
}
