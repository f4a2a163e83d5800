/// How colours are found at samples behind filters.
public enum Demosaic: String, Sendable, Hashable, CaseIterable {
  /// Weighted sums (`LinearDemosaic`).
  case linear
  /// Along the direction of least change (ratio corrected demosaicing); of patterns other than Bayer's `linear`.
  case rcd
}
