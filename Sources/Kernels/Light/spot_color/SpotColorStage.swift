import HDRCore

/// Stage `spot_color`: colours near three centres become three others, one after the other; distances are those of the
/// pixel's own colour. Works on signals.
public enum SpotColorStage: KernelStage {
  package static let operations = 256

  public struct Parameters: StageParameters {
    public let first: Spot, second: Spot, third: Spot
    public static var parts: [any StageParameters.Type] { [Spot.self] }

    @inlinable @inline(always) subscript(index: Int) -> Spot { index == 0 ? first : index == 1 ? second : third }
  }

  /// A colour that becomes another, as signals: all of it within `limit` less 1 / `slope`, none beyond `limit`.
  public struct Spot: StageParameters {
    public let center: RGBWords<Float>, other: RGBWords<Float>, limit: Float, slope: Float

    /// - Parameters:
    ///   - limit: the distance up to which colours change: the root of the mean square; 0 for none.
    ///   - width: the distance over which they change.
    package init(center: [Double], other: [Double], limit: Double, width: Double) {
      (self.center, self.other) = (RGBWords(center), RGBWords(other))
      (self.limit, slope) = (limit.lane, limit == 0 ? 0 : (1 / width).lane)
    }
  }

  package static func words(_ spots: [Spot]) -> [UInt32] {
    Parameters(first: spots[0], second: spots[1], third: spots[2]).list
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), p = s.base, n = s.padded
    for index in 0..<3 {
      let spot = words[index], weight = s.scratch(index), center = spot.center
      for i in 0..<n {
        let r = p[i] - center.r, g = p[i &+ Strip.stride] - center.g, b = p[i &+ 2 &* Strip.stride] - center.b
        let d = PlanarLength.of(square: ((r * r + g * g) + b * b) * 0x1.555556p-2)
        let u = (spot.limit - d) * spot.slope
        let low: Float = u > 0 ? u : 0, t: Float = low < 1 ? low : 1
        weight[i] = (t * t) * (3 - 2 * t)
      }
    }
    for channel in 0..<3 {
      let q = s.plane(channel)
      for index in 0..<3 {
        let weight = s.scratch(index), other = words[index].other[channel]
        for i in 0..<n { q[i] = q[i] * (1 - weight[i]) + other * weight[i] }
      }
    }
  }
}
