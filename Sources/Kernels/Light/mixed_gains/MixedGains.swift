import HDRCore

/// Stage `mixed_gains`: R, G, B times factors that are curves of mixes of R, G, B, their largest, their smallest and
/// the component itself: gain curves of SMPTE ST 2094-50. Several curves multiply; all read the unchanged pixel.
///
/// Below its table's domain a factor is that of the lower end; above, that of the upper end.
public enum MixedGains: KernelStage {
  package static let operations = 256

  /// The number of curves; a `Curve` for each comes after it.
  public struct Parameters: StageParameters {
    public let count: UInt32
    public static var parts: [any StageParameters.Type] { [Curve.self] }
  }

  public struct Curve: StageParameters {
    /// True if each component has its own mix.
    public let isEach: UInt32
    /// The shares of R, G, B, the largest, the smallest and the component itself.
    public let red: Float, green: Float, blue: Float, most: Float, least: Float, own: Float
    public let gain: CurveWords
  }

  package static func words(_ curves: [MixedGain], _ table: ([UInt32]) -> UInt32) -> [UInt32] {
    Parameters(count: curves.count.word).list
      + curves.flatMap { curve in
        let values = CurveTable(octaves: curve.octaves, k: MixedGain.k, curve.factor)
        let shares = curve.shares.map { Float($0) }
        return Curve(
          isEach: curve.isEach.word, red: shares[0], green: shares[1], blue: shares[2], most: shares[3],
          least: shares[4], own: shares[5], gain: CurveWords(values, offset: table(values.words))
        ).list
      }
  }

  /// Samples with one curve and with two, of mixes of every part of a pixel.
  package static func samples(table: ([UInt32]) -> UInt32) -> [[UInt32]] {
    let sum = MixedGain(shares: [0.25, 0.45, 0.05, 0.15, 0.1, 0], octaves: -3..<12) { 1.8 / (1 + $0) }
    let own = MixedGain(shares: [0.1, 0.2, 0.04, 0.06, 0.25, 0.35], octaves: -4..<10) { ExactMath.exp2(-0.2 * $0) }
    let most = MixedGain(shares: [0, 0, 0, 0.7, 0.3, 0], octaves: -2..<12) { 0.4 + 0.5 / (1 + $0) }
    return [[sum], [own, most], [most, sum]].map { words($0, table) }
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let p = s.base, n = s.padded, mixed = s.scratch(0)
    for channel in 0..<3 {
      let factor = s.scratch(3 + channel)
      for i in 0..<n { factor[i] = 1 }
    }
    for number in 0..<Int(c.words(Parameters.self).count) {
      let curve = c.words(Curve.self, from: Parameters.count &+ Curve.count &* number), isEach = curve.isEach != 0
      for channel in 0..<(isEach ? 3 : 1) {
        let component = s.plane(channel)
        for i in 0..<n {
          let r = p[i], g = p[i &+ Strip.stride], b = p[i &+ 2 &* Strip.stride]
          let rg = g > r ? g : r, high = b > rg ? b : rg
          let gr = g < r ? g : r, low = b < gr ? b : gr
          let sum = (curve.red * r + curve.green * g) + curve.blue * b
          let m = ((sum + curve.most * high) + curve.least * low) + curve.own * component[i]
          mixed[i] = m > 0 ? m : 0
        }
        CurveTable.lookup(
          c.table(at: curve.gain.table), from: mixed, to: mixed, n, curve.gain.domain, index: s.scratch(1),
          fraction: s.scratch(2))
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
