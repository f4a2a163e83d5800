import HDRCore

/// Demosaicing of Bayer patterns along the direction in which a picture changes least, in four stages.
///
/// Source: L. Sanz Rodríguez, "Ratio Corrected Demosaicing" (RCD), version 2.3: its published description. Samples are
/// linear values; negative ones count as 0 in sums for brightness. Borders are mirrored without repeating the edge.
public enum RatioCorrected {
  /// The largest distance of samples around a pixel that a stage reads.
  package static let reach = 4
  /// Numbers that are added to gradients and sums that divide, and the smallest sum of squares.
  @usableFromInline static let small: Float = 1e-5
  @usableFromInline static let smallSquare: Float = 1e-10

  public struct Parameters: StageParameters {
    public let width: UInt32, height: UInt32
    /// The parity of column + row of greens, and of rows that have red.
    public let green: UInt32, redRow: UInt32

    package init(_ filters: ColorFilterArray, width: Int, height: Int) {
      (self.width, self.height) = (width.word, height.word)
      green = filters.color(x: 0, y: 0) == 1 ? 0 : 1
      redRow = (0..<2).contains { filters.color(x: $0, y: 0) == 0 } ? 0 : 1
    }
  }

  @inlinable @inline(always) static func mirrored(_ at: Int, _ count: Int) -> Int {
    let inside = at < 0 ? 0 &- at : at >= count ? 2 &* (count &- 1) &- at : at
    return Swift.min(Swift.max(inside, 0), count &- 1)
  }

  /// Returns a row of a plane around a strip, from `reach` samples before its first one; the first is at 0. It is
  /// always a copy in plane `copy` of scratch: rows at places unknown to the compiler would prevent vector loops.
  @inlinable @inline(always) static func row(
    _ view: ChannelView, _ y: Int, _ s: Strip, _ words: Parameters, copy: Int
  ) -> UnsafePointer<Float> {
    let width = Int(words.width), reach = 4, start = s.x &- reach, count = s.count &+ 2 &* reach
    let row = (view.base + mirrored(y, Int(words.height)) &* view.rowBytes).assumingMemoryBound(to: Float.self)
    let own = s.scratch(copy)
    if start >= 0 && start &+ count <= width {
      own.update(from: row + start, count: count)
    } else {
      for i in 0..<count { own[i] = row[mirrored(start &+ i, width)] }
    }
    return UnsafePointer(own + reach)
  }

  @inlinable @inline(always) static func size(_ x: Float) -> Float { x < 0 ? -x : x }

  /// Returns the share of two that is further from a half.
  @inlinable @inline(always) static func clearer(_ own: Float, _ around: Float) -> Float {
    size(0.5 - own) < size(0.5 - around) ? around : own
  }

  /// Returns a colour's gradient in a direction: its samples 1 and 3 that way, 1 the other, green here and 2 that way.
  @inlinable @inline(always) static func gradient(
    _ a: Float, _ c: Float, _ back: Float, _ green: Float, _ beyond: Float
  ) -> Float {
    let near = (small + size(a - back)) + size(a - c)
    return near + size(green - beyond)
  }

  /// Mixes two estimates, each with the weight of the other's gradient.
  @inlinable @inline(always) static func weighed(
    _ a: Float, _ aGradient: Float, _ b: Float, _ bGradient: Float
  ) -> Float {
    (bGradient * a + aGradient * b) * E32.reciprocal(aGradient + bGradient)
  }
}

/// Stage `rcd_directions`: shares of the change around each pixel of source 0, one plane of samples: down (R), and
/// along the diagonal from the upper left (G). B is the sample.
public enum RCDDirections: KernelStage {
  package static let operations = 256

  public typealias Parameters = RatioCorrected.Parameters
  package static let readsColumns = true

  /// Returns the squared high-frequency part of seven samples.
  @inlinable @inline(always) static func change(
    _ a: Float, _ b: Float, _ c: Float, _ own: Float, _ d: Float, _ e: Float, _ f: Float
  ) -> Float {
    let sum = (((a + f) - (c + d)) - 3 * (b + e)) + 6 * own
    return sum * sum
  }

