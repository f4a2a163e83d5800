import HDRCore

/// Stage `sobel`, a load: gradients of source 0's planes by Sobel's 3x3 weights or Gabor's 5x5, times a scale. Beyond the
/// border the border's pixels repeat. Alpha is the pixel's own.
public enum SobelStage: KernelStage {
  package static let readsColumns = true
  package static let operations = 256

  public enum Mode: Int, Sendable, Hashable, CaseIterable {
    /// The length of each colour's gradient.
    case magnitude
    /// The gradient furthest from 0 of the three colours: R along the row, G down the column; B is 0.
    case gradients
    /// Gradients have Gabor's weights: sin(pi x / 3) e^(-x² / 2), a ramp of 1 a pixel gives 1, and a Gaussian across.
    case gabor
  }

  public struct Parameters: StageParameters {
    public let channels: UInt32, mode: Choice<Mode>, scale: Float, width: UInt32, height: UInt32

    package init(channels: UInt32, mode: Choice<Mode>, scale: Float, width: UInt32, height: UInt32) {
      (self.channels, self.mode, self.scale, self.width, self.height) = (channels, mode, scale, width, height)
    }
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), channels = Int(words.channels), n = s.count, scale = words.scale
    let width = Int(words.width), height = Int(words.height)
    if words.mode.value == .gabor {
      gabor(s, c, width, height, scale)
    } else {
      slopes(s, c, width, height, scale)
    }
    if channels == 4 {
      let view = c.channels[3], row = (view.base + s.y &* view.rowBytes).assumingMemoryBound(to: Float.self)
      s.alpha.update(from: row + s.x, count: n)
    }
    switch words.mode.value {
    case .magnitude:
      for channel in 0..<3 {
        let gx = s.plane(channel), gy = s.scratch(3 &+ channel)
        for i in 0..<n { gx[i] = PlanarLength.of(gx[i], gy[i]) }
      }
    case .gradients, .gabor:
      let r = s.red, g = s.green, b = s.blue, y = s.scratch(3)
      for i in 0..<n {
        let along = most(r[i], g[i], b[i])
        let down = most(y[i], y[i &+ Strip.stride], y[i &+ 2 &* Strip.stride])
        r[i] = along
        g[i] = down
        b[i] = 0
      }
    }
    WeightedSum.finish(s, channels: channels)
  }

  /// Puts Sobel's sums of each colour along rows into its plane, those down columns into scratch 3...5.
  @inlinable @inline(always) static func slopes(
    _ s: Strip, _ c: StageContext, _ width: Int, _ height: Int, _ scale: Float
  ) {
    let n = s.count
    for channel in 0..<3 {
      let view = c.channels[channel], gx = s.plane(channel), gy = s.scratch(3 &+ channel)
      @inline(always) func row(_ offset: Int, _ scratch: Int) -> UnsafePointer<Float> {
        Neighbourhood.row(
          view, Neighbourhood.inside(s.y &+ offset, height), s, reach: 1, width: width, s.scratch(scratch))
      }
      let a = row(-1, 0), d = row(0, 1), g = row(1, 2)
      for i in 0..<n {
        let x = ((a[i &+ 2] - a[i]) + 2 * (d[i &+ 2] - d[i])) + (g[i &+ 2] - g[i])
        let y = ((g[i] - a[i]) + 2 * (g[i &+ 1] - a[i &+ 1])) + (g[i &+ 2] - a[i &+ 2])
        gx[i] = x * scale
        gy[i] = y * scale
      }
    }
  }

  /// Does the same with Gabor's weights.
  @inlinable @inline(always) static func gabor(
    _ s: Strip, _ c: StageContext, _ width: Int, _ height: Int, _ scale: Float
  ) {
    for channel in 0..<3 {
      let view = c.channels[channel], gx = s.plane(channel), gy = s.scratch(3 &+ channel)
      for i in 0..<s.padded {
        gx[i] = 0
        gy[i] = 0
      }
      for row in -2...2 {
        let p = Neighbourhood.row(
          view, Neighbourhood.inside(s.y &+ row, height), s, reach: 2, width: width, s.scratch(0))
        let near = row == -1 || row == 1
        let across: Float = row == 0 ? 0x1.9c4868p-2 : near ? 0x1.f41fd6p-3 : 0x1.be5f0ep-5
        let size: Float = row == 0 ? 0 : near ? 0x1.620438p-2 : 0x1.3bf78ep-4, down: Float = row < 0 ? -size : size
        for i in 0..<s.count {
          let x = 0x1.3bf78ep-4 * (p[i &+ 4] - p[i]) + 0x1.620438p-2 * (p[i &+ 3] - p[i &+ 1])
          let y =
            (0x1.be5f0ep-5 * (p[i] + p[i &+ 4]) + 0x1.f41fd6p-3 * (p[i &+ 1] + p[i &+ 3]))
            + 0x1.9c4868p-2 * p[i &+ 2]
          gx[i] = gx[i] + across * (x * scale)
          gy[i] = gy[i] + down * (y * scale)
        }
      }
    }
  }

  /// Returns the number furthest from 0.
  @inlinable @inline(always) static func most(_ r: Float, _ g: Float, _ b: Float) -> Float {
    let ar: Float = r < 0 ? -r : r, ag: Float = g < 0 ? -g : g, ab: Float = b < 0 ? -b : b
    let rg: Float = ag > ar ? g : r, most: Float = ag > ar ? ag : ar
    return ab > most ? b : rg
  }
}
