/// The caller's choice of statements about light in an output.
package struct LightStatements: Sendable, Hashable {
  /// The content light level.
  package enum Level: Sendable, Hashable {
    /// The level measured in the output.
    case measured
    case none
    case stated(ContentLightLevel)
  }

  /// The mastering display.
  package enum Mastering: Sendable, Hashable {
    /// The file's display if the output still fits it, else one that shows the whole output.
    case automatic
    /// The file's display, whatever was done to the picture.
    case file
    case none
    case stated(MasteringDisplay)
  }

  /// SMPTE ST 2094-50 metadata.
  package enum Tone: String, Sendable, Hashable, CaseIterable {
    /// The picture's metadata if its light is unchanged.
    case automatic = "auto"
    /// The picture's metadata, whatever was done to the picture.
    case keep
    case none
    /// Metadata for Reference White Tone Mapping of the output.
    case referenceWhite = "reference-white"
  }

  package var level = Level.measured
  package var mastering = Mastering.automatic
  package var tone = Tone.automatic

  package init() {}
}
