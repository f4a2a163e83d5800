import HDRCore

/// A front that crosses the picture in a direction, straight or in steps from bar to bar, and the light on it.
struct Sweep {
  /// The direction in which it moves, x to the right and y down.
  var direction: (x: Double, y: Double)
  /// The number of pixels from where the weight is 1 to where it is 0.
  var width: Double
  /// The width of bars along the direction, and the number of pixels by which each is behind the one before.
  var bars: (width: Double, lag: Double)?

  init(degrees: Double, width: Double, bars: (width: Double, lag: Double)? = nil) {
    let (c, s) = ExactMath.cosSin(degrees: degrees)
    (direction, self.width, self.bars) = ((c, -s), width, bars)
  }

  /// Returns the words of the stage for a time.
  func words(
    _ result: SweepStage.Result, time: Double, width w: Int, height h: Int, color: [Double] = [0, 0, 0],
    amount: Double = 0
  ) -> [UInt32] {
    let right = Double(w - 1), bottom = Double(h - 1), (dx, dy) = direction
    func ends(_ x: Double, _ y: Double) -> (low: Double, high: Double) {
      (min(x * right, 0) + min(y * bottom, 0), max(x * right, 0) + max(y * bottom, 0))
    }
    let along = ends(dx, dy), across = ends(-dy, dx), bar = bars?.width ?? 1, lag = bars?.lag ?? 0
    // Bars from the first to the last, counted from 0; rounding must not add one.
    let margin = Transition.margin
    let count = bars == nil ? 0 : ((across.high - across.low + 2 * margin) / bar).rounded(.down)
    let from = along.low + min(lag * count, 0), to = along.high + max(lag * count, 0)
    let slack = margin * width + 0x1p-20 * (abs(from) + abs(to))
    let front = from - slack + time * (to - from + width + 2 * slack)
    return SweepStage.Words(
      result: Choice(result), acrossX: Float(-dx / width), acrossY: Float(-dy / width), start: Float(front / width),
      barX: Float(bars == nil ? 0 : -dy / bar), barY: Float(bars == nil ? 0 : dx / bar),
      barStart: Float(bars == nil ? 0 : (margin - across.low) / bar), lag: Float(lag / width), color: RGBWords(color),
      amount: Float(amount)
    ).list
  }
}

/// Stage `sweep`: the weight w of a pixel behind a front, as R, G and B; or the light on it, which is 4 w (1 - w) times an
/// amount, over or added to premultiplied colour.
public enum SweepStage {
  public enum Result: Int, Sendable, Hashable, CaseIterable {
    case weight, over, added
  }

  public struct Words: StageWords {
    public let result: Choice<Result>, acrossX: Float, acrossY: Float, start: Float
    public let barX: Float, barY: Float, barStart: Float, lag: Float, color: RGBWords<Float>, amount: Float
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Words.self), n = s.padded, w = s.scratch(0), y = Float(Int32(truncatingIfNeeded: s.y))
    let first = Int32(truncatingIfNeeded: s.x)
    for i in 0..<n {
      let x = Float(first &+ Int32(truncatingIfNeeded: i))
      let bar = WarpProjective.floor((words.barX * x + words.barY * y) + words.barStart)
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

extension Edit {
  /// Mixes picture and input behind a front, and puts the front's light on it.
  mutating func sweep(
    _ sweep: Sweep, _ values: FilterValues, light: SweepStage.Result, color: [Double], amount: Double
  ) throws(PlanError) {
    let time = values.value(Dissolve.time)
    try mix(values) { (edit) throws(PlanError) in
      edit.plane(.sweep, sweep.words(.weight, time: time, width: edit.width, height: edit.height))
    }
    if amount == 0 { return }
    premultiply()
    stage(
      .sweep, sweep.words(light, time: time, width: width, height: height, color: color, amount: amount))
    unpremultiply()
  }
}
