/// Choices for reading OpenEXR files.
public struct EXRReading: Sendable, Hashable {
  /// The meaning of 1.0.
  public enum Luminance: String, Sendable, Hashable, CaseIterable {
    /// Reference white.
    case relative
    /// The attribute whiteLuminance, in cd/m², if there is one.
    case absolute
  }

  /// The part of the file that becomes the picture.
  public enum Window: String, Sendable, Hashable, CaseIterable {
    /// The display window; it may be larger or smaller than the area with pixels.
    case display
    /// All pixels that the file has.
    case data
  }

  /// The handling of colour where alpha is 0.
  public enum Emission: String, Sendable, Hashable, CaseIterable {
    /// Colour is dropped, except in pictures whose alpha is 0 everywhere: these are shown without alpha.
    case automatic = "auto"
    case drop
    /// Colour stays, as long as no step divides it by alpha.
    case keep
  }

  public var luminance = Luminance.relative
  public var window = Window.display
  public var emission = Emission.automatic

  public init() {}
}

/// The compression of an OpenEXR file; all are lossless.
public enum EXRCompression: String, Sendable, Hashable, CaseIterable {
  /// Deflate of 16 rows.
  case zip
  /// Deflate of one row.
  case zips
  /// Runs of equal bytes, one row.
  case rle
  case none
}
