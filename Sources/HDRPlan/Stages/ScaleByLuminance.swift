import HDRCore

/// Stage `scale_by_luminance`: R, G, B times a factor that is a curve of the luminance's magnitude: HLG's OOTF and its
/// inverse (BT.2100 table 5), luminance-driven tone operators.
public enum ScaleByLuminance {
  public struct Words: StageWords {
    public let weights: RGBWords<Float>, gain: CurveWords
  }

  public static func words(weights: [Double], _ table: CurveTable, offset: UInt32) -> [UInt32] {
    Words(weights: RGBWords(weights), gain: CurveWords(table, offset: offset)).list
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Words.self), weights = words.weights
    let p = s.base, factor = s.scratch(0)
    for i in 0..<s.padded {
      let y = (weights.r * p[i] + weights.g * p[i &+ Strip.stride]) + weights.b * p[i &+ 2 &* Strip.stride]
      factor[i] = y
    }
    CurveTable.scale(s, c, by: words.gain)
  }
}
