import HDRCore

/// Stage `rgb_to_ycc`: R', G', B' to Y', Cb, Cr in units of integer codes, not yet rounded (ITU-T H.273;
/// docs/colour-formulas.md#ycbcr).
public enum RGBToYCC {
  /// `lumaScale`, `lumaOffset`, `chromaScale`, `chromaOffset`: codes of a full swing and the code of zero.
  public static func words(
    kr: Double, kb: Double, lumaScale: Double, lumaOffset: Double, chromaScale: Double, chromaOffset: Double
  ) -> [UInt32] {
    [
      kr.word, (1 - kr - kb).word, kb.word, lumaScale.word, lumaOffset.word, (chromaScale / (2 * (1 - kb))).word,
      (chromaScale / (2 * (1 - kr))).word, chromaOffset.word,
    ]
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let kr = c.float(0), kg = c.float(1), kb = c.float(2), ys = c.float(3), yo = c.float(4)
    let us = c.float(5), vs = c.float(6), co = c.float(7)
    let p = s.base
    for i in 0..<s.padded {
      let r = inside(p[i]), g = inside(p[i &+ Strip.stride]), b = inside(p[i &+ 2 &* Strip.stride])
      let y = (kr * r + kg * g) + kb * b
      p[i] = y * ys + yo
      p[i &+ Strip.stride] = (b - y) * us + co
      p[i &+ 2 &* Strip.stride] = (r - y) * vs + co
    }
  }

  @inlinable @inline(always) static func inside(_ x: Float) -> Float {
    let low: Float = x > 0 ? x : 0
    return low < 1 ? low : 1
  }
}
