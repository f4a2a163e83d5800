import HDRCore

/// Stage `warp_bicubic`: takes source 0 at a place that a homography gives, by cubic convolution over 4x4 pixels (Keys
/// 1981, a = -1/2: a cubic through the pixels that keeps lines straight). Premultiplied; alpha is kept in [0, 1].
/// Places, borders and parameters are those of `WarpProjective`.
public enum WarpBicubic: KernelStage {
  package static let readsColumns = true
  package static let readsScattered = true
  package static let operations = 256
  package static let largeNumbers = WarpProjective.largeNumbers

  public typealias Parameters = WarpProjective.Parameters

  /// Returns the weights of the pixels 1 before, at, 1 and 2 after `t`, 0...1.
  @inlinable @inline(always) static func weights(_ t: Float) -> (Float, Float, Float, Float) {
    let t2 = t * t, t3 = t2 * t
    return (
      (t2 - 0.5 * t3) - 0.5 * t, (1.5 * t3 - 2.5 * t2) + 1, (2 * t2 - 1.5 * t3) + 0.5 * t, 0.5 * t3 - 0.5 * t2
    )
  }

  @inlinable @inline(always) static func inside(_ i: Int32, _ size: Int32) -> Int32 {
    i > 0 ? (i < size &- 1 ? i : size &- 1) : 0
  }

  /// - Parameter pixel: reads R G B A of four halves.
  @inlinable @inline(always) public static func run(
    _ s: Strip, _ c: StageContext, pixel: (UnsafeRawPointer) -> SIMD4<Float>
  ) {
    let words = c.words(Parameters.self), isTransparent = words.isTransparent != 0, channels = Int(words.channels)
    let width = Int32(words.width), height = Int32(words.height), n = s.padded
    @inline(always) func integers(_ index: Int) -> UnsafeMutablePointer<Int32> {
      UnsafeMutableRawPointer(s.scratch(index)).assumingMemoryBound(to: Int32.self)
    }
    // First pixel along each axis, then four weights for each.
    let column = integers(0), row = integers(1)
    WarpProjective.places(s, c, u: s.scratch(2), v: s.scratch(6))
    for (axis, first, size) in [(2, column, width), (6, row, height)] {
      let place = s.scratch(axis), w1 = s.scratch(axis &+ 1), w2 = s.scratch(axis &+ 2), w3 = s.scratch(axis &+ 3)
      for i in 0..<n {
        let low: Float = place[i] > -4 ? place[i] : -4, most = Float(size) + 4
        let q: Float = low < most ? low : most, below = WarpProjective.roundedDown(q), at = Int32(below)
        let w = weights(q - below)
        first[i] = at &- 1
        place[i] = isTransparent && inside(at &- 1, size) != at &- 1 ? 0 : w.0
        w1[i] = isTransparent && inside(at, size) != at ? 0 : w.1
        w2[i] = isTransparent && inside(at &+ 1, size) != at &+ 1 ? 0 : w.2
        w3[i] = isTransparent && inside(at &+ 2, size) != at &+ 2 ? 0 : w.3
      }
    }
    let x0 = s.scratch(2), x1 = s.scratch(3), x2 = s.scratch(4), x3 = s.scratch(5)
    let y0 = s.scratch(6), y1 = s.scratch(7), y2 = s.scratch(8), y3 = s.scratch(9)
    let isHalf = c.channels[0].stepBytes == 8
    if isHalf {
      let base = c.channels[0].base, rowBytes = c.channels[0].rowBytes
      for i in 0..<s.count {
        let x = column[i], y = row[i]
        let a = 8 &* Int(inside(x, width)), b = 8 &* Int(inside(x &+ 1, width))
        let d = 8 &* Int(inside(x &+ 2, width)), e = 8 &* Int(inside(x &+ 3, width))
        let w0 = x0[i], w1 = x1[i], w2 = x2[i], w3 = x3[i]
        @inline(always) func line(_ y: Int32) -> SIMD4<Float> {
          let p = base + Int(inside(y, height)) &* rowBytes
          return ((pixel(p + a) * w0 + pixel(p + b) * w1) + pixel(p + d) * w2) + pixel(p + e) * w3
        }
        let upper = line(y) * y0[i] + line(y &+ 1) * y1[i]
        s.put((upper + line(y &+ 2) * y2[i]) + line(y &+ 3) * y3[i], i)
      }
      s.spread()
    }
    for channel in 0..<(isHalf ? 0 : channels) {
      let view = c.channels[channel], out = s.plane(channel)
      for i in 0..<s.count {
        let x = column[i], y = row[i]
        let a = Int(inside(x, width)), b = Int(inside(x &+ 1, width))
        let d = Int(inside(x &+ 2, width)), e = Int(inside(x &+ 3, width))
        @inline(always) func line(_ y: Int32) -> Float {
          let p = (view.base + Int(inside(y, height)) &* view.rowBytes).assumingMemoryBound(to: Float.self)
          return ((p[a] * x0[i] + p[b] * x1[i]) + p[d] * x2[i]) + p[e] * x3[i]
        }
        let upper = line(y) * y0[i] + line(y &+ 1) * y1[i]
        out[i] = (upper + line(y &+ 2) * y2[i]) + line(y &+ 3) * y3[i]
      }
      for i in s.count..<n { out[i] = 0 }
    }
    if channels != 4 {
      for i in 0..<n {
        let across = ((x0[i] + x1[i]) + x2[i]) + x3[i]
        s.alpha[i] = ((across * y0[i] + across * y1[i]) + across * y2[i]) + across * y3[i]
      }
    }
    for i in 0..<n {
      let a: Float = s.alpha[i] > 0 ? s.alpha[i] : 0
      s.alpha[i] = a < 1 ? a : 1
    }
  }
}
