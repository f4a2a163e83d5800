import HDRCore

/// Stage `warp_projective`: each pixel takes source 0 at a place that a homography gives: bilinear between four pixels,
/// or the nearest one. Premultiplied; beyond the border the border's pixels, or transparent black.
///
/// Places are binary32: on a picture of 4096 pixels a side they are off by up to 2^-11 pixel.
public enum WarpProjective: KernelStage {
  package static let readsColumns = true
  package static let readsScattered = true
  package static let operations = 256
  package static let largeNumbers: [String: Double] = ["horizon": 0.25]

  /// The smallest denominator of the homography, whose largest on the result is 1: beyond it is the horizon.
  package static let horizon = 1e-4

  public struct Parameters: StageParameters {
    public let channels: UInt32, isNearest: UInt32, isTransparent: UInt32, isProjective: UInt32
    public let width: UInt32, height: UInt32, horizon: Float, matrix: Matrix3Stage.Parameters
  }

  /// - Parameters:
  ///   - channels: the number of planes of source 0: 3 or 4.
  ///   - matrix: maps pixel numbers x, y of the result to those of the source.
  package static func words(
    channels: Int, isNearest: Bool, isTransparent: Bool, width: Int, height: Int, matrix: Matrix3
  ) -> [UInt32] {
    let isProjective = matrix[2, 0] != 0 || matrix[2, 1] != 0
    return Parameters(
      channels: channels.word, isNearest: isNearest.word, isTransparent: isTransparent.word,
      isProjective: isProjective.word, width: width.word, height: height.word, horizon: Float(horizon),
      matrix: Matrix3Stage.Parameters(matrix)
    ).list
  }

  /// Returns the largest integer not above `q`; |q| < 2^22.
  @inlinable @inline(always) static func roundedDown(_ q: Float) -> Float {
    let nearest = (q + 12_582_912) - 12_582_912
    return nearest > q ? nearest - 1 : nearest
  }

  /// Finds two neighbours inside the source and their weights, along one axis of a pixel's place.
  @inlinable @inline(always) static func neighbours(
    _ place: Float, size: Int32, isNearest: Bool, isTransparent: Bool
  ) -> (first: Int32, second: Int32, weight1: Float, weight2: Float) {
    let low: Float = place > -4 ? place : -4, most = Float(size) + 4
    let inside: Float = low < most ? low : most
    let q = isNearest ? inside + 0.5 : inside
    let below = roundedDown(q), rest = isNearest ? 0 : q - below
    let i = Int32(below), last = size &- 1
    let first = i > 0 ? (i < last ? i : last) : 0, j = i &+ 1
    let second = j > 0 ? (j < last ? j : last) : 0
    let w1: Float = isTransparent && first != i ? 0 : 1 - rest
    let w2: Float = isTransparent && second != j ? 0 : rest
    return (first, second, w1, w2)
  }

  /// Computes the place in source 0 of each pixel, in pixel numbers; -4 beyond the horizon.
  @inlinable @inline(always) static func places(
    _ s: Strip, _ c: StageContext, u: UnsafeMutablePointer<Float>, v: UnsafeMutablePointer<Float>
  ) {
    let words = c.words(Parameters.self), isProjective = words.isProjective != 0, horizon = words.horizon
    let m = words.matrix, y = Float(Int32(s.y)), start = Int32(s.x)
    for i in 0..<s.padded {
      let x = Float(start &+ Int32(truncatingIfNeeded: i))
      u[i] = (m.m0 * x + m.m1 * y) + m.m2
      v[i] = (m.m3 * x + m.m4 * y) + m.m5
      if isProjective {
        let w = (m.m6 * x + m.m7 * y) + m.m8, isBefore = w > horizon
        let inverse = E32.reciprocal(isBefore ? w : 1)
        u[i] = isBefore ? u[i] * inverse : -4
        v[i] = isBefore ? v[i] * inverse : -4
      }
    }
  }

  /// - Parameter pixel: reads R G B A of four halves.
  @inlinable @inline(always) public static func run(
    _ s: Strip, _ c: StageContext, pixel: (UnsafeRawPointer) -> SIMD4<Float>
  ) {
    let words = c.words(Parameters.self), isNearest = words.isNearest != 0, isTransparent = words.isTransparent != 0
    let width = Int32(words.width), height = Int32(words.height), channels = Int(words.channels)
    @inline(always) func integers(_ index: Int) -> UnsafeMutablePointer<Int32> {
      UnsafeMutableRawPointer(s.scratch(index)).assumingMemoryBound(to: Int32.self)
    }
    let x0 = integers(0), x1 = integers(1), y0 = integers(2), y1 = integers(3)
    let wx0 = s.scratch(4), wx1 = s.scratch(5), wy0 = s.scratch(6), wy1 = s.scratch(7)
    let u = s.scratch(8), v = s.scratch(9)
    places(s, c, u: u, v: v)
    for i in 0..<s.padded {
      let a = neighbours(u[i], size: width, isNearest: isNearest, isTransparent: isTransparent)
      let b = neighbours(v[i], size: height, isNearest: isNearest, isTransparent: isTransparent)
      x0[i] = a.first
      x1[i] = a.second
      wx0[i] = a.weight1
      wx1[i] = a.weight2
      y0[i] = b.first
      y1[i] = b.second
      wy0[i] = b.weight1
      wy1[i] = b.weight2
    }
    let isHalf = c.channels[0].stepBytes == 8
    if isHalf {
      let base = c.channels[0].base, rowBytes = c.channels[0].rowBytes
      for i in 0..<s.count {
        let top = base + Int(y0[i]) &* rowBytes, bottom = base + Int(y1[i]) &* rowBytes
        let left = 8 &* Int(x0[i]), right = 8 &* Int(x1[i]), w0 = wx0[i], w1 = wx1[i]
        let upper = (pixel(top + left) * w0 + pixel(top + right) * w1) * wy0[i]
        s.put(upper + (pixel(bottom + left) * w0 + pixel(bottom + right) * w1) * wy1[i], i)
      }
      s.spread()
    }
    for channel in 0..<(isHalf ? 0 : channels) {
      let view = c.channels[channel], out = s.plane(channel), rowBytes = view.rowBytes
      for i in 0..<s.count {
        let top = (view.base + Int(y0[i]) &* rowBytes).assumingMemoryBound(to: Float.self)
        let bottom = (view.base + Int(y1[i]) &* rowBytes).assumingMemoryBound(to: Float.self)
        let left = Int(x0[i]), right = Int(x1[i])
        let upper = (top[left] * wx0[i] + top[right] * wx1[i]) * wy0[i]
        out[i] = upper + (bottom[left] * wx0[i] + bottom[right] * wx1[i]) * wy1[i]
      }
      for i in s.count..<s.padded { out[i] = 0 }
    }
    if channels != 4 {
      for i in 0..<s.padded {
        let across = wx0[i] + wx1[i]
        s.alpha[i] = across * wy0[i] + across * wy1[i]
      }
    }
  }
}
