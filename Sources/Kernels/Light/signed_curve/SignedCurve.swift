import HDRCore

/// Stage `signed_curve`: a curve on each of R, G, B that is one table for values from 0 on and another below.
///
/// Nearer to 0 than the tables reach it is the line between the value there and that at 0.
public enum SignedCurve: KernelStage {
  public struct Parameters: StageParameters {
    /// `negativePlace`: the number of words from the table for values from 0 on to the other.
    public let table: UInt32, domain: CurveDomain, negativePlace: UInt32
    public let positive: Line, negative: Line
  }

  /// The bit patterns of a line's slope and its value at 0.
  public struct Line: StageParameters {
    public let slope: UInt32, value: UInt32

    init(_ table: CurveTable) { (slope, value) = (table.slope0.word, table.value0.word) }
  }

  /// Makes the words of two tables of the same domain, one after the other at `offset`, the positive one first.
  package static func words(positive: CurveTable, negative: CurveTable, offset: UInt32) -> [UInt32] {
    Parameters(
      table: offset, domain: positive.domain, negativePlace: positive.words.count.word, positive: Line(positive),
      negative: Line(negative)
    ).list
  }

  /// Returns all ones for numbers of -2^-30 and below; those nearer to 0 count as 0, which has no sign.
  @inlinable @inline(always) static func isNegative(_ bits: UInt32) -> UInt32 {
    // Subtracting 2^-30 takes the sign bit from negative numbers of smaller magnitude alone.
    UInt32(bitPattern: Int32(bitPattern: bits & (bits &- 0x3080_0000)) &>> 31)
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), t = c.table(at: words.table), domain = words.domain, n = s.padded
    let negativeBytes = words.negativePlace &<< 2, least = Int32(bitPattern: domain.minBits)
    let positive = words.positive, negative = words.negative
    let index = s.scratch(1), fraction = s.scratch(2), value = s.scratch(0)
    let offset = UnsafeMutableRawPointer(index).assumingMemoryBound(to: UInt32.self)
    for channel in 0..<3 {
      let p = s.plane(channel)
      CurveTable.locate(p, n, domain, index: index, fraction: fraction)
      for i in 0..<n {
        let isNegative = Self.isNegative(p[i].bitPattern)
        offset[i] = offset[i] &+ (negativeBytes & isNegative)
      }
      CurveTable.values(t, to: value, n, index: index, fraction: fraction)
      for i in 0..<n {
        let u = p[i].bitPattern, m = Int32(bitPattern: u & 0x7fff_ffff)
        let isNegative = Self.isNegative(u)
        let isTiny = UInt32(bitPattern: (m &- 0x3080_0000) &>> 31), isBelow = UInt32(bitPattern: (m &- least) &>> 31)
        let steep = Float(bitPattern: (positive.slope & ~isNegative) | (negative.slope & isNegative))
        let zero = Float(bitPattern: (positive.value & ~isNegative) | (negative.value & isNegative))
        let line = zero + Float(bitPattern: UInt32(bitPattern: m) & ~isTiny) * steep
        p[i] = Float(bitPattern: (line.bitPattern & isBelow) | (value[i].bitPattern & ~isBelow))
      }
    }
  }
}
