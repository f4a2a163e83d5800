import HDRCore

/// Stage `scale_by_max`: R, G, B times a factor that is a curve of max(R, G, B): tone operators that keep hue.
///
/// Below the table's domain the factor is that of its lower end; above, that of its upper end.
public enum ScaleByMax: KernelStage {
  public struct Parameters: StageParameters {
    public let gain: CurveWords
  }

  package static func words(_ table: CurveTable, offset: UInt32) -> [UInt32] {
    Parameters(gain: CurveWords(table, offset: offset)).list
  }

  package static func samples(table: ([UInt32]) -> UInt32) -> [[UInt32]] {
    let curves = ReferenceWhiteCurves.make(contentStops: Headroom(factor: 12).stops)
    let factor = CurveTable(octaves: -1..<12, k: 9) { v in
      ExactMath.exp2(0.46 * curves[0].evaluate(v) + 0.54 * curves[1].evaluate(v))
    }
    return [words(factor, offset: table(factor.words))]
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let p = s.base, factor = s.scratch(0)
    for i in 0..<s.padded {
      let r = p[i], g = p[i &+ Strip.stride], b = p[i &+ 2 &* Strip.stride]
      let rg = g > r ? g : r
      let m = b > rg ? b : rg
      factor[i] = m > 0 ? m : 0
    }
    CurveTable.scale(s, c, by: c.words(Parameters.self).gain)
  }
}
