/// Colours of SDR renditions for charts: CIELAB with the white of sRGB, and Oklab, of linear sRGB.
package struct ChartColor: Sendable, Hashable {
  package var lightness, a, b: Double

  package init(_ lightness: Double, _ a: Double, _ b: Double) {
    (self.lightness, self.a, self.b) = (lightness, a, b)
  }

  /// Makes CIELAB of linear sRGB.
  package init(lab r: Double, _ g: Double, _ b: Double) { self.init(r, g, b, ChartRow.toLab) }

  /// Makes Oklab of linear sRGB.
  package init(oklab r: Double, _ g: Double, _ b: Double) { self.init(r, g, b, ChartRow.toOklab) }

  private init(_ r: Double, _ g: Double, _ b: Double, _ turn: (inout ChartRow) -> Void) {
    var row = ChartRow(width: 1)
    row.append(r, g, b)
    turn(&row)
    self = row.color(0)
  }

  /// Returns the distance of two colours in their space.
  package func distance(to other: ChartColor) -> Double { number(other) { $0.distances($1, to: $2) } }

  /// Returns CIEDE2000 of two colours in CIELAB.
  package func difference2000(to other: ChartColor) -> Double { number(other) { $0.differences2000($1, to: $2) } }

  private var row: ChartRow {
    var row = ChartRow(width: 1)
    row.append(lightness, a, b)
    return row
  }

  private func number(_ other: ChartColor, _ write: (ChartRow, ChartRow, UnsafeMutablePointer<Double>) -> Void)
    -> Double
  {
    var result = 0.0
    write(row, other.row, &result)
    return result
  }
}
