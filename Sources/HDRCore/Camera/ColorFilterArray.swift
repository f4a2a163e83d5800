/// The repeating pattern of a sensor's colour filters, starting at the corner of its active area.
package struct ColorFilterArray: Sendable, Hashable {
  package let rows: Int
  package let columns: Int
  /// The colours row by row: 0 red, 1 green, 2 blue.
  package let colors: [UInt8]

  package static let maxSide = 8

  /// Returns `nil` unless the pattern has red, green and blue, and at most `maxSide` rows and columns.
  package init?(rows: Int, columns: Int, colors: [UInt8]) {
    guard (1...Self.maxSide).contains(rows), (1...Self.maxSide).contains(columns), colors.count == rows * columns,
      Set(colors) == [0, 1, 2]
    else { return nil }
    (self.rows, self.columns, self.colors) = (rows, columns, colors)
  }

  package func color(x: Int, y: Int) -> Int {
    let row = (y % rows + rows) % rows, column = (x % columns + columns) % columns
    return Int(colors[row * columns + column])
  }

  /// True if the pattern is 2×2 with two greens on one diagonal.
  package var isBayer: Bool {
    rows == 2 && columns == 2 && (colors[0] == colors[3]) != (colors[1] == colors[2])
      && (colors[0] == colors[3] ? colors[0] : colors[1]) == 1
  }

  /// The letters of the colours row by row, as `RGGB`.
  package var letters: String { String(colors.map { ["R", "G", "B"][Int($0)] }) }
}
