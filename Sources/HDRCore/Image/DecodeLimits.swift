/// Bounds on what a file may ask for (docs/isolation.md#limits), which library decodes it, on how many threads, and what
/// of it is read.
public struct DecodeLimits: Sendable, Hashable {
  /// Pixels of one picture; also the bound for the sum of grid tiles.
  public var maxPixels: Int
  public var maxSide: Int
  public var maxFileBytes: Int
  public var maxICCBytes: Int
  public var maxMetadataBytes: Int
  public var hevcDecoder: HEVCDecoder
  public var reading = ReadingOptions()
  /// Whether libraries with known holes are used in a process that is not locked in: OpenEXR's, for pixels of PIZ, PXR24
  /// and B44. Codec processes in a sandbox always use them.
  public var unsafeCodecs = false
  /// Whether a library evaluates profiles that are tables. Without it such a profile is read as if it changed nothing: its
  /// bytes and its size count, not its colours.
  public var evaluatesProfiles = true
  /// Threads that decode one picture, where its format can be shared out; samples do not depend on them.
  public var threads = 1

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

  /// For a file that was written a moment ago. Bounds on inputs do not apply, and profiles in it may come from
  /// an untrusted input.
  package static var readingBack: DecodeLimits {
    var limits = DecodeLimits(maxPixels: 1 << 40, maxSide: 1 << 31)
    limits.evaluatesProfiles = false
    return limits
  }
}
