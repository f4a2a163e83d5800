import HDRCore

/// Stage `halo`: rings of red, green and blue light around a centre, crossed by rays, on transparent black.
/// Premultiplied light may exceed the alpha, which is 1 at most.
public enum HaloStage: KernelStage {
  package static let operations = 256

  public struct Parameters: StageParameters {
    /// The centre, the cosine and sine by which rays are turned, the radius of green, and how much further red is.
    public let center: CenterWords, cosine: Float, sine: Float, radius: Float, apart: Float
    /// 2 / the rings' width; the strength of rays.
    public let slope: Float, strength: Float, contrast: Float, color: RGBAWords<Float>
  }

  package static func words(
    center: (x: Double, y: Double), degrees: Double, radius: Double, apart: Double, width: Double, strength: Double,
    contrast: Double, color: [Double]
  ) -> [UInt32] {
    let (c, s) = ExactMath.cosSin(degrees: degrees)
    return Parameters(
      center: CenterWords(center.x, center.y), cosine: Float(c), sine: Float(s), radius: Float(radius),
      apart: Float(apart), slope: Float(2 / width), strength: Float(strength), contrast: Float(contrast),
      color: RGBAWords(color)
    ).list
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), r = s.red, g = s.green, b = s.blue, a = s.alpha
    let dy = words.center.down(s.y), slope = words.slope, color = words.color
    for i in 0..<s.padded {
      let dx = words.center.along(s.x &+ i), d = PlanarLength.of(dx, dy)
      let x = dx * words.cosine - dy * words.sine, y = dx * words.sine + dy * words.cosine
      let q = Rays.of(x, y, d, contrast: words.contrast), gain = 1 + words.strength * (2 * q - 1)
      let lit: Float = gain > 0 ? gain : 0, away = d - words.radius
      let red = ring((away - words.apart) * slope, lit), green = ring(away * slope, lit)
      let blue = ring((away + words.apart) * slope, lit)
      let rg: Float = green > red ? green : red, most: Float = blue > rg ? blue : rg
      r[i] = color.r * red
      g[i] = color.g * green
      b[i] = color.b * blue
      a[i] = color.a * (most < 1 ? most : 1)
    }
  }

  /// Returns the light of a ring at a place across it, -1...1.
  @inlinable @inline(always) static func ring(_ u: Float, _ gain: Float) -> Float {
    let v = 1 - u * u, inside: Float = v > 0 ? v : 0, t = (inside * inside) * gain
    return t < 0x1p-14 ? 0 : t
  }
}
