import HDRCore

/// Stage `aces1_head`: what the output transforms of ACES 1 do to scene light in AP0 before its tones: the glow of dark
/// saturated colours, and reds that are less saturated. No result is negative (`ACES1Head` has the formulas).
///
/// How much of a red is changed is a curve of |y| / (|x| + |y|), where x and y are the hue's components: no angle is
/// computed.
public enum ACES1HeadStage: KernelStage {
  package static let operations = 256

  public struct Parameters: StageParameters {
    public let reds: CurveWords
  }

  /// The share by which a red of a place is changed. Below the table's first octave it is 1.
  package static let reds = CurveTable(octaves: -12..<0, k: 5, ACES1Head.redShare(place:))

  /// Makes the words for the table `reds` at an offset.
  package static func words(table: UInt32) -> [UInt32] { Parameters(reds: CurveWords(reds, offset: table)).list }

  package static func samples(table: ([UInt32]) -> UInt32) -> [[UInt32]] { [words(table: table(reds.words))] }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let reds = c.words(Parameters.self).reds, p = s.base, share = s.scratch(0), isRed = s.scratch(3)
    for i in 0..<s.padded {
      let r = p[i], g = p[i &+ Strip.stride], b = p[i &+ 2 &* Strip.stride]
      let rg = r - g, gb = g - b, br = b - r
      let chroma = ACESLanes.root(0.5 * ((gb * gb + rg * rg) + br * br))
      let light = (((r + g) + b) + 1.75 * chroma) * 0.333_333_34
      let u = 5 * saturation(r, g, b) - 2, size: Float = u < 0 ? -u : u
      let near = 1 - 0.5 * size, t: Float = near > 0 ? near : 0, rise = 1 - t * t
      let amount: Float = 0.025 * (u < 0 ? 1 - rise : 1 + rise)
      let divisor: Float = light > 0.01 ? light : 0.01
      let fading = amount * (0.08 * E32.reciprocal(divisor) - 0.5)
      let dim: Float = light > 0.053_333_335 ? fading : amount
      let glow: Float = 1 + (light < 0.16 ? dim : 0)
      let x = (rg - br) * glow, y = (1.732_050_8 * gb) * glow, across: Float = y < 0 ? -y : y
      let ahead: Float = x > 0 ? x : 0
      share[i] = across * E32.reciprocal(ACESLanes.divisor(ahead + across))
      isRed[i] = ahead
      p[i] = r * glow
      p[i &+ Strip.stride] = g * glow
      p[i &+ 2 &* Strip.stride] = b * glow
    }
    CurveTable.lookup(
      c.table(at: reds.table), from: share, to: share, s.padded, reds.domain, index: s.scratch(1),
      fraction: s.scratch(2))
    for i in 0..<s.padded {
      let r = p[i], g = p[i &+ Strip.stride], b = p[i &+ 2 &* Strip.stride]
      let weight: Float = isRed[i] > 0 ? share[i] : 0
      let red = r + ((weight * saturation(r, g, b)) * (0.03 - r)) * 0.18
      p[i] = red > 0 ? red : 0
      p[i &+ Strip.stride] = g > 0 ? g : 0
      p[i &+ 2 &* Strip.stride] = b > 0 ? b : 0
    }
  }

  /// Returns the difference of the largest and the least component, over the largest.
  @inlinable @inline(always) static func saturation(_ r: Float, _ g: Float, _ b: Float) -> Float {
    let rg: Float = g > r ? g : r, most: Float = b > rg ? b : rg
    let low: Float = g < r ? g : r, least: Float = b < low ? b : low
    let top: Float = most > 1e-10 ? most : 1e-10, bottom: Float = least > 1e-10 ? least : 1e-10
    let divisor: Float = most > 0.01 ? most : 0.01
    return (top - bottom) * E32.reciprocal(divisor)
  }
}
