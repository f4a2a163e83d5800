/// A 3×3 matrix in binary64, row-major, for column vectors.
package struct Matrix3: Sendable, Hashable {
  /// Nine numbers, row by row.
  package var rows: [Double]

  package init(_ rows: [Double]) {
    precondition(rows.count == 9)
    self.rows = rows
  }

  package static let identity = Matrix3([1, 0, 0, 0, 1, 0, 0, 0, 1])

  package static func diagonal(_ a: Double, _ b: Double, _ c: Double) -> Matrix3 {
    Matrix3([a, 0, 0, 0, b, 0, 0, 0, c])
  }

  package subscript(row: Int, column: Int) -> Double { rows[3 * row + column] }

  /// Returns the matrix that applies `other` first, then `self`.
  package static func * (a: Matrix3, b: Matrix3) -> Matrix3 {
    var product = [Double](repeating: 0, count: 9)
    for r in 0..<3 {
      for c in 0..<3 { product[3 * r + c] = a[r, 0] * b[0, c] + a[r, 1] * b[1, c] + a[r, 2] * b[2, c] }
    }
    return Matrix3(product)
  }

  package static func * (a: Matrix3, v: [Double]) -> [Double] {
    (0..<3).map { a[$0, 0] * v[0] + a[$0, 1] * v[1] + a[$0, 2] * v[2] }
  }

  package static func * (a: Matrix3, s: Double) -> Matrix3 { Matrix3(a.rows.map { $0 * s }) }

  package var determinant: Double {
    let m = rows
    return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6])
  }

  /// The inverse; `nil` for a singular matrix.
  package var inverse: Matrix3? {
    let m = rows, d = determinant
    guard d.isFinite, abs(d) > 1e-30 else { return nil }
    return Matrix3([
      m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
      m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
      m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3],
    ]) * (1 / d)
  }

  /// True if no element differs from the identity's by more than `tolerance`.
  package func isIdentity(within tolerance: Double = 1e-12) -> Bool {
    zip(rows, Matrix3.identity.rows).allSatisfy { abs($0 - $1) <= tolerance }
  }
}
