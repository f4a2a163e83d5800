import HDRCore
import Kernels

/// Options for making a gain map from two renditions. Defaults follow the documentation's measurements
/// (docs/gain-maps.md).
package struct GainMapOptions: Sendable, Hashable {
  /// The number of gains a sample: 3 for one a channel, 1 for one for all.
  package var channels: Int
  /// The light that one gain for all channels is computed from.
  package var grey: GainRatio.Mode
  /// The base is this many times as large as the map, per side: 1, 2 or 4.
  package var scale: Int
  /// Bits of a code: 8, or 10 where the container can carry them.
  package var depth: Int
  /// Linear light added before the ratio, so that black has a gain; per channel.
  package var baseOffset: [Double]
  package var alternateOffset: [Double]
  package var gamma: Double
  package var range: GainRange
  package var headroom: HeadroomMeasure
  /// Adds noise of half a code to either side, hashed by position, before rounding to 8 bits.
  package var dithers: Bool

  package init(
    channels: Int = 3, grey: GainRatio.Mode = .luminance, scale: Int = 1, depth: Int = 8, offset: Double = 1 / 64,
    gamma: Double = 1, range: GainRange = .robust, headroom: HeadroomMeasure = .percentile(99.99), dithers: Bool = false
  ) {
    self.channels = channels
    self.grey = grey
    self.scale = scale
    self.depth = depth
    baseOffset = [offset, offset, offset]
    alternateOffset = [offset, offset, offset]
    self.gamma = gamma
    self.range = range
    self.headroom = headroom
    self.dithers = dithers
  }

  /// Returns the size of the map for a base.
  package func size(width: Int, height: Int) -> (width: Int, height: Int) {
    ((width + scale - 1) / scale, (height + scale - 1) / scale)
  }
}

/// The range of gains that the codes cover (docs/gain-map-maths.md#computing).
package enum GainRange: Sendable, Hashable {
  /// All gains, from the smallest to the largest. The other rules also leave out gains that make the alternate
  /// rendition negative for every base.
  case full
  /// The range without outliers, if any: 0.05 % of the samples at either end, but no gain from 0 to the headroom.
  case robust
  /// The range without this share of the samples, in percent, at either end.
  case percentile(Double)
}

/// The rule by which the headroom of a rendition is taken from its pixels' largest of R, G, B.
public enum HeadroomMeasure: Sendable, Hashable {
  case maximum
  /// The light that this share of the pixels, in percent, does not exceed, e.g. 99.99.
  case percentile(Double)
}