  @inlinable @inline(always) static func share(_ a: Float, _ b: Float) -> Float {
    let least = RatioCorrected.smallSquare
    let some: Float = a > least ? a : least, other: Float = b > least ? b : least
    return some * E32.reciprocal(some + other)
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), view = c.channels[0]
    @inline(always) func row(_ down: Int) -> UnsafePointer<Float> {
      RatioCorrected.row(view, s.y &+ down, s, words, copy: down &+ 4)
    }
    let r0 = row(-4), r1 = row(-3), r2 = row(-2), r3 = row(-1), r4 = row(0), r5 = row(1), r6 = row(2), r7 = row(3)
    let r8 = row(4), red = s.red, green = s.green, blue = s.blue
    for i in 0..<s.count {
      let own = r4[i]
      let down =
        (change(r0[i], r1[i], r2[i], r3[i], own, r5[i], r6[i])
          + change(r1[i], r2[i], r3[i], own, r5[i], r6[i], r7[i]))
        + change(r2[i], r3[i], own, r5[i], r6[i], r7[i], r8[i])
      let right =
        (change(r4[i &- 4], r4[i &- 3], r4[i &- 2], r4[i &- 1], own, r4[i &+ 1], r4[i &+ 2])
          + change(r4[i &- 3], r4[i &- 2], r4[i &- 1], own, r4[i &+ 1], r4[i &+ 2], r4[i &+ 3]))
        + change(r4[i &- 2], r4[i &- 1], own, r4[i &+ 1], r4[i &+ 2], r4[i &+ 3], r4[i &+ 4])
      let falling =
        (change(r0[i &- 4], r1[i &- 3], r2[i &- 2], r3[i &- 1], own, r5[i &+ 1], r6[i &+ 2])
          + change(r1[i &- 3], r2[i &- 2], r3[i &- 1], own, r5[i &+ 1], r6[i &+ 2], r7[i &+ 3]))
        + change(r2[i &- 2], r3[i &- 1], own, r5[i &+ 1], r6[i &+ 2], r7[i &+ 3], r8[i &+ 4])
      let rising =
        (change(r0[i &+ 4], r1[i &+ 3], r2[i &+ 2], r3[i &+ 1], own, r5[i &- 1], r6[i &- 2])
          + change(r1[i &+ 3], r2[i &+ 2], r3[i &+ 1], own, r5[i &- 1], r6[i &- 2], r7[i &- 3]))
        + change(r2[i &+ 2], r3[i &+ 1], own, r5[i &- 1], r6[i &- 2], r7[i &- 3], r8[i &- 4])
      red[i] = share(down, right)
      green[i] = share(falling, rising)
      blue[i] = own
    }
    WeightedSum.finish(s, channels: 3)
  }
}

/// Stage `rcd_green`: from the planes of `rcd_directions` makes green (R), the share of change of two directions (G;
/// down or right at greens, else the diagonals) and the sample (B).
public enum RCDGreen: KernelStage {
  package static let operations = 256

  public typealias Parameters = RatioCorrected.Parameters
  package static let readsColumns = true

  /// Returns brightness: a weighted sum of 3×3 samples, at least 0.
  @inlinable @inline(always) static func brightness(
    _ above: UnsafePointer<Float>, _ own: UnsafePointer<Float>, _ below: UnsafePointer<Float>, _ i: Int
  ) -> Float {
    let beside = (above[i] + below[i]) + (own[i &- 1] + own[i &+ 1])
    let corners = (above[i &- 1] + above[i &+ 1]) + (below[i &- 1] + below[i &+ 1])
    let sum = (own[i] + 0.5 * beside) + 0.25 * corners
    return sum > 0 ? sum : 0
  }

