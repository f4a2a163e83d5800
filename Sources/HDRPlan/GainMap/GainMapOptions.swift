import HDRCore

/// How a gain map is made from two renditions. Defaults are those of the documentation's measurements
/// (docs/gain-maps.md).
public struct GainMapOptions: Sendable, Hashable {
  /// 3: one gain a channel; 1: one gain for all.
  public var channels: Int
  /// What one gain for all is taken from.
  public var grey: GainRatio.Mode
  /// The base is this many times as large as the map, per side: 1, 2 or 4.
  public var scale: Int
  /// Bits of a code: 8, or 10 where the container can carry them.
  public var depth: Int
  /// Linear light added before the ratio, so that black has a gain; per channel.
  public var baseOffset: [Double]
  public var alternateOffset: [Double]
  public var gamma: Double
  public var range: GainRange
  public var headroom: HeadroomMeasure
  /// Position-hashed noise of half a code to either side before rounding to 8 bits.
  public var dithers: Bool

  public init(
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

  /// Size of the map for a base.
  public func size(width: Int, height: Int) -> (width: Int, height: Int) {
    ((width + scale - 1) / scale, (height + scale - 1) / scale)
  }
}

/// Which gains the codes reach (docs/gain-map-maths.md#computing).
public enum GainRange: Sendable, Hashable {
  /// From the smallest to the largest. The others also leave out gains that make the alternate rendition negative
  /// whatever the base.
  case full
  /// Without outliers, where there are any: 0.05 % of the samples at either end, but no gain from 0 to the headroom.
  case robust
  /// Without this share of the samples, in percent, at either end.
  case percentile(Double)
}

/// How the headroom of a rendition is taken from its pixels: of the largest of R, G, B.
public enum HeadroomMeasure: Sendable, Hashable {
  case maximum
  /// In percent of the pixels, e.g. 99.99.
  case percentile(Double)
}
