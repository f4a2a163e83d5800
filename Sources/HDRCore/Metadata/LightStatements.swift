/// The caller's choice of statements about light in an output.
public struct LightStatements: Sendable, Hashable {
  /// The content light level.
  public enum Level: Sendable, Hashable {
    /// The level measured in the output.
    case measured
    case none
    case stated(ContentLightLevel)
  }

  /// The mastering display.
  public enum Mastering: Sendable, Hashable {
    /// The file's display if the output still fits it, else one that shows the whole output.
    case automatic
    /// The file's display, whatever was done to the picture.
    case file
    case none
    case stated(MasteringDisplay)
  }

  /// SMPTE ST 2094-50 metadata.
  public enum Tone: String, Sendable, Hashable, CaseIterable {
    /// The picture's metadata if its light is unchanged.
    case automatic = "auto"
    /// The picture's metadata, whatever was done to the picture.
    case keep
    case none
    /// Metadata for Reference White Tone Mapping of the output.
    case referenceWhite = "reference-white"
  }

  public var level = Level.measured
  public var mastering = Mastering.automatic
  public var tone = Tone.automatic

  public init() {}
}
