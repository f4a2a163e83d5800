import HDRCore

/// Stage `pbr_neutral`: the Khronos PBR Neutral tone mapper (KhronosGroup/ToneMapping, PBR_Neutral;
/// docs/tone-formulas.md#curves) on R, G, B that are not negative. It removes the reflection of a dielectric,
/// compresses the largest component above 0.76, and mixes highlights with white.
public enum PBRNeutral: KernelStage {
  package static let operations = 256

  package static func words() -> [UInt32] { [] }

  package static func samples(table: ([UInt32]) -> UInt32) -> [[UInt32]] { [words()] }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let p = s.base, offset = s.scratch(0), scale = s.scratch(1), white = s.scratch(2)
    for i in 0..<s.padded {
      let r = p[i], g = p[i &+ Strip.stride], b = p[i &+ 2 &* Strip.stride]
      let rg = g < r ? g : r, x = b < rg ? b : rg
      let dark: Float = x - x * x * 6.25
      let f: Float = x < 0.08 ? dark : 0.04
      let top = g > r ? g : r, most = (b > top ? b : top) - f
      // Below the knee the quotients are meaningless and not used.
      let over: Float = most > 0.76 ? most : 0.76
      let pn: Float = 1 - 0.0576 * E32.reciprocal(over - 0.52)
      let share = E32.reciprocal(0.15 * (over - pn) + 1)
      let ratio = (pn * E32.reciprocal(over)) * share
      let rest = pn * (1 - share)
      offset[i] = f
      scale[i] = most > 0.76 ? ratio : 1
      white[i] = most > 0.76 ? rest : 0
    }
    for channel in 0..<3 {
      let v = s.plane(channel)
      for i in 0..<s.padded { v[i] = (v[i] - offset[i]) * scale[i] + white[i] }
    }
  }
}
