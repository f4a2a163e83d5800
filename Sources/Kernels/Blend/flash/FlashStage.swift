import HDRCore

/// Stage `flash`: a colour over premultiplied colour and alpha, within a radius of a centre and along rays beyond.
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
      let q = Rays.of(x, y, d, contrast: words.contrast)
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
}
