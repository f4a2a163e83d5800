import HDRCore

/// Stage `rgb_to_ycc`: R', G', B' to Y', Cb, Cr in units of integer codes, not yet rounded (ITU-T H.273;
/// docs/colour-formulas.md#ycbcr).
public enum RGBToYCC: KernelStage {
  public struct Parameters: StageParameters {
    public let kr: Float, kg: Float, kb: Float, lumaScale: Float, lumaOffset: Float
    public let cbScale: Float, crScale: Float, chromaOffset: Float
  }

  /// `lumaScale`, `lumaOffset`, `chromaScale`, `chromaOffset`: codes of a full swing and the code of zero.
  package static func words(
    kr: Double, kb: Double, lumaScale: Double, lumaOffset: Double, chromaScale: Double, chromaOffset: Double
  ) -> [UInt32] {
    Parameters(
      kr: Float(kr), kg: Float(1 - kr - kb), kb: Float(kb), lumaScale: Float(lumaScale), lumaOffset: Float(lumaOffset),
      cbScale: Float(chromaScale / (2 * (1 - kb))), crScale: Float(chromaScale / (2 * (1 - kr))),
      chromaOffset: Float(chromaOffset)
    ).list
  }

  package static func samples(table: ([UInt32]) -> UInt32) -> [[UInt32]] {
    [words(kr: 0.2627, kb: 0.0593, lumaScale: 876, lumaOffset: 64, chromaScale: 896, chromaOffset: 512)]
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let w = c.words(Parameters.self), p = s.base
    for i in 0..<s.padded {
      let r = inside(p[i]), g = inside(p[i &+ Strip.stride]), b = inside(p[i &+ 2 &* Strip.stride])
      let y = (w.kr * r + w.kg * g) + w.kb * b
      p[i] = y * w.lumaScale + w.lumaOffset
      p[i &+ Strip.stride] = (b - y) * w.cbScale + w.chromaOffset
      p[i &+ 2 &* Strip.stride] = (r - y) * w.crScale + w.chromaOffset
    }
  }

  @inlinable @inline(always) static func inside(_ x: Float) -> Float {
    let low: Float = x > 0 ? x : 0
    return low < 1 ? low : 1
  }
}
