import HDRCore

/// Stage `star_shine`: a spot of light with a cross of four beams on transparent black. Premultiplied light may exceed
/// the alpha, which is 1 at most.
public enum StarShine: KernelStage {
  package static let operations = 256

  public struct Parameters: StageParameters {
    /// The centre, 1 / the spot's radius, and the direction of the first beam.
    public let center: CenterWords, slope: Float, cosine: Float, sine: Float
    /// Beams fade so fast across and along them, in stops a pixel; their middle has these stops.
    public let across: Float, along: Float, stops: Float, color: RGBAWords<Float>
  }

  package static func words(
    center: (x: Double, y: Double), radius: Double, degrees: Double, width: Double, length: Double, stops: Double,
    color: [Double]
  ) -> [UInt32] {
    let (c, s) = ExactMath.cosSin(degrees: degrees)
    return Parameters(
      center: CenterWords(center.x, center.y), slope: Float(1 / radius), cosine: Float(c), sine: Float(s),
      across: (1 / width).lane, along: (1 / length).lane, stops: Float(stops), color: RGBAWords(color)
    ).list
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), light = s.scratch(0), dy = words.center.down(s.y)
    let across = words.across, along = words.along, stops = words.stops
    for i in 0..<s.padded {
      let dx = words.center.along(s.x &+ i), d = PlanarLength.of(dx, dy)
      let u = 1 - d * words.slope, low: Float = u > 0 ? u : 0
      let a = dx * words.cosine - dy * words.sine, b = dx * words.sine + dy * words.cosine
      let x: Float = a < 0 ? -a : a, y: Float = b < 0 ? -b : b
      let beams = E32.exp2((stops - y * across) - x * along) + E32.exp2((stops - x * across) - y * along)
      let t = (low * low) * (3 - 2 * low) + beams
      light[i] = t < 0x1p-14 ? 0 : t
    }
    for channel in 0..<3 {
      let p = s.plane(channel), color = words.color[channel]
      for i in 0..<s.padded { p[i] = color * light[i] }
    }
    let a = s.alpha, alpha = words.color.a
    for i in 0..<s.padded { a[i] = alpha * (light[i] < 1 ? light[i] : 1) }
  }
}
