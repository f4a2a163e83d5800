import HDRCore

/// Stage `scale_by_luminance`: R, G, B times a factor that is a curve of the luminance's magnitude: HLG's OOTF and its
/// inverse (BT.2100 table 5), luminance-driven tone operators. The luminance may be that of the components' magnitudes:
/// then only black has 0.
public enum ScaleByLuminance: KernelStage {
  public struct Parameters: StageParameters {
    /// `bits`: the bits of a component that count: all, or all except its sign.
    public let weights: RGBWords<Float>, bits: UInt32, gain: CurveWords
  }

  package static func words(
    weights: [Double], ofMagnitudes: Bool = false, _ table: CurveTable, offset: UInt32
  ) -> [UInt32] {
    Parameters(
      weights: RGBWords(weights), bits: ofMagnitudes ? 0x7fff_ffff : 0xffff_ffff,
      gain: CurveWords(table, offset: offset)
    ).list
  }

  package static func samples(table: ([UInt32]) -> UInt32) -> [[UInt32]] {
    let factor = CurveTable(octaves: -30..<8, k: 5) { 4.926 * ExactMath.pow($0, 0.2) }
    return [words(weights: Transfer.HLG.luminance, factor, offset: table(factor.words))]
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), weights = words.weights, bits = words.bits
    let p = s.base, factor = s.scratch(0)
    for i in 0..<s.padded {
      let r = Float(bitPattern: p[i].pattern & bits), g = Float(bitPattern: p[i &+ Strip.stride].pattern & bits)
      let b = Float(bitPattern: p[i &+ 2 &* Strip.stride].pattern & bits)
      factor[i] = (weights.r * r + weights.g * g) + weights.b * b
    }
    CurveTable.scale(s, c, by: words.gain)
  }
}
