/// Bounds on what a file may ask for (docs/isolation.md#limits), the decoding library and number of threads, and the
/// parts to read.
public struct DecodeLimits: Sendable, Hashable {
  /// The largest number of pixels of a picture, and of the sum of grid tiles.
  public var maxPixels: Int
  public var maxSide: Int
  public var maxFileBytes: Int
  public var maxICCBytes: Int
  public var maxMetadataBytes: Int
  public var hevcDecoder: HEVCDecoder
  package var reading = ReadingOptions()
  /// True if libraries with known security holes may run in a process without a sandbox: OpenEXR's, for pixels of PIZ,
  /// PXR24 and B44, and libjxr. Codec processes in a sandbox always use them.
  public var unsafeCodecs = false
  /// True if a library evaluates profiles that are tables. Else such a profile counts with its bytes and size, and its
  /// colours are read as unchanged.
  package var evaluatesProfiles = true
  /// The number of threads that decode a picture, if its format can be split; samples do not depend on it.
  package var threads = 1
  /// The least pixels of a JPEG whose scan is handed over in the place of samples, if kernels can decode it; `nil`: none
  /// is.
  package var leastScan: Int?

  public init(
    maxPixels: Int = 1 << 28, maxSide: Int = 65_535, maxFileBytes: Int = 1 << 32, maxICCBytes: Int = 4 << 20,
    maxMetadataBytes: Int = 16 << 20, hevcDecoder: HEVCDecoder = .automatic
  ) {
    self.maxPixels = maxPixels
    self.maxSide = maxSide
    self.maxFileBytes = maxFileBytes
    self.maxICCBytes = maxICCBytes
    self.maxMetadataBytes = maxMetadataBytes
    self.hevcDecoder = hevcDecoder
  }

  /// The limits for reading back a file that was just written. Bounds on inputs do not apply, and profiles in it may
  /// come from an untrusted input.
  package static var readingBack: DecodeLimits {
    var limits = DecodeLimits(maxPixels: 1 << 40, maxSide: 1 << 31)
    limits.evaluatesProfiles = false
    return limits
  }
}
