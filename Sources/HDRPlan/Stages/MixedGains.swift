import HDRCore

/// Stage `mixed_gains`: R, G, B times factors that are curves of mixes of R, G, B, their largest, their smallest and the
/// component itself: gain curves of SMPTE ST 2094-50 metadata. Several curves multiply; all see the pixel as it came.
///
/// Below its table's domain a factor is that of the lower end; above, that of the upper end.
public enum MixedGains {
  /// Words of one curve: whether each component has its own mix, six shares, table, domain.
  static let curveWords = 11

  public static func words(_ curves: [MixedGain], _ table: ([UInt32]) -> UInt32) -> [UInt32] {
    curves.reduce([curves.count.word]) { words, curve in
      let values = CurveTable(octaves: curve.octaves, k: MixedGain.k, curve.factor)
      return words + [(curve.isEach ? 1 : 0).word] + curve.shares.map(\.word) + [table(values.words)]
        + values.domainWords
    }
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let p = s.base, n = s.padded, mixed = s.scratch(0)
    for channel in 0..<3 {
      let factor = s.scratch(3 + channel)
      for i in 0..<n { factor[i] = 1 }
    }
    for curve in 0..<c.int(0) {
      let at = 1 &+ 11 &* curve, isEach = c.int(at) != 0
      let kr = c.float(at &+ 1), kg = c.float(at &+ 2), kb = c.float(at &+ 3)
      let most = c.float(at &+ 4), least = c.float(at &+ 5), own = c.float(at &+ 6)
      for channel in 0..<(isEach ? 3 : 1) {
        let component = s.plane(channel)
        for i in 0..<n {
          let r = p[i], g = p[i &+ Strip.stride], b = p[i &+ 2 &* Strip.stride]
          let rg = g > r ? g : r, high = b > rg ? b : rg
          let gr = g < r ? g : r, low = b < gr ? b : gr
          let m = ((((kr * r + kg * g) + kb * b) + most * high) + least * low) + own * component[i]
          mixed[i] = m > 0 ? m : 0
        }
        CurveTable.lookup(
          c.table(at &+ 7), from: mixed, to: mixed, n, minBits: c.constants[at &+ 8], maxBits: c.constants[at &+ 9],
          k: c.constants[at &+ 10], index: s.scratch(1), fraction: s.scratch(2))
        for target in isEach ? channel..<channel &+ 1 : 0..<3 {
          let factor = s.scratch(3 &+ target)
          for i in 0..<n { factor[i] = factor[i] * mixed[i] }
        }
      }
    }
    for channel in 0..<3 {
      let plane = s.plane(channel), factor = s.scratch(3 + channel)
      for i in 0..<n { plane[i] = plane[i] * factor[i] }
    }
  }
}
