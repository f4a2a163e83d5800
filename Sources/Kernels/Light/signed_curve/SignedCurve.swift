import HDRCore

/// Stage `signed_curve`: a curve on each of R, G, B that is one table for values from 0 on and another below; the same
/// curve for all, or one each.
///
/// Nearer to 0 than the tables reach it is the line between the value there and that at 0.
public enum SignedCurve: KernelStage {
  public struct Parameters: StageParameters {
    /// `negativePlace`: the number of words from a table for values from 0 on to the other.
    public let tables: RGBWords<UInt32>, domain: CurveDomain, negativePlace: UInt32
    /// The slope of the lines near 0 and their values there.
    public let positiveSlope: RGBWords<Float>, positiveValue: RGBWords<Float>
    public let negativeSlope: RGBWords<Float>, negativeValue: RGBWords<Float>
  }

  /// Makes the words of one pair of tables for all channels, or of three, all of the same domain. At its offset a pair
  /// lies one after the other, the positive one first.
  package static func words(_ pairs: [(positive: CurveTable, negative: CurveTable)], offsets: [UInt32]) -> [UInt32] {
    let three = pairs.count == 3 ? pairs : [pairs[0], pairs[0], pairs[0]]
    let at = offsets.count == 3 ? offsets : [offsets[0], offsets[0], offsets[0]]
    return Parameters(
      tables: RGBWords(at), domain: three[0].positive.domain, negativePlace: three[0].positive.words.count.word,
      positiveSlope: RGBWords(three.map(\.positive.slope0)), positiveValue: RGBWords(three.map(\.positive.value0)),
      negativeSlope: RGBWords(three.map(\.negative.slope0)), negativeValue: RGBWords(three.map(\.negative.value0))
    ).list
  }

  package static func samples(table: ([UInt32]) -> UInt32) -> [[UInt32]] {
    let pairs = [0.7, 1.2, 1.6].map { power in
      (
        positive: CurveTable(octaves: -3..<12, k: 4) { 0.03 * power + ExactMath.pow($0, power) },
        negative: CurveTable(octaves: -3..<12, k: 4) { -0.05 * power - 0.8 * power * $0 }
      )
    }
    return [words(pairs, offsets: pairs.map { table($0.positive.words + $0.negative.words) })]
  }

  /// Returns all ones for numbers of -2^-30 and below; those nearer to 0 count as 0, which has no sign.
  @inlinable @inline(always) static func isNegative(_ bits: UInt32) -> UInt32 {
    // Subtracting 2^-30 takes the sign bit from negative numbers of smaller magnitude alone.
    UInt32(bitPattern: Int32(bitPattern: bits & (bits &- 0x3080_0000)) &>> 31)
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), domain = words.domain, n = s.padded
    let negativeBytes = words.negativePlace &<< 2, least = Int32(bitPattern: domain.minBits)
    let index = s.scratch(1), fraction = s.scratch(2), value = s.scratch(0)
    let offset = UnsafeMutableRawPointer(index).assumingMemoryBound(to: UInt32.self)
    for channel in 0..<3 {
      let p = s.plane(channel), t = c.table(at: words.tables[channel])
      let positiveSlope = words.positiveSlope[channel].pattern,
        negativeSlope = words.negativeSlope[channel].pattern
      let positiveValue = words.positiveValue[channel].pattern,
        negativeValue = words.negativeValue[channel].pattern
      CurveTable.locate(p, n, domain, index: index, fraction: fraction)
      for i in 0..<n {
        let isNegative = Self.isNegative(p[i].pattern)
        offset[i] = offset[i] &+ (negativeBytes & isNegative)
      }
      CurveTable.values(t, to: value, n, index: index, fraction: fraction)
      for i in 0..<n {
        let u = p[i].pattern, m = Int32(bitPattern: u & 0x7fff_ffff)
        let isNegative = Self.isNegative(u)
        let isTiny = UInt32(bitPattern: (m &- 0x3080_0000) &>> 31), isBelow = UInt32(bitPattern: (m &- least) &>> 31)
        let steep = Float(bitPattern: (positiveSlope & ~isNegative) | (negativeSlope & isNegative))
        let zero = Float(bitPattern: (positiveValue & ~isNegative) | (negativeValue & isNegative))
        let line = zero + Float(bitPattern: UInt32(bitPattern: m) & ~isTiny) * steep
        p[i] = Float(bitPattern: (line.pattern & isBelow) | (value[i].pattern & ~isBelow))
      }
    }
  }
}
