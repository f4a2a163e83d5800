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

  /// The most tables that take long to be made, or much memory.
  static let maxTables = 8

  /// True if the chain has more 3D tables and output transforms than are allowed.
  var hasTooManyTables: Bool {
    operations.count { operation in
      switch operation {
      case .cube, .output: true
      default: false
      }
    } > Self.maxTables
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