  /// Returns the gradient from a pixel in a direction: samples 1 to 4 that way, and 1 the other.
  @inlinable @inline(always) static func gradient(
    _ own: Float, _ a: Float, _ b: Float, _ c: Float, _ d: Float, _ back: Float
  ) -> Float {
    let near = (RatioCorrected.small + RatioCorrected.size(a - back)) + RatioCorrected.size(own - b)
    return (near + RatioCorrected.size(a - c)) + RatioCorrected.size(b - d)
  }

  /// Returns a neighbour's green, corrected by the ratio of brightness here to that beyond it.
  @inlinable @inline(always) static func estimate(_ green: Float, _ here: Float, _ beyond: Float) -> Float {
    let sum = (RatioCorrected.small + here) + beyond
    return green * (1 + (here - beyond) * E32.reciprocal(sum))
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), n = s.count
    @inline(always) func row(_ channel: Int, _ down: Int, _ copy: Int) -> UnsafePointer<Float> {
      RatioCorrected.row(c.channels[channel], s.y &+ down, s, words, copy: copy)
    }
    let r0 = row(2, -4, 0), r1 = row(2, -3, 1), r2 = row(2, -2, 2), r3 = row(2, -1, 3), r4 = row(2, 0, 4)
    let r5 = row(2, 1, 5), r6 = row(2, 2, 6), r7 = row(2, 3, 7), r8 = row(2, 4, 8)
    let light = s.scratch(12) + 4, red = s.red, green = s.green, blue = s.blue
    // The share further from a half: the pixel's own, or the mean of its diagonal neighbours'.
    @inline(always) func direction(_ channel: Int, _ out: UnsafeMutablePointer<Float>) {
      let above = row(channel, -1, 9), own = row(channel, 0, 10), below = row(channel, 1, 11)
      for i in 0..<n {
        let around = 0.25 * ((above[i &- 1] + above[i &+ 1]) + (below[i &- 1] + below[i &+ 1]))
        out[i] = RatioCorrected.clearer(own[i], around)
      }
    }
    direction(0, red)
    direction(1, green)
    for i in -2..<n &+ 2 { light[i] = brightness(r3, r4, r5, i) }
    let first = (s.x &+ s.y &+ Int(words.green)) & 1
    for i in 0..<n {
      let own = r4[i], here = light[i], upper = brightness(r1, r2, r3, i), lower = brightness(r5, r6, r7, i)
      let up = gradient(own, r3[i], r2[i], r1[i], r0[i], r5[i])
      let down = gradient(own, r5[i], r6[i], r7[i], r8[i], r3[i])
      let left = gradient(own, r4[i &- 1], r4[i &- 2], r4[i &- 3], r4[i &- 4], r4[i &+ 1])
      let right = gradient(own, r4[i &+ 1], r4[i &+ 2], r4[i &+ 3], r4[i &+ 4], r4[i &- 1])
      let vertical = RatioCorrected.weighed(
        estimate(r3[i], here, upper), up, estimate(r5[i], here, lower), down)
      let horizontal = RatioCorrected.weighed(
        estimate(r4[i &- 1], here, light[i &- 2]), left, estimate(r4[i &+ 1], here, light[i &+ 2]), right)
      let share = red[i], found = share * horizontal + (1 - share) * vertical
      let isGreen = (i & 1) == first
      red[i] = isGreen ? own : found
      green[i] = isGreen ? share : green[i]
      blue[i] = own
    }
    WeightedSum.finish(s, channels: 3)
  }
}

/// Stage `rcd_opposite`: from the planes of `rcd_green` blue at reds and red at blues; values at greens are not used.
public enum RCDOpposite: KernelStage {
  package static let operations = 256

