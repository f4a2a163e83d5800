/// Elementary functions in binary64 from `+ - * /` alone.
///
/// They build the tables that both backends read, so that a file gives the same words on every machine: a C library may
/// choose another variant of `pow` on another CPU. The relative error is below 1e-15 on the ranges used here (checked
/// against mpmath-made vectors in ExactMathTests).
package enum ExactMath {
  package static let ln2 = 0.693147180559945309417232121458176568

  /// Returns log2(x) for x > 0; -infinity for 0, NaN below.
  package static func log2(_ x: Double) -> Double {
    if x == 0 { return -.infinity }
    guard x > 0, x.isFinite else { return x > 0 ? x : .nan }
    var exponent = Int(x.exponent)
    var m = x.significand
    if m > 1.4142135623730951 {
      m *= 0.5
      exponent += 1
    }
    // log2(m) = 2/ln2 * artanh(s), s = (m-1)/(m+1), |s| <= 0.1716.
    let s = (m - 1) / (m + 1), q = s * s
    var sum = 0.0
    for n in stride(from: 29, through: 3, by: -2) { sum = (sum + 1 / Double(n)) * q }
    return Double(exponent) + (2 / ln2) * (s + s * sum)
  }

  /// Returns 2^x; 0 below -1074, infinity above 1024.
  package static func exp2(_ x: Double) -> Double {
    if x.isNaN { return x }
    if x > 1024 { return .infinity }
    if x < -1080 { return 0 }
    let n = x.rounded(.toNearestOrEven)
    let t = (x - n) * ln2
    var sum = 1.0
    for k in stride(from: 18, through: 1, by: -1) { sum = 1 + t / Double(k) * sum }
    return Double(sign: .plus, exponent: Int(n), significand: 1) * sum
  }

  package static func log(_ x: Double) -> Double { log2(x) * ln2 }
  package static func exp(_ x: Double) -> Double { exp2(x / ln2) }
  package static func log10(_ x: Double) -> Double { log2(x) * (ln2 / 2.302585092994045684) }

  /// Returns x^y for x >= 0.
  package static func pow(_ x: Double, _ y: Double) -> Double {
    if x == 0 { return y == 0 ? 1 : (y > 0 ? 0 : .infinity) }
    if y == 1 { return x }
    if y == 2 { return x * x }
    return exp2(y * log2(x))
  }

  /// Returns x^y continued to negative x as an odd function (docs/colour-formulas.md#transfer).
  package static func oddPow(_ x: Double, _ y: Double) -> Double { x < 0 ? -pow(-x, y) : pow(x, y) }
}
