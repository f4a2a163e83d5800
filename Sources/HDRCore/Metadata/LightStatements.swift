/// What a caller wants an output to say about its light.
public struct LightStatements: Sendable, Hashable {
  /// The content light level.
  public enum Level: Sendable, Hashable {
    /// As measured in the output.
    case measured
    case none
    case stated(ContentLightLevel)
  }

  /// The mastering display.
  public enum Mastering: Sendable, Hashable {
    /// The file's where the output still fits it, else one that shows all there is.
    case automatic
    /// The file's, whatever was made of the picture.
    case file
    case none
    case stated(MasteringDisplay)
  }

  /// SMPTE ST 2094-50 metadata.
  public enum Tone: String, Sendable, Hashable, CaseIterable {
    /// The picture's where its light is unchanged.
    case automatic = "auto"
    /// The picture's, whatever was made of it.
    case keep
    case none
    /// For Reference White Tone Mapping of the output.
    case referenceWhite = "reference-white"
  }

  public var level = Level.measured
  public var mastering = Mastering.automatic
  public var tone = Tone.automatic

  public init() {}
}
