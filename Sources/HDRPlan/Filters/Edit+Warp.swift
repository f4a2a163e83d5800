import HDRCore
import Kernels

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
  ///   - repeatsBorder: nothing becomes transparent: beyond the picture its border's pixels repeat.
  mutating func warp(
    _ name: String, width resultWidth: Int, height resultHeight: Int, _ sampling: Warping.Sampling, source: Matrix3,
    repeatsBorder: Bool = false
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
    let isTransparent = !isInside && !repeatsBorder
    // Maps pixel numbers to pixel numbers; pixel centres are at halves.
    let center = Matrix3([1, 0, 0.5, 0, 1, 0.5, 0, 0, 1]), back = Matrix3([1, 0, -0.5, 0, 1, -0.5, 0, 0, 1])
    let matrix = back * (source * (1 / most)) * center
    premultiply()
    load(
      name, sampling == .bicubic ? .warpBicubic : .warpProjective, width: resultWidth, height: resultHeight,
      rows: Self.rows(matrix, width: resultWidth, height: resultHeight, of: height)
    ) { channels, _ in
      WarpProjective.words(
        channels: channels, isNearest: sampling == .nearest, isTransparent: isTransparent, width: width, height: height,
        matrix: matrix
      )
    }
    if isTransparent { makeTransparent() }
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
