import HDRCore

/// Stage `scale_by_first`: the first component times one curve of its magnitude, the other two times another: an
/// intensity and two colour differences (I, Ct, Cp; lightness and opponents), where the colour follows the tone.
public enum ScaleByFirst {
  /// Two tables of the same domain.
  public static func words(first: CurveTable, others: CurveTable, offsets: [UInt32]) -> [UInt32] {
    offsets + first.domainWords
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let own = c.table(0), others = c.table(1)
    let minBits = c.constants[2], maxBits = c.constants[3], k = c.constants[4]
    let p = s.base, a = s.scratch(0), b = s.scratch(1), index = s.scratch(2), fraction = s.scratch(3)
    CurveTable.lookup(
      own, from: p, to: a, s.padded, minBits: minBits, maxBits: maxBits, k: k, index: index, fraction: fraction)
    CurveTable.lookup(
      others, from: p, to: b, s.padded, minBits: minBits, maxBits: maxBits, k: k, index: index, fraction: fraction)
    for i in 0..<s.padded {
      p[i] = p[i] * a[i]
      p[i &+ Strip.stride] = p[i &+ Strip.stride] * b[i]
      p[i &+ 2 &* Strip.stride] = p[i &+ 2 &* Strip.stride] * b[i]
    }
  }
}
