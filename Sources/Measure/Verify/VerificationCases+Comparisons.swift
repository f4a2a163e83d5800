import HDRPlan

extension VerificationCases {
  /// Returns the plans that compare two pictures of light, with components below 0 and edges near each other.
  static func comparisons(pixels: Int) -> [VerificationCase] {
    let height = max(24, rows(pixels / 8))
    let a = TestPictures.randomGains(width: width, height: height, seed: 50)
    let b = TestPictures.randomGains(width: width, height: height, seed: 51)
    let plans = [
      ("differences", ComparisonPlans.differences(a, b)), ("differences seen", ComparisonPlans.seenDifferences(a, b)),
      ("no difference", ComparisonPlans.differences(a, a)), ("signals", ComparisonPlans.signals(of: a)),
      ("luminances", ComparisonPlans.luminances(of: a)), ("colours", ComparisonPlans.perceptual(of: a)),
    ]
    return plans.map { VerificationCase(name: "comparison, \($0)", plan: $1) }
  }
}
