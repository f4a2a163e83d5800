import HDRCore

/// Stage `vibrance`: c' = Y + k (c - Y), k = 1 + amount (1 - s) (1 - skin), s = (max - min) / max in [0, 1].
///
/// Hue is that of HSV, 60 degrees times (G - B) / (R - B) where R >= G >= B. Skin lies about 30 degrees, so that
/// nothing beyond 25 degrees from there leaves that sector, and no angle has to be computed: skin = smoothstep(t) / 2
/// with t = 1 - |hue - 30| / 25, and 0 in all other sectors.
public enum VibranceStage: KernelStage {
  package static let operations = 256

  public struct Parameters: StageParameters {
    public let luminance: RGBWords<Float>, amount: Float
  }

  package static func words(amount: Double, luminance: [Double]) -> [UInt32] {
    Parameters(luminance: RGBWords(luminance), amount: Float(amount)).list
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), w = words.luminance, amount = words.amount, p = s.base
    for i in 0..<s.padded {
      let r = p[i], g = p[i &+ Strip.stride], b = p[i &+ 2 &* Strip.stride]
      let y = (w.r * r + w.g * g) + w.b * b
      let rg: Float = g > r ? g : r, most: Float = b > rg ? b : rg
      let lowRG: Float = g < r ? g : r, least: Float = b < lowRG ? b : lowRG
      let range = most - least
      let divisor: Float = most > 1e-4 ? most : 1e-4
      let strong = range * E32.reciprocal(divisor)
      let saturation: Float = strong < 1 ? strong : 1
      let solid: Float = range > 0x1p-40 ? range : 1
      let away = (g - b) * E32.reciprocal(solid) - 0.5
      let distance: Float = away < 0 ? -away : away
      let near = 1 - 2.4 * distance
      let inside: Float = near > 0 ? near : 0
      let belowRed: Float = g > r ? 0 : inside
      let t: Float = b > g ? 0 : belowRed
      let skin = 0.5 * ((t * t) * (3 - 2 * t))
      let k = 1 + amount * ((1 - saturation) * (1 - skin))
      p[i] = y + k * (r - y)
      p[i &+ Strip.stride] = y + k * (g - y)
      p[i &+ 2 &* Strip.stride] = y + k * (b - y)
    }
  }
}
