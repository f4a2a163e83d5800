import HDRCore

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

/// Stage `color_polynomial`: a cubic polynomial for each of R, G, B, A by Horner's rule; magnitudes within 2^20 before
/// and after, alpha into [0, 1].
public enum PolynomialStage {
  public struct Words: StageWords {
    public let red: Cubic, green: Cubic, blue: Cubic, alpha: Cubic
    public static var parts: [any StageWords.Type] { [Cubic.self] }

    @inlinable @inline(always) subscript(channel: Int) -> Cubic {
      channel == 0 ? red : channel == 1 ? green : channel == 2 ? blue : alpha
    }
  }

  public struct Cubic: StageWords {
    public let a0: Float, a1: Float, a2: Float, a3: Float
  }

  /// Makes the words of four lists of a0, a1, a2, a3.
  public static func words(_ coefficients: [[Double]]) -> [UInt32] {
    let list = coefficients.map { Cubic(a0: Float($0[0]), a1: Float($0[1]), a2: Float($0[2]), a3: Float($0[3])) }
    return Words(red: list[0], green: list[1], blue: list[2], alpha: list[3]).list
  }

  @inlinable @inline(always) static func limited(_ x: Float, _ low: Float, _ high: Float) -> Float {
    let a: Float = x > low ? x : low
    return a < high ? a : high
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Words.self)
    for channel in 0..<4 {
      let cubic = words[channel], p = s.plane(channel)
      let low: Float = channel == 3 ? 0 : -1_048_576, high: Float = channel == 3 ? 1 : 1_048_576
      for i in 0..<s.padded {
        let x = limited(p[i], -1_048_576, 1_048_576)
        p[i] = limited(((cubic.a3 * x + cubic.a2) * x + cubic.a1) * x + cubic.a0, low, high)
      }
    }
  }
}
