import HDRCore
import Kernels

/// A cubic polynomial for each of R, G, B, A: a0 + a1 c + a2 c² + a3 c³. Arguments and
/// results are kept within 2^20, so that cubes stay finite; alpha in [0, 1]. Grows fast above white.
enum ColorPolynomial: Filter {
  static let name = "color-polynomial"
  static let summary = "a cubic polynomial for each component; grows fast above white"
  static let category = FilterCategory.color
  static let red = coefficients("red-coefficients")
  static let green = coefficients("green-coefficients")
  static let blue = coefficients("blue-coefficients")
  static let alphaCoefficients = coefficients("alpha-coefficients")
  static let parameters = [red, green, blue, alphaCoefficients]
  static let alpha = AlphaRule.made
  static let headroomEffect = HeadroomEffect.unknown

  private static func coefficients(_ name: String) -> FilterParameter {
    FilterParameter(name, .vector([0, 1, 0, 0], size: 4, -100...100), "a0, a1, a2, a3")
  }

  static func warning(_ values: FilterValues, on content: Headroom) -> Warning? {
    let isCurved = [red, green, blue].contains { (values.vector($0) ?? []).suffix(2).contains { $0 != 0 } }
    guard isCurved, content > Headroom(factor: 2) else { return nil }
    return Warning(
      "filter.polynomial", "colorPolynomial has squares or cubes, which grow fast on a picture of headroom above 2")
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let list = parameters.map { values.vector($0) ?? [0, 1, 0, 0] }
    if list.allSatisfy({ $0 == [0, 1, 0, 0] }) { return }
    if list[3] != [0, 1, 0, 0] { edit.makeTransparent() }
    edit.stage(.colorPolynomial, PolynomialStage.words(list))
  }
}
