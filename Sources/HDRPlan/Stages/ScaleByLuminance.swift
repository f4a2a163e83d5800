import HDRCore

/// Stage `scale_by_luminance`: R, G, B times a factor that is a curve of the luminance's magnitude: HLG's OOTF and its
/// inverse (BT.2100 table 5), luminance-driven tone operators.
public enum ScaleByLuminance {
  public static func words(weights: [Double], _ table: CurveTable, offset: UInt32) -> [UInt32] {
    weights.map(\.word) + [offset] + table.domainWords
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let wr = c.float(0), wg = c.float(1), wb = c.float(2)
    let p = s.base, factor = s.scratch(0)
    for i in 0..<s.padded {
      let y = (wr * p[i] + wg * p[i &+ Strip.stride]) + wb * p[i &+ 2 &* Strip.stride]
      factor[i] = y
    }
    CurveTable.scale(s, c, at: 3)
  }
}
