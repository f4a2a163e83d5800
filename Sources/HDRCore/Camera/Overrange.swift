/// The encoding that passes values above 1 through tables that end at 1. Source: DNG 1.7.1, ProfileDynamicRange.
package enum Overrange {
  /// Encodes monotonically: 0 for 0, about 1/2 for 1, 1 for 16.
  package static func encode(_ x: Double) -> Double { x * (256 + x) / (256 * (1 + x)) }

  /// Inverts `encode` for values of at least 0.
  package static func decode(_ y: Double) -> Double {
    // Solves x² + 2hx - 256y = 0 in the form that avoids a difference of near numbers.
    let h = 128 * (1 - y), root = (h * h + 256 * y).squareRoot()
    return h >= 0 ? 256 * y / (h + root) : root - h
  }
}
