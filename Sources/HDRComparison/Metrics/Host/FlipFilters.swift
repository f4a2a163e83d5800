import HDRCore

/// The constants of FLIP: filters of what an eye resolves and of edges and points, for 67 pixels per degree (a display
/// of 3840 pixels, 0.7 m wide, seen from 0.7 m). Source: Andersson et al., "FLIP: A Difference Evaluator for Alternating
/// Images", HPG 2020.
enum FlipFilters {
  private static let pi = 3.14159265358979323846
  private static let pixelsPerDegree = 3840 * pi / 180

  /// Smaller weights move no signal of 0...1 by a step of binary32.
  private static let least: Float = 0x1p-28

  private static let spatialRadius = Int(
    (3 * pixelsPerDegree * (0.04 / (2 * pi * pi)).squareRoot()).rounded(.up))

  /// Contrast sensitivity to luminance, to red-green, and to blue-yellow as a sum of two.
  static let luminance = normalized(spatial(0.0047)).trimmed(below: least)
  static let redGreen = normalized(spatial(0.0053)).trimmed(below: least)
  static let blueYellow: [SymmetricTaps<Float>] = {
    let parts = [(34.1, 0.04), (13.5, 0.025)].map { weight, width in
      let height = (weight * (pi / width).squareRoot()).squareRoot()
      return spatial(width).map { $0 * height }
    }
    let sums = parts.map { $0.reduce(0, +) }, length = (sums[0] * sums[0] + sums[1] * sums[1]).squareRoot()
    return parts.map { SymmetricTaps($0.map { Float($0 / length) }) }
  }()

  private static func spatial(_ width: Double) -> [Double] {
    (-spatialRadius...spatialRadius).map {
      let degrees = Double($0) / pixelsPerDegree
      return ExactMath.exp(-pi * pi * degrees * degrees / width)
    }
  }

  private static let deviation = 0.5 * 0.082 * pixelsPerDegree
  private static let bell: [(x: Double, y: Double)] = {
    let radius = Int((3 * deviation).rounded(.up))
    return (-radius...radius).map { x in
      (Double(x), ExactMath.exp(-Double(x * x) / (2 * deviation * deviation)))
    }
  }()

  /// A Gaussian and its first and second derivative.
  static let smooth = normalized(bell.map(\.y))
  static let edge = balanced(bell.map { -$0.x * $0.y }, isOdd: true)
  static let point = balanced(bell.map { ($0.x * $0.x / (deviation * deviation) - 1) * $0.y }, isOdd: false)

  /// The rows above and below a pixel on which its value depends.
  static let reach = max(spatialRadius, bell.count / 2)

  private static func normalized(_ taps: [Double]) -> SymmetricTaps<Float> {
    let sum = taps.reduce(0, +)
    return SymmetricTaps(taps.map { Float($0 / sum) })
  }

  /// Scales taps so that positive ones sum to 1 and negative ones to -1.
  private static func balanced(_ taps: [Double], isOdd: Bool) -> SymmetricTaps<Float> {
    let more = taps.reduce(0) { $0 + max($1, 0) }, less = taps.reduce(0) { $0 - min($1, 0) }
    return SymmetricTaps(taps.map { Float($0 > 0 ? $0 / more : $0 / less) }, isOdd: isOdd)
  }
}
