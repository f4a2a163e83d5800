/// Choices for reading OpenEXR files.
package struct EXRReading: Sendable, Hashable {
  /// The meaning of 1.0.
  package enum Luminance: String, Sendable, Hashable, CaseIterable {
    /// Reference white.
    case relative
    /// The attribute whiteLuminance, in cd/m², if there is one.
    case absolute
  }

  /// The part of the file that becomes the picture.
  package enum Window: String, Sendable, Hashable, CaseIterable {
    /// The data window for OpenEXR whose pixels keep their places, which then has both windows; else the display window.
    case automatic = "auto"
    /// The display window; it may be larger or smaller than the area with pixels.
    case display
    /// All pixels that the file has.
    case data
  }

  /// The handling of colour where alpha is 0.
  package enum Emission: String, Sendable, Hashable, CaseIterable {
    /// Colour is dropped, except in pictures whose alpha is 0 everywhere: these are shown without alpha.
    case automatic = "auto"
    case drop
    /// Colour stays, as long as no step divides it by alpha.
    case keep
  }

  package var luminance = Luminance.relative
  package var window = Window.automatic
  package var emission = Emission.automatic

  package init() {}
}

/// The compression of an OpenEXR file; all are lossless.
public enum EXRCompression: String, Sendable, Hashable, CaseIterable {
  /// Deflate of 16 rows.
  case zip
  /// Deflate of 16 rows that devices make, too (`DeflateChunkCoder`).
  case zipGPU = "zip-gpu"
  /// Deflate of one row.
  case zips
  /// Runs of equal bytes, one row.
  case rle
  case none
}
