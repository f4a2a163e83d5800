/// A step that a file asks for: on samples before levels, after them, or after demosaicing. Source: DNG 1.7.1 chapter
/// 7, opcode lists.
package enum SensorOpcode: Sendable, Hashable {
  /// The samples an opcode changes: rows and columns of the active area, planes, and every nth row and column.
  package struct Area: Sendable, Hashable {
    package var top, left, bottom, right: Int
    package var plane, planes: Int
    package var rowPitch, columnPitch: Int

    package init(
      top: Int, left: Int, bottom: Int, right: Int, plane: Int, planes: Int, rowPitch: Int, columnPitch: Int
    ) {
      (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
      (self.plane, self.planes, self.rowPitch, self.columnPitch) = (plane, planes, rowPitch, columnPitch)
    }

    /// The number of rows that are changed.
    package var rows: Int { (bottom - top + rowPitch - 1) / rowPitch }
    package var columns: Int { (right - left + columnPitch - 1) / columnPitch }
  }

  /// Gains at points spread over the area.
  package struct GainMap: Sendable, Hashable {
    package var rows, columns, planes: Int
    /// The distance and the origin of points as fractions of the picture, down and across.
    package var spacing, origin: [Double]
    /// The gains, ordered by row, column and plane.
    package var gains: [Float]

    package init(rows: Int, columns: Int, planes: Int, spacing: [Double], origin: [Double], gains: [Float]) {
      (self.rows, self.columns, self.planes) = (rows, columns, planes)
      (self.spacing, self.origin, self.gains) = (spacing, origin, gains)
    }
  }

  /// Five coefficients, of r², r⁴ and so on.
  case vignette(coefficients: [Double], center: [Double])
  case trimBounds(top: Int, left: Int, bottom: Int, right: Int)
  case mapTable(Area, [UInt16])
  /// A polynomial's coefficients, the constant first.
  case mapPolynomial(Area, [Double])
  case gainMap(Area, GainMap)
  case deltaPerRow(Area, [Float])
  case deltaPerColumn(Area, [Float])
  case scalePerRow(Area, [Float])
  case scalePerColumn(Area, [Float])

  /// The largest number of opcodes in a list. The DNG SDK has no bound. Cameras and converters write at most ten
  /// (phones four gain maps and a vignette, others three warps). Each takes time at every pixel.
  package static let maxOpcodes = 32
  /// The largest number of gains and of row and column numbers in a list. Phones write four maps of 17x13; a map of a
  /// flat field has some hundreds of points on a side. This is a million.
  package static let maxNumbers = 1 << 20
  /// The bounds of the DNG SDK for a polynomial (`kMaxDegree`) and for a table of 16-bit codes.
  package static let maxDegree = 8, maxTable = 65_536

  /// The number of gains and of row and column numbers in the opcode.
  private var numbers: Int {
    switch self {
    case .gainMap(_, let map): map.gains.count
    case .deltaPerRow(_, let list), .deltaPerColumn(_, let list), .scalePerRow(_, let list),
      .scalePerColumn(_, let list):
      list.count
    case .vignette, .trimBounds, .mapTable, .mapPolynomial: 0
    }
  }

  /// Returns the bound that a list exceeds, with the found and the allowed number; `nil` if none.
  package static func excess(of list: [SensorOpcode]) -> (what: String, found: Int, allowed: Int)? {
    if list.count > maxOpcodes { return ("opcodes", list.count, maxOpcodes) }
    let numbers = list.reduce(0) { $0 + $1.numbers }
    return numbers > maxNumbers ? ("gains and numbers of opcodes", numbers, maxNumbers) : nil
  }
}
