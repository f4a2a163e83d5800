import HDRCore

/// Stage `ycc_to_ryb`: Y', Cb, Cr of constant luminance as `load_samples` gives them to the signals R', Y', B', nothing
/// clamped; the differences scale otherwise above 0 than below (ITU-T H.273 equations 53 to 56;
/// docs/colour-formulas.md#ycbcr).
public enum YCCToRYB: KernelStage {
  public struct Parameters: StageParameters {
    public let luma: Float, redBelow: Float, redAbove: Float, blueBelow: Float, blueAbove: Float
  }

  /// - Parameters:
  ///   - lumaScale: 1 / codes of a luma swing; chromaScale: 1 / (codes of a chroma swing × `LoadSamples.chromaScale`).
  package static func words(_ source: ConstantLuminance, lumaScale: Double, chromaScale: Double) -> [UInt32] {
    let red = source.red, blue = source.blue
    return Parameters(
      luma: Float(lumaScale), redBelow: Float(2 * red.below * chromaScale),
      redAbove: Float(2 * red.above * chromaScale),
      blueBelow: Float(2 * blue.below * chromaScale), blueAbove: Float(2 * blue.above * chromaScale)
    ).list
  }

  package static func samples(table: ([UInt32]) -> UInt32) -> [[UInt32]] {
    let source = ConstantLuminance(
      matrix: CICP.Matrix.bt2020ConstantLuminance, primaries: CICP.Primaries.bt2020, transfer: 14)
    return source.map { [words($0, lumaScale: 1.0 / 876, chromaScale: 1.0 / 3584)] } ?? []
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), p = s.base
    for i in 0..<s.padded {
      let y = p[i] * words.luma, cb = p[i &+ Strip.stride], cr = p[i &+ 2 &* Strip.stride]
      p[i] = y + (cr > 0 ? words.redAbove : words.redBelow) * cr
      p[i &+ Strip.stride] = y
      p[i &+ 2 &* Strip.stride] = y + (cb > 0 ? words.blueAbove : words.blueBelow) * cb
    }
  }
}
