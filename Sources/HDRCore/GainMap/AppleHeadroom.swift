/// The headroom of a gain map in Apple's maker note: tag 0x0021 (33, HDRHeadroom) and tag 0x0030 (48, HDRGain).
///
/// Source: Apple developer article "Applying Apple HDR effect to your photos", with docs/gain-map-maths.md#apple. The
/// constants are the published ones; files whose XMP states the headroom too differ from them by 1.5e-5 at most,
/// because the published lines are a rounding of lines through (0, 3), (0.01, 2.3), (1, 2) and (0, 1.8), (0.01, 1.6),
/// (1, 1.5).
package enum AppleHeadroom {
  /// Returns the headroom in stops, at least 0. A missing tag 48 is 0.
  package static func stops(tag33 a: Double, tag48 b: Double) -> Double {
    let stops =
      switch (a < 1, b <= 0.01) {
      case (true, true): -20.0 * b + 1.8
      case (true, false): -0.101 * b + 1.601
      case (false, true): -70.0 * b + 3.0
      case (false, false): -0.303 * b + 2.303
      }
    return max(stops, 0)
  }

  /// Returns tags for a writer: `stops(tag33:tag48:)` of them is `stops` again within 3e-5, for 0...3 stops. More than
  /// 3 stops cannot be written; the tags are then those of 3 stops, and the XMP headroom states the rest.
  package static func tags(stops: Double) -> (tag33: Double, tag48: Double) {
    let s = min(max(stops, 0), 3)
    // Each line ends at tag 48 = 0.01; the published lines leave gaps of 3e-5 and 9e-6 stops there.
    let end = 0.01
    if s >= 2.3 { return (1, min((3 - s) / 70, end)) }
    if s >= 1.8 { return (1, max((2.303 - s) / 0.303, end.nextUp)) }
    if s >= 1.6 { return (0, min((1.8 - s) / 20, end)) }
    return (0, max((1.601 - s) / 0.101, end.nextUp))
  }
}
