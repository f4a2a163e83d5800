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

  /// ST 2094-50 metadata in the tag `HAGC` of the ICC profile.
  package enum ProfileTone: Sendable, Hashable {
    /// The picture's metadata if its light is unchanged, else curves fitted to its SDR rendition if a gain map makes
    /// one, else metadata for Reference White Tone Mapping.
    case automatic
    case referenceWhite
    /// Curves fitted to the SDR rendition; `isForced`: whatever their error is.
    case fit(isForced: Bool)
    /// The metadata of a file.
    case payload([UInt8])
  }

  package var level = Level.measured
  package var mastering = Mastering.automatic
  package var tone = Tone.automatic
  /// `nil`: the profile gets none.
  package var profileTone: ProfileTone?

  package init() {}
}
