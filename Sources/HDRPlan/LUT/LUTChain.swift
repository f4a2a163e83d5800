import HDRCore

/// A LUT file changes R, G and B by operations in their order (docs/luts.md).
public struct LUTChain: Sendable, Hashable {
  package var operations: [LUTOperation]
  /// Warnings about the file, one sentence each.
  package var notes: [String] = []

  package init(_ operations: [LUTOperation]) { self.operations = operations }

  /// Takes the tables of a `.cube` or `.3dl` file.
  public init(_ lut: CubeLUT) {
    operations = (lut.shaper.map { [.table($0)] } ?? []) + (lut.cube.map { [.cube($0, nil)] } ?? [])
  }

  /// The tables if there is nothing else: a 1D table, a 3D one, or both in this order.
  package var tables: CubeLUT? {
    var lut = CubeLUT(shaper: nil, cube: nil)
    for operation in operations {
      switch operation {
      case .table(let table) where lut.shaper == nil && lut.cube == nil: lut.shaper = table
      case .cube(let cube, _) where lut.cube == nil: lut.cube = cube
      default: return nil
      }
    }
    return operations.isEmpty ? nil : lut
  }

  /// Returns the chain that undoes this one.
  ///
  /// - Throws: `LUTError`: `lut.inverse` for 3D tables and for 1D tables that rise and fall, `transform.singular`.
  public func inverse() throws(LUTError) -> LUTChain {
    var undone: [LUTOperation] = []
    for operation in operations.reversed() { undone += try operation.inverse() }
    var chain = LUTChain(undone)
    chain.notes = notes
    return chain
  }

  /// Returns the chain with another style of its CDLs, as a caller asks for.
  package func styled(clampsCDL: Bool) -> LUTChain {
    var chain = self
    chain.operations = operations.map { operation in
      guard case .cdl(var cdl) = operation else { return operation }
      cdl.clamps = clampsCDL
      return .cdl(cdl)
    }
    return chain
  }
}

/// An operation on R, G and B of a LUT file, normalised: full scale of integers is 1.
package enum LUTOperation: Sendable, Hashable {
  /// A matrix on columns, then an offset.
  case matrix(Matrix3, offset: [Double])
  /// Bounds, the same for each channel; `nil`: open.
  case clamp(low: Double?, high: Double?)
  /// A 1D table on equal steps.
  case table(CubeLUT.Table1D)
  /// A 3D table, and the interpolation that the file asks for.
  case cube(CubeLUT.Table3D, LUTChoice.Interpolation?)
  /// Curves of pieces between knots, for R, G and B.
  case knots([KnotCurve])
  /// Formulas, for R, G and B.
  case formulas([LUTFormula])
  case cdl(CDL)
  /// BT.2100's surround: R, G, B times a power of their luminance.
  case surround(exponent: Double)

  /// Returns the affine operation of a factor and an offset for each channel.
  static func affine(_ scale: [Double], _ offset: [Double]) -> LUTOperation {
    .matrix(.diagonal(scale[0], scale[1], scale[2]), offset: offset)
  }

  /// Returns the operations that undo this one.
  func inverse() throws(LUTError) -> [LUTOperation] {
    switch self {
    case .matrix(let matrix, let offset):
      guard let back = matrix.inverse else {
        throw LUTError(.singular, reason: "a singular matrix has no inverse")
      }
      return [.matrix(back, offset: (back * offset).map { -$0 })]
    case .clamp: return [self]
    case .table(let table): return [.knots(try table.inverse())]
    case .cube: throw LUTError(.inverse, reason: "a 3D table has no inverse; bake the other direction to a file")
    case .knots(let curves):
      var undone: [KnotCurve] = []
      for curve in curves { undone.append(try curve.inverse()) }
      return [.knots(undone)]
    case .formulas(let formulas): return [.formulas(formulas.map(\.inverse))]
    case .cdl(let cdl): return [.cdl(try cdl.inverse())]
    case .surround(let exponent): return [.surround(exponent: 1 / exponent)]
    }
  }
}
