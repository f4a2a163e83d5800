import HDRCore
import Kernels

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
    return SweepStage.Parameters(
      result: Choice(result), acrossX: Float(-dx / width), acrossY: Float(-dy / width), start: Float(front / width),
      barX: Float(bars == nil ? 0 : -dy / bar), barY: Float(bars == nil ? 0 : dx / bar),
      barStart: Float(bars == nil ? 0 : (margin - across.low) / bar), lag: Float(lag / width), color: RGBWords(color),
      amount: Float(amount)
    ).list
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
