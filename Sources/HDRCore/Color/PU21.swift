/// Perceptually uniform luminance (Mantiuk and Azimi, "PU21", 2021), fitted to banding with glare.
package enum PU21 {
  /// The value that decibels are counted from: about that of 100 cd/m², as in the authors' own code.
  package static let peak = 256.0

  private static let p = [
    0.353487901, 0.3734658629, 8.277049286e-05, 0.9062562627, 0.09150303166, 0.9099517204, 596.3148142,
  ]

  /// Returns the value of a luminance, cut to 0.005...10 000 cd/m²: 0...596.
  package static func value(nits: Double) -> Double { openValue(nits: min(nits, 10_000)) }

  /// Returns the value of a luminance, continued above 10 000 cd/m², so that a table has no corner there.
  package static func openValue(nits: Double) -> Double {
    let power = ExactMath.pow(max(nits, 0.005), p[3])
    return max(0, p[6] * (ExactMath.pow((p[0] + p[1] * power) / (1 + p[2] * power), p[4]) - p[5]))
  }
}
