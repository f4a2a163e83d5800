import HDRCore

/// Stage `warp_projective`: each pixel takes source 0 at a place that a homography gives: bilinear between four pixels,
/// or the nearest one. Premultiplied; beyond the border the border's pixels, or transparent black.
///
/// Places are binary32: on a picture of 4096 pixels a side they are off by up to 2^-11 pixel.
public enum WarpProjective {
  /// The smallest denominator of the homography, whose largest on the result is 1: beyond it is the horizon.
  static let horizon = 1e-4

  public struct Words: StageWords {
    public let channels: UInt32, isNearest: UInt32, isTransparent: UInt32, isProjective: UInt32
    public let width: UInt32, height: UInt32, horizon: Float, matrix: Matrix3Stage.Words
  }

  /// - Parameters:
  ///   - channels: the number of planes of source 0: 3 or 4.
  ///   - matrix: maps pixel numbers x, y of the result to those of the source.
  static func words(
    channels: Int, isNearest: Bool, isTransparent: Bool, width: Int, height: Int, matrix: Matrix3
  ) -> [UInt32] {
    let isProjective = matrix[2, 0] != 0 || matrix[2, 1] != 0
    return Words(
      channels: channels.word, isNearest: isNearest.word, isTransparent: isTransparent.word,
      isProjective: isProjective.word, width: width.word, height: height.word, horizon: Float(horizon),
      matrix: Matrix3Stage.Words(matrix)
    ).list
  }

