import HDRCore

/// A gain that multiplies R, G, B by a curve of a mix of them.
public struct MixedGain: Sendable {
  /// The shares of R, G, B, largest, smallest, and the component itself.
  public var shares: [Double]
  public var octaves: Range<Int>
  /// The factor as a function of a positive mix; a mix of 0 or below gets the factor at the lower end of `octaves`.
  public var factor: @Sendable (Double) -> Double

  /// log2 of the table's segments an octave, as many as for the curve of `ReferenceWhiteTone`.
  public static let k = 9

  package init(shares: [Double], octaves: Range<Int>, factor: @escaping @Sendable (Double) -> Double) {
    (self.shares, self.octaves, self.factor) = (shares, octaves, factor)
  }

  var isEach: Bool { shares[5] != 0 }
}
