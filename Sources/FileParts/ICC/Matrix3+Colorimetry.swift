import HDRCore

extension Primaries {
  /// The codes of ITU-T H.273, in the order in which they are tried as the name of a set of chromaticities.
  private static let namedCodes = [1, 12, 9, 11, 5, 6, 22, 4, 8, 10]

  /// Returns the code whose four chromaticities all lie within `tolerance` of these, per coordinate.
  package func code(within tolerance: Double) -> Int? {
    Self.namedCodes.first { code in
      Primaries(code: code).map { isNear($0, within: tolerance) } ?? false
    }
  }

  /// The matrix from linear RGB to linear BT.2020 (D65, Bradford); `nil` for chromaticities that span no colour space.
  package var checkedMatrixToBT2020: Matrix3? {
    guard points.allSatisfy({ $0.x.isFinite && $0.y.isFinite }), white.y > 0,
      let matrix = matrix(to: .bt2020), matrix.isUsable
    else { return nil }
    return matrix
  }
}

extension Matrix3 {
  /// True if the matrix is finite and not nearly singular.
  package var isUsable: Bool { rows.allSatisfy(\.isFinite) && abs(determinant) > 1e-9 }

  package func column(_ index: Int) -> [Double] { [self[0, index], self[1, index], self[2, index]] }
}

/// Returns the chromaticity of XYZ; it is not finite for black.
package func chromaticity(_ xyz: [Double]) -> Chromaticity {
  let sum = xyz[0] + xyz[1] + xyz[2]
  return Chromaticity(xyz[0] / sum, xyz[1] / sum)
}
