import HDRCore

/// The colours and shapes that the generators share, and the stage that draws them.
///
/// Stage `pattern`: two colours mixed by a weight that is made of a number for the column and one for the row. The
/// numbers are computed in binary64 for each column and row of the picture, so no place is rounded before they are.
/// Colours are mixed premultiplied, in linear light.
public enum Pattern: KernelStage {
  /// The weight of the second colour as a function of the column's number c and the row's r.
  public enum Shape: Int, Sendable, Hashable, CaseIterable {
    /// c + r.
    case sum
    /// The share of odd cells: c (1 - r) + r (1 - c).
    case parity
    /// 1 - c r.
    case product
    /// The root of c + r, scaled. Its error is at most 1.5 units of the last place.
    case distance
  }

  /// The square root of squared distances of 2^-16...2^44.
  package static let root = CurveTable(octaves: -16..<44, k: 5) { $0.squareRoot() }

  /// Returns the shares of odd cells along an axis. Cells of `width` begin at `center`; `sharpness` below 1 blends over
  /// a band of (1 - sharpness) of a cell around their borders.
  package static func cells(_ size: Int, center: Double, width: Double, sharpness: Double) -> [Double] {
    (0..<size).map { i in
      let u = (Double(i) + 0.5 - center) / width, cell = u.rounded(.down)
      let border = min(u - cell, cell + 1 - u), band = 1 - sharpness
      let own = band > 0 ? smooth(min(0.5 + border / band, 1)) : 1
      return cell.truncatingRemainder(dividingBy: 2) == 0 ? 1 - own : own
    }
  }

  /// Returns t² (3 - 2t) for t in 0...1.
  static func smooth(_ t: Double) -> Double { t * t * (3 - 2 * t) }

  public struct Parameters: StageParameters {
    public let columns: UInt32, rows: UInt32, shape: Choice<Shape>, isSmooth: UInt32
    public let first: RGBAWords<Float>, second: RGBAWords<Float>
    /// The scale and offset of distances, and the table of their root.
    public let scale: Float, offset: Float, root: CurveWords, rootSlope: Float

    package init(
      columns: UInt32, rows: UInt32, shape: Choice<Shape>, isSmooth: UInt32, first: RGBAWords<Float>,
      second: RGBAWords<Float>, scale: Float, offset: Float, root: CurveWords, rootSlope: Float
    ) {
      (
        self.columns, self.rows, self.shape, self.isSmooth, self.first, self.second, self.scale, self.offset, self.root,
        self.rootSlope
      ) = (columns, rows, shape, isSmooth, first, second, scale, offset, root, rootSlope)
    }
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), t = s.scratch(0), n = s.padded
    let columns = c.table(at: words.columns) + s.x, row = c.table(at: words.rows)[s.y]
    t.update(from: columns, count: s.count)
    for i in s.count..<n { t[i] = 0 }
    switch words.shape.value {
    case .sum: for i in 0..<n { t[i] = t[i] + row }
    case .parity: for i in 0..<n { t[i] = (t[i] + row) - 2 * (t[i] * row) }
    case .product: for i in 0..<n { t[i] = 1 - t[i] * row }
    case .distance:
      let least = Float(bitPattern: words.root.minBits), root = s.scratch(1), slope = words.rootSlope
      for i in 0..<n { t[i] = t[i] + row }
      CurveTable.lookup(
        c.table(at: words.root.table), from: t, to: root, n, words.root.domain, index: s.scratch(2),
        fraction: s.scratch(3))
      for i in 0..<n {
        let d: Float = t[i] < least ? t[i] * slope : root[i]
        t[i] = d * words.scale + words.offset
      }
    }
    let isSmooth = words.isSmooth != 0
    for i in 0..<n {
      let low: Float = t[i] > 0 ? t[i] : 0
      let u: Float = low < 1 ? low : 1
      t[i] = isSmooth ? (u * u) * (3 - 2 * u) : u
    }
    for channel in 0..<4 {
      let p = s.plane(channel), first = words.first[channel], second = words.second[channel]
      for i in 0..<n { p[i] = first * (1 - t[i]) + second * t[i] }
    }
  }
}
