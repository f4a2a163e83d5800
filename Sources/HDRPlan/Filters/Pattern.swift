import HDRCore

/// The colours and shapes that the generators share, and the stage that draws them.
///
/// Stage `pattern`: two colours mixed by a weight that is made of a number for the column and one for the row. The
/// numbers are computed in binary64 for each column and row of the picture, so no place is rounded before they are.
/// Colours are mixed premultiplied, in linear light.
public enum Pattern {
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

  static let color0 = FilterParameter("color0", .color([1, 1, 1, 1]), "first colour, encoded sRGB; 1 is white")
  static let color1 = FilterParameter("color1", .color([0, 0, 0, 1]), "second colour")
  static let exposure = FilterParameter("exposure", .number(0, -20...20), "stops added to the colours")
  static let center = FilterParameter(
    "center", .vector(nil, size: 2, -1_048_576...1_048_576), "x, y in pixels; without it the picture's centre")

  /// Returns linear BT.2020 R, G, B (not multiplied) and alpha of a colour, with the exposure's stops added.
  static func light(_ values: FilterValues, _ color: FilterParameter) -> [Double] {
    let factor = ExactMath.exp2(values.value(exposure)), most = Double(E32.largest)
    let list = values.color(color)
    return list.prefix(3).map { min(max($0 * factor, -most), most) } + [list[3]]
  }

  /// Returns the headroom of a picture of some colours.
  static func headroom(_ values: FilterValues, _ colors: [FilterParameter]) -> Headroom {
    Headroom(factor: colors.flatMap { light(values, $0).prefix(3) }.reduce(1, max))
  }

  /// The square root of squared distances of 2^-16...2^44.
  static let root = CurveTable(octaves: -16..<44, k: 5) { $0.squareRoot() }

  /// Returns the shares of odd cells along an axis. Cells of `width` begin at `center`; `sharpness` below 1 blends over
  /// a band of (1 - sharpness) of a cell around their borders.
  static func cells(_ size: Int, center: Double, width: Double, sharpness: Double) -> [Double] {
    (0..<size).map { i in
      let u = (Double(i) + 0.5 - center) / width, cell = u.rounded(.down)
      let border = min(u - cell, cell + 1 - u), band = 1 - sharpness
      let own = band > 0 ? smooth(min(0.5 + border / band, 1)) : 1
      return cell.truncatingRemainder(dividingBy: 2) == 0 ? 1 - own : own
    }
  }

  /// Returns t² (3 - 2t) for t in 0...1.
  static func smooth(_ t: Double) -> Double { t * t * (3 - 2 * t) }

  public struct Words: StageWords {
    public let columns: UInt32, rows: UInt32, shape: Choice<Shape>, isSmooth: UInt32
    public let first: RGBAWords<Float>, second: RGBAWords<Float>
    /// The scale and offset of distances, and the table of their root.
    public let scale: Float, offset: Float, root: CurveWords, rootSlope: Float
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Words.self), t = s.scratch(0), n = s.padded
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

extension Edit {
  /// Replaces the picture by a mix of `color0` and `color1`.
  ///
  /// - Parameters:
  ///   - columns, rows: the numbers of `Pattern.Shape` for each column and each row.
  ///   - scale, offset: turn a distance into the weight.
  mutating func pattern(
    _ shape: Pattern.Shape, _ values: FilterValues, columns: [Double], rows: [Double], scale: Double = 1,
    offset: Double = 0, isSmooth: Bool = false
  ) {
    let colors = [Pattern.color0, Pattern.color1].map { Pattern.light(values, $0) }
    let isTransparent = colors.contains { $0[3] < 1 }
    if isTransparent { makeTransparent() } else { makeOpaque() }
    let multiplied = colors.map { color in RGBAWords(color.prefix(3).map { $0 * color[3] } + [color[3]]) }
    let root = Pattern.root
    let tables = [columns.map(\.word), rows.map(\.word)] + (shape == .distance ? [root.words] : [])
    stage(.pattern, tables: tables) { offsets in
      Pattern.Words(
        columns: offsets[0], rows: offsets[1], shape: Choice(shape), isSmooth: isSmooth.word, first: multiplied[0],
        second: multiplied[1], scale: Float(scale), offset: Float(offset),
        root: CurveWords(root, offset: offsets[offsets.count - 1]), rootSlope: Float(root.slope0)
      ).list
    }
    if isTransparent { unpremultiply() }
  }

  /// Marks the picture as opaque, for filters that make alpha 1 everywhere.
  mutating func makeOpaque() {
    builder.flush()
    builder.hasAlpha = false
  }

  /// Returns the position given to a filter, or the picture's centre.
  func place(_ values: FilterValues, _ p: FilterParameter) -> (x: Double, y: Double) {
    let at = values.vector(p) ?? [Double(width) / 2, Double(height) / 2]
    return (at[0], at[1])
  }
}
