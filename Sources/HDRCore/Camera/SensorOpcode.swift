/// One step that a file asks for: on samples before levels, after them, or after demosaicing. Source: DNG 1.7.1
/// chapter 7, opcode lists.
package enum SensorOpcode: Sendable, Hashable {
  /// Where an opcode works: rows and columns of the active area, planes, and every nth row and column.
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

    /// Rows and columns that are touched.
    package var rows: Int { (bottom - top + rowPitch - 1) / rowPitch }
    package var columns: Int { (right - left + columnPitch - 1) / columnPitch }
  }

  /// Gains of points that lie over the area.
  package struct GainMap: Sendable, Hashable {
    package var rows, columns, planes: Int
    /// In parts of the picture, down and across.
    package var spacing, origin: [Double]
    /// Row, column, plane.
    package var gains: [Float]

    package init(rows: Int, columns: Int, planes: Int, spacing: [Double], origin: [Double], gains: [Float]) {
      (self.rows, self.columns, self.planes) = (rows, columns, planes)
      (self.spacing, self.origin, self.gains) = (spacing, origin, gains)
    }
  }

  /// Coefficients of r², r⁴ and so on, five of them.
  case vignette(coefficients: [Double], center: [Double])
  case trimBounds(top: Int, left: Int, bottom: Int, right: Int)
  case mapTable(Area, [UInt16])
  /// The constant first.
  case mapPolynomial(Area, [Double])
  case gainMap(Area, GainMap)
  case deltaPerRow(Area, [Float])
  case deltaPerColumn(Area, [Float])
  case scalePerRow(Area, [Float])
  case scalePerColumn(Area, [Float])

  package var isPolynomial: Bool { if case .mapPolynomial = self { true } else { false } }

  /// Opcodes of one list. The DNG SDK has no bound; cameras and converters write at most ten (phones four gain maps and
  /// a vignette, others three warps), and this is three times as many. Each takes time at every pixel.
  package static let maxOpcodes = 32
  /// Numbers of all gain maps, rows and columns of one list. Phones write four maps of 17x13; a map of a flat field has
  /// some hundreds of points on a side. This is a million.
  package static let maxNumbers = 1 << 20
  /// As in the DNG SDK: of a polynomial (`kMaxDegree`), and of a table of 16-bit codes.
  package static let maxDegree = 8, maxTable = 65_536

  /// Numbers that lie over places of the picture.
  private var numbers: Int {
    switch self {
    case .gainMap(_, let map): map.gains.count
    case .deltaPerRow(_, let list), .deltaPerColumn(_, let list), .scalePerRow(_, let list),
      .scalePerColumn(_, let list):
      list.count
    case .vignette, .trimBounds, .mapTable, .mapPolynomial: 0
    }
  }

  /// The bound that a list passes, with what it has and what is allowed; `nil`: none.
  package static func excess(of list: [SensorOpcode]) -> (what: String, found: Int, allowed: Int)? {
    if list.count > maxOpcodes { return ("opcodes", list.count, maxOpcodes) }
    let numbers = list.reduce(0) { $0 + $1.numbers }
    return numbers > maxNumbers ? ("gains and numbers of opcodes", numbers, maxNumbers) : nil
  }
}