  /// Returns the largest integer not above `q`; |q| < 2^22.
  @inlinable @inline(always) static func floor(_ q: Float) -> Float {
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
    let below = floor(q), rest = isNearest ? 0 : q - below
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
    let words = c.words(Words.self), isProjective = words.isProjective != 0, horizon = words.horizon
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
    let words = c.words(Words.self), isNearest = words.isNearest != 0, isTransparent = words.isTransparent != 0
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

extension Edit {
  /// Shows the picture through a homography.
  ///
  /// If all of the result lies inside the picture, nothing becomes transparent, and pixels at the border repeat
  /// outwards. Otherwise the picture fades out over the pixel around it.
  ///
  /// - Parameters:
  ///   - source: maps places in the result to places in the picture, in pixels with centres at halves; the denominator
  ///     is positive where the picture is visible.
  ///   - sampling: one pixel, four or sixteen.
  mutating func warp(
    _ name: String, width resultWidth: Int, height resultHeight: Int, _ sampling: Warping.Sampling, source: Matrix3
  ) throws(PlanError) {
    try checkSize(name, resultWidth, resultHeight)
    let (width, height) = (width, height), w = Double(resultWidth), h = Double(resultHeight)
    let corners = [[0, 0, 1], [w, 0, 1], [0, h, 1], [w, h, 1]].map { source * $0 }
    let most = corners.map { $0[2] }.max() ?? 0
    guard most > 0, most.isFinite, source.rows.allSatisfy({ abs($0 / most) < 1e9 }) else {
      throw .invalidParameter("\(name): nothing of the picture can be seen so")
    }
    let isInside = corners.allSatisfy { p in
      p[2] > 2 * WarpProjective.horizon * most
        && p[0] > -1e-9 * p[2] && p[0] < (Double(width) + 1e-9) * p[2]
        && p[1] > -1e-9 * p[2] && p[1] < (Double(height) + 1e-9) * p[2]
    }
    // Maps pixel numbers to pixel numbers; pixel centres are at halves.
    let center = Matrix3([1, 0, 0.5, 0, 1, 0.5, 0, 0, 1]), back = Matrix3([1, 0, -0.5, 0, 1, -0.5, 0, 0, 1])
    let matrix = back * (source * (1 / most)) * center
    premultiply()
    load(
      name, sampling == .bicubic ? .warpBicubic : .warpProjective, width: resultWidth, height: resultHeight,
      rows: Self.rows(matrix, width: resultWidth, height: resultHeight, of: height)
    ) { channels, _ in
      WarpProjective.words(
        channels: channels, isNearest: sampling == .nearest, isTransparent: !isInside, width: width, height: height,
        matrix: matrix
      )
    }
    if !isInside { makeTransparent() }
    unpremultiply()
  }

  /// Returns the source rows that each row of a warp needs. They lie between those of its ends, because a homography
  /// takes lines to lines, plus the possible error of binary32; all rows if the horizon is near.
  private static func rows(_ m: Matrix3, width: Int, height: Int, of sourceHeight: Int) -> RowScale {
    var first: [Int32] = [], last: [Int32] = []
    let size = Double(sourceHeight), right = Double(width - 1)
    for row in 0..<height {
      let y = Double(row), ends = [0, right].map { m * [$0, y, 1] }
      let least = min(ends[0][2], ends[1][2])
      var low = 0.0, high = size - 1
      if least > 2 * WarpProjective.horizon {
        let places = ends.map { $0[1] / $0[2] }
        let sum = abs(m[1, 0]) * right + abs(m[1, 1]) * y + abs(m[1, 2])
        let below = abs(m[2, 0]) * right + abs(m[2, 1]) * y + abs(m[2, 2])
        let error = 0x1p-21 * (sum + below * size) / least
        // Cubic convolution reads a pixel more to either side than the others.
        low = min(places[0], places[1]) - 2 - error
        high = max(places[0], places[1]) + 3 + error
      }
      first.append(Int32(min(max(low, 0), size - 1)))
      last.append(Int32(min(max(high, 0), size - 1)))
    }
    return RowScale(firstRow: first, lastRow: last)
  }

  /// Checks that a filter's result has up to 65,536 pixels a side and 2^28 in all.
  func checkSize(_ name: String, _ width: Int, _ height: Int) throws(PlanError) {
    guard width > 0, height > 0, width <= 65536, height <= 65536, width * height <= 1 << 28 else {
      throw .invalidParameter(
        "\(name): the result would be \(width)x\(height) pixels; sides are 1...65536, and all is 2^28 at most")
    }
  }

  /// Rounds a computed length to a number of pixels; -1 if it cannot be a picture's size.
  static func pixels(_ length: Double, _ rounding: FloatingPointRoundingRule = .toNearestOrAwayFromZero) -> Int {
    length.isFinite && abs(length) < 1e9 ? Int(length.rounded(rounding)) : -1
  }
}

extension Matrix3 {
  static func translation(_ x: Double, _ y: Double) -> Matrix3 { Matrix3([1, 0, x, 0, 1, y, 0, 0, 1]) }

  /// Maps the unit square to a quadrilateral, corners in the order (0, 0), (1, 0), (1, 1), (0, 1). The denominator is
  /// positive inside (Heckbert, Fundamentals of Texture Mapping, 1989, §2.2.3).
  ///
  /// - Returns: `nil` if the corners are not those of a convex quadrilateral in this order.
  static func square(to p: [[Double]]) -> Matrix3? {
    let turns = (0..<4).map { i in
      let a = p[i], b = p[(i + 1) % 4], c = p[(i + 2) % 4]
      return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
    }
    guard turns.allSatisfy({ $0 > 1e-3 }) || turns.allSatisfy({ $0 < -1e-3 }) else { return nil }
    let dx1 = p[1][0] - p[2][0], dx2 = p[3][0] - p[2][0], sx = p[0][0] - p[1][0] + p[2][0] - p[3][0]
    let dy1 = p[1][1] - p[2][1], dy2 = p[3][1] - p[2][1], sy = p[0][1] - p[1][1] + p[2][1] - p[3][1]
    let d = dx1 * dy2 - dx2 * dy1, g = (sx * dy2 - dx2 * sy) / d, h = (dx1 * sy - sx * dy1) / d
    return Matrix3([
      p[1][0] - p[0][0] + g * p[1][0], p[3][0] - p[0][0] + h * p[3][0], p[0][0],
      p[1][1] - p[0][1] + g * p[1][1], p[3][1] - p[0][1] + h * p[3][1], p[0][1], g, h, 1,
    ])
  }
}
