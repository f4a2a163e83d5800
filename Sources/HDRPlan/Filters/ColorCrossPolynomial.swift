import HDRCore
import Kernels

/// Each of R, G, B a polynomial of all three: c0 r + c1 g + c2 b + c3 r² + c4 g² + c5 b² + c6 rg + c7 gb + c8 br + c9.
///
/// Arguments and results are kept within 2^20. Grows fast above white. The order of coefficients is this project's
/// choice, and so that the defaults change nothing.
enum ColorCrossPolynomial: Filter {
  static let name = "color-cross-polynomial"
  static let summary = "each component a polynomial of all three; grows fast above white"
  static let category = FilterCategory.color
  static let red = coefficients("red-coefficients", 0)
  static let green = coefficients("green-coefficients", 1)
  static let blue = coefficients("blue-coefficients", 2)
  static let parameters = [red, green, blue]
  static let headroomEffect = HeadroomEffect.unknown

  private static func coefficients(_ name: String, _ own: Int) -> FilterParameter {
    FilterParameter(
      name, .vector((0..<10).map { $0 == own ? 1 : 0 }, size: 10, -100...100), "of r, g, b, r², g², b², rg, gb, br, 1")
  }

  static func warning(_ values: FilterValues, on content: Headroom) -> Warning? {
    let isCurved = parameters.contains { (values.vector($0) ?? [])[3..<9].contains { $0 != 0 } }
    guard isCurved, content > Headroom(factor: 2) else { return nil }
    return Warning(
      "filter.polynomial",
      "colorCrossPolynomial has squares or products, which grow fast on a picture of headroom above 2")
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let list = parameters.map { values.vector($0) ?? [] }
    let changesNothing = list.indices.allSatisfy { i in list[i].indices.allSatisfy { list[i][$0] == ($0 == i ? 1 : 0) }
    }
    if !changesNothing { edit.stage(.crossPolynomial, CrossPolynomial.words(list)) }
  }
}
