import HDRCore
import Kernels

/// A monotone cubic through five points in sRGB-encoded values, odd-extended.
///
/// Beyond the points the curve continues with the slope of its end, or stays constant if `extrapolate` is false. The
/// published default is false, which would cut HDR light off; here it is true. Results are kept within 2^20. One table,
/// within 2e-5 of the formula; where the curve stops, the corner is rounded by at most slope times 2^-11 of the light.
enum ToneCurveFilter: Filter {
  static let name = "tone-curve"
  static let summary = "a smooth curve through five points of sRGB-encoded values"
  static let category = FilterCategory.color
  static let points = (0..<5).map { i in
    FilterParameter(
      "point\(i)", .vector([Double(i) / 4, Double(i) / 4], size: 2, -16...16), "x, y of a point; sorted by x")
  }
  static let extrapolate = FilterParameter(
    "extrapolate", .flag(true), "go on beyond the points; else light beyond them is cut")
  static let parameters = points + [extrapolate]
  static let headroomEffect = HeadroomEffect.unknown

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let list = points.compactMap { values.vector($0) }.sorted { $0[0] < $1[0] }
    guard zip(list, list.dropFirst()).allSatisfy({ $1[0] - $0[0] >= 1e-3 }) else {
      throw .invalidParameter("\(name): two points have the same x")
    }
    if list.allSatisfy({ $0[0] == $0[1] }) && values.flag(extrapolate) { return }
    let curve = MonotoneCubic(x: list.map { $0[0] }, y: list.map { $0[1] }, extrapolates: values.flag(extrapolate))
    edit.signedCurve(octaves: -14..<20, k: 7) { Transfer.sRGBDecode(curve.value(Transfer.sRGBEncode($0))) }
  }
}

extension Edit {
  /// Applies a curve to each of R, G, B that differs below 0, over `octaves` of the magnitude, 2^k segments each.
  /// Nearer to 0 it is a line. Results are kept within 2^20.
  mutating func signedCurve(octaves: Range<Int>, k: Int, _ f: (Double) -> Double) {
    func light(_ x: Double) -> Double { min(max(f(x), -Double(E32.largest)), Double(E32.largest)) }
    let positive = CurveTable(octaves: octaves, k: k, light)
    let negative = CurveTable(octaves: octaves, k: k) { light(-$0) }
    stage(.signedCurve, tables: [positive.words + negative.words]) {
      SignedCurve.words([(positive, negative)], offsets: $0)
    }
  }
}

/// Cubic Hermite curve through points whose slopes are limited so that it rises and falls only where they do (Fritsch
/// and Carlson, "Monotone piecewise cubic interpolation", SIAM J. Numer. Anal. 17, 1980, the circle of radius 3).
struct MonotoneCubic: Sendable {
  let x: [Double]
  let y: [Double]
  let slopes: [Double]
  let extrapolates: Bool

  /// - Parameter x: rising numbers.
  init(x: [Double], y: [Double], extrapolates: Bool) {
    var secants: [Double] = []
    for i in 1..<x.count {
      let rise = y[i] - y[i - 1], run = x[i] - x[i - 1]
      secants.append(rise / run)
    }
    var slopes: [Double] = x.indices.map { i in
      if i == 0 { return secants[0] }
      if i == secants.count { return secants[i - 1] }
      return secants[i - 1] * secants[i] <= 0 ? 0 : (secants[i - 1] + secants[i]) / 2
    }
    for (i, secant) in secants.enumerated() {
      if secant == 0 {
        (slopes[i], slopes[i + 1]) = (0, 0)
        continue
      }
      let a = slopes[i] / secant, b = slopes[i + 1] / secant, radius = (a * a + b * b).squareRoot()
      if radius > 3 { (slopes[i], slopes[i + 1]) = (3 * a / radius * secant, 3 * b / radius * secant) }
    }
    (self.x, self.y, self.slopes, self.extrapolates) = (x, y, slopes, extrapolates)
  }

  func value(_ v: Double) -> Double {
    let last = x.count - 1
    if v <= x[0] { return y[0] + (extrapolates ? slopes[0] * (v - x[0]) : 0) }
    if v >= x[last] { return y[last] + (extrapolates ? slopes[last] * (v - x[last]) : 0) }
    var i = 0
    while v >= x[i + 1] { i += 1 }
    let h = x[i + 1] - x[i], t = (v - x[i]) / h, s = 1 - t
    let left = y[i] * (1 + 2 * t) + h * slopes[i] * t
    let right = y[i + 1] * (1 + 2 * s) - h * slopes[i + 1] * s
    return left * s * s + right * t * t
  }
}
