import HDRCore

/// Stage `luminance_gain`: R, G, B times a curve of the luminance, that of the pixel or 2 to the power of another
/// source's first plane. Below the table's domain, and below 0, the gain is that of its lower end.
public enum LuminanceGain: KernelStage {
  public struct Parameters: StageParameters {
    /// `source` 0 stands for the pixel's own luminance.
    public let weights: RGBWords<Float>, source: UInt32, gain: CurveWords
  }

  package static func words(weights: [Double], source: Int?, _ table: CurveTable, offset: UInt32) -> [UInt32] {
    Parameters(
      weights: RGBWords(weights), source: (source ?? 0).word, gain: CurveWords(table, offset: offset)
    ).list
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), p = s.base, gain = s.scratch(0), n = s.padded, source = Int(words.source)
    if source > 0 {
      let v = c.channels[4 &* source]
      let row = (v.base + s.y &* v.rowBytes).assumingMemoryBound(to: Float.self) + s.x
      for i in 0..<s.count { gain[i] = row[i] }
      for i in s.count..<n { gain[i] = 0 }
      for i in 0..<n { gain[i] = E32.exp2(gain[i]) }
    } else {
      let weights = words.weights
      for i in 0..<n {
        let y = (weights.r * p[i] + weights.g * p[i &+ Strip.stride]) + weights.b * p[i &+ 2 &* Strip.stride]
        gain[i] = y > 0 ? y : 0
      }
    }
    CurveTable.scale(s, c, by: words.gain)
  }
}
