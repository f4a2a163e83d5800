/// The way from codes of a Dolby Vision base layer to the light of the mastering display, as a flat table of numbers
/// (docs/video-formulas.md#reshaping).
///
/// A polynomial is a regression that has the powers of its own component alone, so all pieces have the same 23 numbers.
package struct DolbyReshape: Sendable, Hashable {
  /// The places of numbers in the table.
  package enum Layout {
    /// 1 over the largest code.
    package static let scale = 0
    /// Reshaped components, less their offsets, to PQ R'G'B', row by row.
    package static let toSignal = 1
    package static let offsets = 10
    /// Linear R, G, B of the signal to BT.2020, row by row.
    package static let toBT2020 = 13
    /// The curves of the three components.
    package static let curves = 22
    /// In a curve: the inner pivots as codes, in ascending order, `unreached` behind the last; the least and the largest
    /// result; the pieces.
    package static let pivots = 0, pivotCount = 7, least = 7, largest = 8, pieces = 9
    /// In a piece: 0 if it is a polynomial of its component, else 1; a constant; 7 factors for each of 3 powers.
    package static let kind = 0, constant = 1, factors = 2
    package static let pieceStride = 23, curveStride = 9 + 8 * 23
    package static let count = 22 + 3 * curveStride
  }

  /// A pivot that no code of 16 bits reaches.
  package static let unreached: Float = 65_536
  /// Coefficients, products and results below this are 0, so that nothing becomes subnormal.
  package static let tiny: Float = 0x1p-24
  /// The limit that coefficients stay below.
  package static let bound = 1 << 15

  /// `Layout.count` numbers, all finite, none of them subnormal.
  package let table: [Float]

  package init(table: [Float]) {
    precondition(table.count == Layout.count)
    self.table = table
  }

  package var toSignal: Matrix3 { Matrix3(numbers(Layout.toSignal, 9)) }
  package var offsets: [Double] { numbers(Layout.offsets, 3) }
  package var toBT2020: Matrix3 { Matrix3(numbers(Layout.toBT2020, 9)) }

  private func numbers(_ first: Int, _ count: Int) -> [Double] { table[first..<first + count].map(Double.init) }
}
