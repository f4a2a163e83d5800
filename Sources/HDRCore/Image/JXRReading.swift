/// Choices for reading JPEG XR files, which screenshots of Windows are.
package struct JXRReading: Sendable, Hashable {
  /// The handling of alpha beside floats, which screenshots leave at 1 or undefined. Alpha beside integers is kept.
  package enum Alpha: String, Sendable, Hashable, CaseIterable {
    case ignore, keep
  }

  /// The meaning of MaxCLL, which such files do not state.
  package enum Peak: String, Sendable, Hashable, CaseIterable {
    /// The light that 99.99 % of the pixels stay below.
    case percentile = "p99.99"
    /// The brightest pixel.
    case measured

    package var percent: Double { self == .percentile ? 99.99 : 100 }
  }

  /// The luminance of white on the screen, in cd/m²; `nil`: 203.
  package var white: Double?
  package var alpha = Alpha.ignore
  package var peak = Peak.percentile

  package init() {}
}
