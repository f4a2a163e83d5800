import HDRCore

/// Stage `ycc_to_rgb`: Y, Cb, Cr as `load_samples` gives them (integers minus offsets) to R', G', B', nominal 0...1,
/// nothing clamped (ITU-T H.273, matrix coefficients with Kr and Kb; docs/colour-formulas.md#ycbcr).
public enum YCCToRGB {
  /// - Parameters:
  ///   - lumaScale: 1 / codes of a luma swing; chromaScale: 1 / (codes of a chroma swing × `LoadSamples.chromaScale`).
  public static func words(kr: Double, kb: Double, lumaScale: Double, chromaScale: Double) -> [UInt32] {
    let kg = 1 - kr - kb
    return [
      lumaScale.word, (2 * (1 - kr) * chromaScale).word, (-2 * kb * (1 - kb) / kg * chromaScale).word,
      (-2 * kr * (1 - kr) / kg * chromaScale).word, (2 * (1 - kb) * chromaScale).word,
    ]
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let ky = c.float(0), rv = c.float(1), gu = c.float(2), gv = c.float(3), bu = c.float(4)
    let p = s.base
    for i in 0..<s.padded {
      let y = p[i] * ky, cb = p[i &+ Strip.stride], cr = p[i &+ 2 &* Strip.stride]
      p[i] = y + rv * cr
      p[i &+ Strip.stride] = (y + gu * cb) + gv * cr
      p[i &+ 2 &* Strip.stride] = y + bu * cb
    }
  }
}
