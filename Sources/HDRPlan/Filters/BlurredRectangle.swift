import HDRCore
import Kernels

/// A rectangle of one colour, blurred by a Gaussian; transparent around.
///
/// Alpha is the product of both axes' shares: (erf((x - x0) / sigma √2) - erf((x - x1) / sigma √2)) / 2 at the pixel's
/// centre; for a sigma below 0.16 the part of the pixel that the rectangle covers.
enum BlurredRectangle: Filter {
  static let name = "blurred-rectangle-generator"
  static let summary = "a blurred rectangle of one colour, such as a shadow; transparent around"
  static let category = FilterCategory.generator
  static let extent = FilterParameter(
    "extent", .vector(nil, size: 4, -1_048_576...1_048_576),
    "x, y, width, height in pixels; without it the middle third of the picture")
  static let sigma = FilterParameter("sigma", .number(10, 0...1_048_576), "standard deviation of the blur in pixels")
  static let color = FilterParameter("color", .color([1, 1, 1, 1]), "encoded sRGB; 1 is white")
  static let parameters = [extent, sigma, color, Pattern.exposure]
  static let alpha = AlphaRule.made
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    Pattern.headroom(values, [color])
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let w = Double(edit.width), h = Double(edit.height), sigma = values.value(sigma)
    let r = values.vector(extent) ?? [w / 3, h / 3, w / 3, h / 3]
    guard r[2] >= 0, r[3] >= 0 else { throw .invalidParameter("\(name): width and height of the extent are 0 or more") }
    func shares(_ size: Int, _ start: Double, _ length: Double) -> [Double] {
      (0..<size).map { i in
        let left = Double(i) - start, right = left - length
        if sigma < 0.16 { return max(0, min(left + 1, length) - max(left, 0)) }
        let scale = 1 / (sigma * 2.0.squareRoot())
        return max(0, ExactMath.erf((left + 0.5) * scale) - ExactMath.erf((right + 0.5) * scale)) / 2
      }
    }
    edit.pattern(
      .product, [Pattern.light(values, color), [0, 0, 0, 0]], columns: shares(edit.width, r[0], r[2]),
      rows: shares(edit.height, r[1], r[3]))
  }
}

extension ExactMath {
  /// Returns the error function within 1e-14: Kummer's series, whose terms have one sign (NIST DLMF 7.6.2).
  static func erf(_ x: Double) -> Double {
    if abs(x) > 6 { return x < 0 ? -1 : 1 }
    let square = x * x
    var term = x, sum = x, n = 1.0
    while abs(term) > 1e-17 * abs(sum) {
      term *= 2 * square / (2 * n + 1)
      sum += term
      n += 1
    }
    return sum * exp(-square) * 1.128_379_167_095_512_6
  }
}
