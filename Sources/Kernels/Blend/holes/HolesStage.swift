import HDRCore

/// Stage `holes`: the weight of a pixel in a grid of holes, as R, G and B.
public enum HolesStage: KernelStage {
  package static let operations = 256

  public struct Parameters: StageParameters {
    /// The place of a pixel from the centre by its number, and the cell by that place.
    public let toX: Float, toY: Float, cosine: Float, sine: Float, compression: Float
    /// The weight before it is cut: start - slope h.
    public let slope: Float, start: Float

    package init(toX: Float, toY: Float, cosine: Float, sine: Float, compression: Float, slope: Float, start: Float) {
      (self.toX, self.toY, self.cosine, self.sine, self.compression, self.slope, self.start) = (
        toX, toY, cosine, sine, compression, slope, start
      )
    }
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), r = s.red, g = s.green, b = s.blue
    let y = Float(Int32(truncatingIfNeeded: s.y)) + words.toY, first = Int32(truncatingIfNeeded: s.x)
    for i in 0..<s.padded {
      let x = Float(first &+ Int32(truncatingIfNeeded: i)) + words.toX
      let near = words.compression * E32.reciprocal(words.compression + PlanarLength.of(x, y))
      let u = (words.cosine * x - words.sine * y) * near, v = (words.sine * x + words.cosine * y) * near
      let du = u - WarpProjective.roundedDown(u + 0.5), dv = v - WarpProjective.roundedDown(v + 0.5)
      let weight = words.start - words.slope * (2 * (du * du + dv * dv))
      let low: Float = weight > 0 ? weight : 0, t: Float = low < 1 ? low : 1
      let smooth = (t * t) * (3 - 2 * t)
      r[i] = smooth
      g[i] = smooth
      b[i] = smooth
    }
  }
}
