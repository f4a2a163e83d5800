import HDRCore

/// Stage `ycgco_lifting`: Y, Cg, Co of reversible YCgCo as `load_samples` gives them, in 4:4:4, to R', G', B', nominal
/// 0...1, nothing clamped (ITU-T H.273 equations 62 to 65, MatrixCoefficients 16 and 17;
/// docs/colour-formulas.md#ycbcr). Integers below 2^18 all the way.
public enum YCgCoLifting: KernelStage {
  public struct Parameters: StageParameters {
    public let scale: Float
  }

  /// - Parameter bits: the bits of R', G', B'.
  package static func words(bits: Int) -> [UInt32] { Parameters(scale: Float(1 / Double((1 << bits) - 1))).list }

  /// Returns the number of bits that codes have more than R', G', B'; `nil` for other matrices.
  package static func extraBits(matrix code: Int) -> Int? {
    switch code {
    case CICP.Matrix.ycgcoTwoBits: 2
    case CICP.Matrix.ycgcoOneBit: 1
    default: nil
    }
  }

  package static func samples(table: ([UInt32]) -> UInt32) -> [[UInt32]] { [words(bits: 8)] }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let scale = c.words(Parameters.self).scale, p = s.base
    for i in 0..<s.padded {
      let y = p[i], cg = p[i &+ Strip.stride], co = p[i &+ 2 &* Strip.stride]
      let t = y - halved(cg)
      let b = t - halved(co)
      p[i] = (b + co) * scale
      p[i &+ Strip.stride] = (t + cg) * scale
      p[i &+ 2 &* Strip.stride] = b * scale
    }
  }

  /// Returns half of an integer below 2^22, rounded down.
  @inlinable @inline(always) static func halved(_ x: Float) -> Float {
    let half = x * 0.5
    let nearest = (half + 12_582_912) - 12_582_912
    return nearest > half ? nearest - 1 : nearest
  }
}
