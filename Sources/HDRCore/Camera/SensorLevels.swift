/// The mapping of sensor codes to linear values, 0 for black and 1 for white. Source: DNG 1.7.1 chapter 5.
package struct SensorLevels: Sendable, Hashable {
  /// The linear number of each code; larger codes have the last one. Empty if codes are linear.
  package var linearization: [UInt16]
  /// The size of the repeating pattern of black levels.
  package var repeatRows: Int
  package var repeatColumns: Int
  /// The black level of each position in the pattern and, in it, of each plane: row by row.
  package var black: [Double]
  /// Numbers added to black, by row and by column of the active area; empty if there are none.
  package var deltaRows: [Double]
  package var deltaColumns: [Double]
  /// The white level of each plane.
  package var white: [Double]

  package init(
    linearization: [UInt16] = [], repeatRows: Int = 1, repeatColumns: Int = 1, black: [Double] = [0],
    deltaRows: [Double] = [], deltaColumns: [Double] = [], white: [Double]
  ) {
    self.linearization = linearization
    (self.repeatRows, self.repeatColumns, self.black) = (repeatRows, repeatColumns, black)
    (self.deltaRows, self.deltaColumns, self.white) = (deltaRows, deltaColumns, white)
  }

  private var planes: Int { max(1, black.count / (repeatRows * repeatColumns)) }

  package func black(x: Int, y: Int, plane: Int = 0) -> Double {
    let place = y % repeatRows * repeatColumns + x % repeatColumns
    return black[min(place * planes + plane, black.count - 1)]
      + (deltaRows.isEmpty ? 0 : deltaRows[min(y, deltaRows.count - 1)])
      + (deltaColumns.isEmpty ? 0 : deltaColumns[min(x, deltaColumns.count - 1)])
  }

  /// Returns the largest black level of a plane.
  package func largestBlack(plane: Int = 0) -> Double {
    let own = stride(from: min(plane, planes - 1), to: black.count, by: planes).map { black[$0] }.max() ?? 0
    return own + max(0, deltaRows.max() ?? 0) + max(0, deltaColumns.max() ?? 0)
  }

  /// Returns the factor that is applied after the subtraction of black.
  package func scale(plane: Int = 0) -> Double {
    1 / (white[min(plane, white.count - 1)] - largestBlack(plane: plane))
  }

  package func linearized(_ code: Int) -> Double {
    linearization.isEmpty ? Double(code) : Double(linearization[min(max(code, 0), linearization.count - 1)])
  }

  /// Returns the linear value of a code at a position in the active area, without clipping.
  package func value(_ code: Int, x: Int, y: Int, plane: Int = 0) -> Double {
    (linearized(code) - black(x: x, y: y, plane: plane)) * scale(plane: plane)
  }
}
