import HDRCore

/// Stage `flash`: a colour over premultiplied colour and alpha, within a radius of a centre and along rays beyond.
///
/// Rays are cosines and sines of 7, 11 and 19 times the direction, from powers of the unit vector.
public enum FlashStage: KernelStage {
  package static let operations = 256

  public struct Parameters: StageParameters {
    public let toX: Float, toY: Float, radius: Float, slope: Float, reach: Float, contrast: Float, opacity: Float
    public let color: RGBWords<Float>

    package init(
      toX: Float, toY: Float, radius: Float, slope: Float, reach: Float, contrast: Float, opacity: Float,
      color: RGBWords<Float>
    ) {
      (self.toX, self.toY, self.radius, self.slope, self.reach, self.contrast, self.opacity, self.color) = (
        toX, toY, radius, slope, reach, contrast, opacity, color
      )
    }
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), n = s.padded, weight = s.scratch(0)
    let y = Float(Int32(truncatingIfNeeded: s.y)) + words.toY, first = Int32(truncatingIfNeeded: s.x)
    for i in 0..<n {
      let x = Float(first &+ Int32(truncatingIfNeeded: i)) + words.toX, d = PlanarLength.of(x, y)
      let q = rays(x, y, d, contrast: words.contrast)
      let u = (words.radius * (1 + words.reach * q) - d) * words.slope
      let low: Float = u > 0 ? u : 0, t: Float = low < 1 ? low : 1
      weight[i] = words.opacity * ((t * t) * (3 - 2 * t))
    }
    for channel in 0..<3 {
      let p = s.plane(channel), color = words.color[channel]
      for i in 0..<n { p[i] = p[i] * (1 - weight[i]) + color * weight[i] }
    }
    for i in 0..<n { s.alpha[i] = s.alpha[i] * (1 - weight[i]) + weight[i] }
  }

  /// Returns 0...1 by the direction of (x, y), whose length is `d`.
  @inlinable @inline(always) static func rays(_ x: Float, _ y: Float, _ d: Float, contrast: Float) -> Float {
    let inverse = E32.reciprocal(d > 0x1p-20 ? d : 1), a = x * inverse, b = y * inverse
    let a2 = a * a - b * b, b2 = 2 * (a * b), a3 = a2 * a - b2 * b, b3 = a2 * b + b2 * a
    let a4 = a2 * a2 - b2 * b2, b4 = 2 * (a2 * b2), a8 = a4 * a4 - b4 * b4, b8 = 2 * (a4 * b4)
    let a16 = a8 * a8 - b8 * b8, b16 = 2 * (a8 * b8)
    let cos7 = a4 * a3 - b4 * b3, sin11 = a8 * b3 + b8 * a3, cos19 = a16 * a3 - b16 * b3
    let q = 0.5 + contrast * ((0.2 * cos7 + 0.15 * sin11) + 0.15 * cos19)
    let low: Float = q > 0 ? q : 0
    return low < 1 ? low : 1
  }
}
