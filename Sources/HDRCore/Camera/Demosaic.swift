/// A method that computes the missing colours of a sensor with colour filters.
package enum Demosaic: String, Sendable, Hashable, CaseIterable {
  /// Weighted sums (`LinearDemosaic`).
  case linear
  /// Ratio corrected demosaicing: along the direction of least change. Patterns other than Bayer's use `linear`.
  case rcd
}
