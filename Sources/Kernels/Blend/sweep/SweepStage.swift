import HDRCore

/// Stage `sweep`: the weight w of a pixel behind a front, as R, G and B; or the light on it, which is 4 w (1 - w) times an
/// amount, over or added to premultiplied colour.
public enum SweepStage: KernelStage {
  package static let operations = 256

  public enum Result: Int, Sendable, Hashable, CaseIterable {
    case weight, over, added
  }

  public struct Parameters: StageParameters {
    public let result: Choice<Result>, acrossX: Float, acrossY: Float, start: Float
    public let barX: Float, barY: Float, barStart: Float, lag: Float, color: RGBWords<Float>, amount: Float

    package init(
      result: Choice<Result>, acrossX: Float, acrossY: Float, start: Float, barX: Float, barY: Float, barStart: Float,
      lag: Float, color: RGBWords<Float>, amount: Float
    ) {
      (
        self.result, self.acrossX, self.acrossY, self.start, self.barX, self.barY, self.barStart, self.lag, self.color,
        self.amount
      ) = (result, acrossX, acrossY, start, barX, barY, barStart, lag, color, amount)
    }
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), n = s.padded, w = s.scratch(0), y = Float(Int32(truncatingIfNeeded: s.y))
    let first = Int32(truncatingIfNeeded: s.x)
    for i in 0..<n {
      let x = Float(first &+ Int32(truncatingIfNeeded: i))
      let bar = WarpProjective.roundedDown((words.barX * x + words.barY * y) + words.barStart)
      let u = ((words.acrossX * x + words.acrossY * y) + words.start) - words.lag * bar
      let low: Float = u > 0 ? u : 0, t: Float = low < 1 ? low : 1
      w[i] = (t * t) * (3 - 2 * t)
    }
    switch words.result.value {
    case .weight:
      for channel in 0..<3 {
        let p = s.plane(channel)
        for i in 0..<n { p[i] = w[i] }
      }
    case .over:
      for i in 0..<n { w[i] = words.amount * (4 * (w[i] * (1 - w[i]))) }
      for channel in 0..<3 {
        let p = s.plane(channel), color = words.color[channel]
        for i in 0..<n { p[i] = p[i] * (1 - w[i]) + color * w[i] }
      }
      for i in 0..<n { s.alpha[i] = s.alpha[i] * (1 - w[i]) + w[i] }
    case .added:
      for i in 0..<n { w[i] = (words.amount * (4 * (w[i] * (1 - w[i])))) * s.alpha[i] }
      for channel in 0..<3 {
        let p = s.plane(channel), color = words.color[channel]
        for i in 0..<n { p[i] = p[i] + color * w[i] }
      }
    }
  }
}
