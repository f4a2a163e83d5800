/// Choices for reading formats whose headers leave open what light their samples mean.
package struct PlainReading: Sendable, Hashable {
  /// The handling of the factors by which a Radiance file says that its samples were multiplied.
  package enum Exposure: String, Sendable, Hashable, CaseIterable {
    /// Samples stay as they are, as most programs read them.
    case keep
    /// Samples are divided by the factors, which gives the light of the scene.
    case apply
  }

  package var exposure = Exposure.keep
  /// The luminance of 1.0 of a Radiance file in cd/m²; `nil`: reference white.
  package var white: Double?

  /// The logarithm of film scans.
  package var log = FilmLog()

  package init() {}

  /// The light of 1.0 of a Radiance file, as a factor of reference white.
  package var scale: Double { white.map { $0 / ReferenceWhite.nits } ?? 1 }
}
