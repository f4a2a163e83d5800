import HDRCore
import Kernels

extension Pattern {
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
    pattern(shape, colors, columns: columns, rows: rows, scale: scale, offset: offset, isSmooth: isSmooth)
  }

  /// Replaces the picture by a mix of two colours of light, not multiplied by their alphas.
  mutating func pattern(
    _ shape: Pattern.Shape, _ colors: [[Double]], columns: [Double], rows: [Double], scale: Double = 1,
    offset: Double = 0, isSmooth: Bool = false
  ) {
    let isTransparent = colors.contains { $0[3] < 1 }
    if isTransparent { makeTransparent() } else { makeOpaque() }
    let multiplied = colors.map { color in RGBAWords(color.prefix(3).map { $0 * color[3] } + [color[3]]) }
    let root = Pattern.root
    let tables = [columns.map(\.word), rows.map(\.word)] + (shape == .distance ? [root.words] : [])
    stage(.pattern, tables: tables) { offsets in
      Pattern.Parameters(
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
