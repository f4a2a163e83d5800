import HDRCore

/// The table of an RPU. Source: ETSI GS CCM 001; trims for other displays are not applied.
extension DolbyReshape {
  /// - Parameters:
  ///   - mapping: the curves; what an enhancement layer adds is left out.
  ///   - colors: the matrices, of this RPU or the last before it that states them.
  package init(_ mapping: DolbyMapping, _ sequence: DolbySequence, _ colors: DolbyDisplay.Colors) {
    let largest = Double(1 << sequence.baseDepth - 1)
    var table = [Float](repeating: 0, count: Layout.count)
    func set(_ place: Int, _ numbers: [Double]) {
      for (index, number) in numbers.enumerated() { table[place + index] = Self.number(number) }
    }
    set(Layout.scale, [1 / largest])
    set(Layout.toSignal, colors.toSignal.map { Double($0) / 8192 })
    set(Layout.offsets, colors.offsets.map { Double($0) / 0x1p28 })
    set(Layout.toBT2020, (Self.lmsToBT2020 * Matrix3(colors.toLMS.map { Double($0) / 16_384 })).rows)
    for (component, curve) in mapping.curves.enumerated() {
      let place = Layout.curves + component * Layout.curveStride
      let inner = curve.pivots.dropFirst().dropLast().map { Double($0) }
      let rest = repeatElement(Double(Self.unreached), count: Layout.pivotCount - inner.count)
      set(place + Layout.pivots, inner + rest)
      set(place + Layout.least, [Double(curve.pivots[0]) / largest])
      set(place + Layout.largest, [Double(curve.pivots[curve.pivots.count - 1]) / largest])
      for (index, piece) in curve.pieces.enumerated() {
        set(
          place + Layout.pieces + index * Layout.pieceStride,
          Self.numbers(piece, component) { sequence.value($0) })
      }
    }
    self.init(table: table)
  }

  /// Returns the 23 numbers of a piece.
  private static func numbers(_ piece: DolbyMapping.Piece, _ component: Int, _ value: (Int) -> Double) -> [Double] {
    var factors = [Double](repeating: 0, count: 21)
    switch piece {
    case .polynomial(let coefficients):
      for (power, coefficient) in coefficients.dropFirst().enumerated() {
        factors[7 * power + component] = value(coefficient)
      }
      return [0, value(coefficients[0])] + factors
    case .regression(let constant, let orders):
      for (index, coefficient) in orders.joined().enumerated() { factors[index] = value(coefficient) }
      return [1, value(constant)] + factors
    }
  }

  private static func number(_ value: Double) -> Float { abs(value) < Double(tiny) ? 0 : Float(value) }

  /// LMS of Dolby Vision to linear BT.2020, with its crosstalk of 2 % undone.
  package static let lmsToBT2020 = Matrix3([
    3.06441879, -2.16597676, 0.10155818, -0.65612108, 1.78554118, -0.12943749, 0.01736321, -0.04725154, 1.03004253,
  ])
}