  public typealias Parameters = RatioCorrected.Parameters
  package static let readsColumns = true

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self)
    @inline(always) func row(_ channel: Int, _ down: Int, _ copy: Int) -> UnsafePointer<Float> {
      RatioCorrected.row(c.channels[channel], s.y &+ down, s, words, copy: copy)
    }
    let v0 = row(2, -3, 0), v1 = row(2, -1, 1), v2 = row(2, 1, 2), v3 = row(2, 3, 3)
    let g0 = row(0, -2, 4), g1 = row(0, -1, 5), g2 = row(0, 0, 6), g3 = row(0, 1, 7), g4 = row(0, 2, 8)
    let direction = row(1, 0, 9), red = s.red
    for i in 0..<s.count {
      let own = g2[i], share = direction[i]
      let a = RatioCorrected.gradient(v1[i &- 1], v0[i &- 3], v2[i &+ 1], own, g0[i &- 2])
      let b = RatioCorrected.gradient(v2[i &+ 1], v3[i &+ 3], v1[i &- 1], own, g4[i &+ 2])
      let d = RatioCorrected.gradient(v1[i &+ 1], v0[i &+ 3], v2[i &- 1], own, g0[i &+ 2])
      let e = RatioCorrected.gradient(v2[i &- 1], v3[i &- 3], v1[i &+ 1], own, g4[i &- 2])
      let falling = RatioCorrected.weighed(v1[i &- 1] - g1[i &- 1], a, v2[i &+ 1] - g3[i &+ 1], b)
      let rising = RatioCorrected.weighed(v1[i &+ 1] - g1[i &+ 1], d, v2[i &- 1] - g3[i &- 1], e)
      red[i] = (own + (1 - share) * falling) + share * rising
    }
    WeightedSum.finish(s, channels: 1)
  }
}

/// Stage `rcd_colors`: R, G, B from the planes of `rcd_green` (source 0) and `rcd_opposite` (source 1).
public enum RCDColors: KernelStage {
  package static let operations = 256

  public typealias Parameters = RatioCorrected.Parameters
  package static let readsColumns = true

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), n = s.count
    @inline(always) func row(_ channel: Int, _ down: Int, _ copy: Int) -> UnsafePointer<Float> {
      RatioCorrected.row(c.channels[channel], s.y &+ down, s, words, copy: copy)
    }
    let g0 = row(0, -2, 0), g1 = row(0, -1, 1), g2 = row(0, 0, 2), g3 = row(0, 1, 3), g4 = row(0, 2, 4)
    let direction = row(1, 0, 5)
    // At greens, one colour is sampled in the same row, the other in the same column.
    @inline(always) func color(inRow: Int, inColumn: Int, _ out: UnsafeMutablePointer<Float>) {
      let v0 = row(inColumn, -3, 6), v1 = row(inColumn, -1, 7), v2 = row(inColumn, 1, 8), v3 = row(inColumn, 3, 9)
      let h = row(inRow, 0, 10)
      for i in 0..<n {
        let own = g2[i], share = direction[i]
        let up = RatioCorrected.gradient(v1[i], v0[i], v2[i], own, g0[i])
        let down = RatioCorrected.gradient(v2[i], v3[i], v1[i], own, g4[i])
        let left = RatioCorrected.gradient(h[i &- 1], h[i &- 3], h[i &+ 1], own, g2[i &- 2])
        let right = RatioCorrected.gradient(h[i &+ 1], h[i &+ 3], h[i &- 1], own, g2[i &+ 2])
        let vertical = RatioCorrected.weighed(v1[i] - g1[i], up, v2[i] - g3[i], down)
        let horizontal = RatioCorrected.weighed(h[i &- 1] - g2[i &- 1], left, h[i &+ 1] - g2[i &+ 1], right)
        out[i] = (own + (1 - share) * vertical) + share * horizontal
      }
    }
    color(inRow: 2, inColumn: 4, s.red)
    color(inRow: 4, inColumn: 2, s.blue)
    let sample = row(2, 0, 6), opposite = row(4, 0, 7), first = (s.x &+ s.y &+ Int(words.green)) & 1
    let hasRed = s.y & 1 == Int(words.redRow), red = s.red, green = s.green, blue = s.blue
    for i in 0..<n {
      let isGreen = (i & 1) == first
      let beside: Float = isGreen ? red[i] : sample[i], above: Float = isGreen ? blue[i] : opposite[i]
      red[i] = hasRed ? beside : above
      green[i] = g2[i]
      blue[i] = hasRed ? above : beside
    }
    WeightedSum.finish(s, channels: 3)
  }
}
