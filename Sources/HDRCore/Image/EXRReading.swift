/// What of OpenEXR files is read.
public struct EXRReading: Sendable, Hashable {
  /// What 1.0 means.
  public enum Luminance: String, Sendable, Hashable, CaseIterable {
    /// Reference white.
    case relative
    /// The attribute whiteLuminance, in cd/m², where there is one.
    case absolute
  }

  /// What the picture is.
  public enum Window: String, Sendable, Hashable, CaseIterable {
    /// The display window; it may be larger or smaller than what has pixels.
    case display
    /// All that has pixels.
    case data
  }

  /// What becomes of colour where alpha is 0.
  public enum Emission: String, Sendable, Hashable, CaseIterable {
    /// Dropped, but for pictures whose alpha is 0 everywhere: these are shown without it.
    case automatic = "auto"
    case drop
    /// It stays, as far as no step divides colour by alpha.
    case keep
  }

  public var luminance = Luminance.relative
  public var window = Window.display
  public var emission = Emission.automatic

  public init() {}
}

/// How an OpenEXR file is compressed; all are lossless.
public enum EXRCompression: String, Sendable, Hashable, CaseIterable {
  /// Deflate of 16 rows.
  case zip
  /// Deflate of one row.
  case zips
  /// Runs of equal bytes, one row.
  case rle
  case none
}
