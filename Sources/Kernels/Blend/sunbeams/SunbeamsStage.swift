import HDRCore

/// Stage `sunbeams`: a disc of light on transparent black that fades into rays of several lengths; premultiplied.
public enum SunbeamsStage: KernelStage {
  package static let operations = 256

  public struct Parameters: StageParameters {
    /// The centre, the cosine and sine by which rays are turned, and the radius of the disc.
    public let center: CenterWords, cosine: Float, sine: Float, radius: Float
    /// The length of rays: `least` of it everywhere, and `share` more by their strength.
    public let reach: Float, least: Float, share: Float, contrast: Float, color: RGBAWords<Float>
  }

  /// - Parameters:
  ///   - reach: how far rays reach beyond the disc, in pixels.
  ///   - share: how much of that depends on the direction, 0...1.
  package static func words(
    center: (x: Double, y: Double), degrees: Double, radius: Double, reach: Double, share: Double, contrast: Double,
    color: [Double]
  ) -> [UInt32] {
    let (c, s) = ExactMath.cosSin(degrees: degrees)
    return Parameters(
      center: CenterWords(center.x, center.y), cosine: Float(c), sine: Float(s), radius: Float(radius),
      reach: Float(reach), least: Float(1 - share), share: Float(share), contrast: Float(contrast),
      color: RGBAWords(color)
    ).list
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), light = s.scratch(0), dy = words.center.down(s.y)
    for i in 0..<s.padded {
      let dx = words.center.along(s.x &+ i), d = PlanarLength.of(dx, dy)
      let x = dx * words.cosine - dy * words.sine, y = dx * words.sine + dy * words.cosine
      let q = Rays.of(x, y, d, contrast: words.contrast)
      let length = words.reach * (words.least + words.share * q)
      let u = 1 - (d - words.radius) * E32.reciprocal(length > 0.5 ? length : 0.5)
      let low: Float = u > 0 ? u : 0, t: Float = low < 1 ? low : 1, w = (t * t) * (3 - 2 * t)
      light[i] = w < 0x1p-14 ? 0 : w
    }
    for channel in 0..<4 {
      let p = s.plane(channel), color = words.color[channel]
      for i in 0..<s.padded { p[i] = color * light[i] }
    }
  }
}
