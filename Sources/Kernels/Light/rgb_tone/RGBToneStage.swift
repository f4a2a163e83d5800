import HDRCore

/// Stage `rgb_tone`: a curve on the largest and the smallest of R, G, B; the middle one keeps its share of their
/// distance, so hue stays (`ProfileToneCurve.apply`). Below 0 the curve has its value at 0.
public enum RGBToneStage: KernelStage {
  package static let operations = 256

  public struct Parameters: StageParameters {
    public let curve: CurveWords, slope0: Float, value0: Float
  }

  package static func words(_ curve: CurveTable, table: ([UInt32]) -> UInt32) -> [UInt32] {
    Parameters(
      curve: CurveWords(curve, offset: table(curve.words)), slope0: curve.slope0.lane, value0: curve.value0.lane
    ).list
  }

  package static let sampleCurve = CurveTable(octaves: -14..<4, k: 6) { $0 < 0.5 ? $0 * $0 * 2 : 1 - 0.25 / $0 }

  package static func samples(table: ([UInt32]) -> UInt32) -> [[UInt32]] { [words(sampleCurve, table: table)] }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), n = s.padded, red = s.red, green = s.green, blue = s.blue
    let bottom = s.scratch(3), top = s.scratch(4), share = s.scratch(5)
    for i in 0..<n {
      let r = red[i], g = green[i], b = blue[i]
      let high: Float = g > r ? g : r, low: Float = g > r ? r : g
      let most: Float = b > high ? b : high, least: Float = b < low ? b : low
      let inner: Float = b < high ? b : high, middle: Float = inner > low ? inner : low
      let gap = most - least, part = (middle - least) * E32.reciprocal(gap > 0x1p-40 ? gap : 1)
      share[i] = gap > 0x1p-40 ? part : 1
      bottom[i] = least > 0 ? least : 0
      top[i] = most > 0 ? most : 0
    }
    let table = c.table(at: words.curve.table)
    CurveStage.apply(s, bottom, table, words.curve.domain, words.slope0, words.value0)
    CurveStage.apply(s, top, table, words.curve.domain, words.slope0, words.value0)
    for i in 0..<n {
      let r = red[i], g = green[i], b = blue[i]
      let rg: Float = g > r ? g : r, most: Float = b > rg ? b : rg
      let lesser: Float = g < r ? g : r, least: Float = b < lesser ? b : lesser
      let between = bottom[i] + (top[i] - bottom[i]) * share[i]
      let rLow: Float = r > least ? between : bottom[i], gLow: Float = g > least ? between : bottom[i]
      let bLow: Float = b > least ? between : bottom[i]
      red[i] = r < most ? rLow : top[i]
      green[i] = g < most ? gLow : top[i]
      blue[i] = b < most ? bLow : top[i]
    }
  }
}
