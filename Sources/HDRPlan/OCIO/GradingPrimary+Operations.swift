import HDRCore
import OCIOConfig

extension GradingPrimary {
  /// Returns the operations of the grade, by the formulas of OpenColorIO.
  ///
  /// - Throws: `LUTError` `transform.singular` for a grade without a slope.
  func operations() throws(LUTError) -> [LUTOperation] {
    let curves: [LUTOperation]
    switch style {
    case .log:
      let middle = 0.5 + 0.5 * pivot
      curves =
        [
          .affine([1, 1, 1], sums(brightness).map { $0 * 6.25 / 1023 }), about(middle, products(contrast)),
        ] + powers(products(gamma).map { 1 / $0 }, from: pivotBlack, to: pivotWhite)
    case .linear:
      let gains = sums(exposure).map(ExactMath.exp2), offsets = sums(offset)
      curves =
        [.affine(gains, zip(gains, offsets).map { $0 * $1 })]
        + powers(products(contrast), from: 0, to: 0.18 * ExactMath.exp2(pivot))
    case .video:
      let lifts = sums(lift),
        slopes = zip(products(gain), lifts).map { gain, lift in
          (pivotWhite - pivotBlack) / (pivotWhite / gain + lift - pivotBlack)
        }
      let shifts = zip(sums(offset), lifts).map { $0 + $1 - pivotBlack }
      curves =
        [.affine(slopes, zip(slopes, shifts).map { $0 * $1 + pivotBlack })]
        + powers(products(gamma).map { 1 / $0 }, from: pivotBlack, to: pivotWhite)
    }
    let chain =
      curves + CDL.saturated(saturation)
      + (clampBlack == nil && clampWhite == nil ? [] : [.clamp(low: clampBlack, high: clampWhite)])
    guard chain.allSatisfy(\.isFinite) else {
      throw LUTError(.singular, reason: "a grade with a slope or a gamma of 0 is not supported")
    }
    return chain
  }

  private func sums(_ v: Values) -> [Double] { [v.red, v.green, v.blue].map { $0 + v.master } }

  private func products(_ v: Values) -> [Double] { [v.red, v.green, v.blue].map { $0 * v.master } }

  private func about(_ pivot: Double, _ factors: [Double]) -> LUTOperation {
    .affine(factors, factors.map { pivot * (1 - $0) })
  }

  /// Returns odd powers of the distance from one number in units of the distance to another.
  private func powers(_ exponents: [Double], from low: Double, to high: Double) -> [LUTOperation] {
    if exponents == [1, 1, 1] { return [] }
    let range = high - low
    func three(_ x: Double) -> [Double] { [x, x, x] }
    return [
      .affine(three(1 / range), three(-low / range)), .formulas(exponents.map { .power($0, .mirror) }),
      .affine(three(range), three(low)),
    ]
  }
}

extension LUTOperation {
  /// True if the numbers of a matrix, and the exponents of powers, are finite and can be undone.
  fileprivate var isFinite: Bool {
    switch self {
    case .matrix(let matrix, let offset): (matrix.rows + offset).allSatisfy(\.isFinite) && matrix.inverse != nil
    case .formulas(let formulas):
      formulas.allSatisfy { formula in
        if case .power(let exponent, _) = formula { (0.001...1000).contains(exponent) } else { true }
      }
    default: true
    }
  }
}
