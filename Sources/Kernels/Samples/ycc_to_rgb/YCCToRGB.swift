import HDRCore

/// Stage `ycc_to_rgb`: Y, Cb, Cr as `load_samples` gives them (integers minus offsets) to R', G', B', nominal 0...1,
/// nothing clamped (ITU-T H.273, matrix coefficients with Kr and Kb; docs/colour-formulas.md#ycbcr).
public enum YCCToRGB: KernelStage {
  public struct Parameters: StageParameters {
    public let luma: Float, redCr: Float, greenCb: Float, greenCr: Float, blueCb: Float
  }

  /// - Parameters:
  ///   - lumaScale: 1 / codes of a luma swing; chromaScale: 1 / (codes of a chroma swing × `LoadSamples.chromaScale`).
  package static func words(kr: Double, kb: Double, lumaScale: Double, chromaScale: Double) -> [UInt32] {
    let kg = 1 - kr - kb
    return Parameters(
      luma: Float(lumaScale), redCr: Float(2 * (1 - kr) * chromaScale),
      greenCb: Float(-2 * kb * (1 - kb) / kg * chromaScale), greenCr: Float(-2 * kr * (1 - kr) / kg * chromaScale),
      blueCb: Float(2 * (1 - kb) * chromaScale)
    ).list
  }

  package static func samples(table: ([UInt32]) -> UInt32) -> [[UInt32]] {
    [words(kr: 0.2627, kb: 0.0593, lumaScale: 1.0 / 876, chromaScale: 1.0 / 3584)]
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), p = s.base
    for i in 0..<s.padded {
      let y = p[i] * words.luma, cb = p[i &+ Strip.stride], cr = p[i &+ 2 &* Strip.stride]
      p[i] = y + words.redCr * cr
      p[i &+ Strip.stride] = (y + words.greenCb * cb) + words.greenCr * cr
      p[i &+ 2 &* Strip.stride] = y + words.blueCb * cb
    }
  }
}
