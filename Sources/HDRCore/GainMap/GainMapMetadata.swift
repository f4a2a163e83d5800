/// Which dialect carried a gain map.
public enum GainMapKind: String, Sendable, Hashable, Codable {
  /// ISO 21496-1 binary metadata (HEIF/AVIF `tmap`, JPEG APP2).
  case iso
  /// Adobe/Google XMP, namespace `hdrgm`.
  case hdrgm
  /// Apple's auxiliary map of 2020 to 2023; another formula.
  case apple
  /// JPEG XL `jhgm` box.
  case jhgm
}

/// Gain map metadata, normalised from every dialect. Headrooms and gains are log2 (stops); offsets are linear light,
/// 1.0 = reference white. Three rows always; a single-channel record repeats its row. Source: ISO 21496-1
/// (docs/gain-map-maths.md#metadata).
public struct GainMapMetadata: Sendable, Hashable {
  public var kind: GainMapKind
  /// Headroom of the stored (baseline) picture, log2, >= 0.
  public var baseHeadroom: Double
  /// Headroom of the picture reached at full weight, log2, >= 0.
  public var alternateHeadroom: Double
  /// log2 gain of map value 0, per channel R, G, B.
  public var min: [Double]
  /// log2 gain of map value 1.
  public var max: [Double]
  /// Encoding gamma, > 0; decoding uses 1/gamma.
  public var gamma: [Double]
  public var baseOffset: [Double]
  public var alternateOffset: [Double]
  /// The metadata had three rows. The map itself may still have one channel.
  public var isMultichannel: Bool
  /// Gains apply in the baseline's primaries; otherwise in the alternate's.
  public var usesBaseColorSpace: Bool
  /// The payload as it stood in the file, for re-emission.
  public var rawPayload: [UInt8]
  /// What Apple's formula needs; `kind` `.apple` only.
  public var apple: AppleGainMap?

  public init(
    kind: GainMapKind, baseHeadroom: Double, alternateHeadroom: Double, min: [Double], max: [Double],
    gamma: [Double] = [1, 1, 1], baseOffset: [Double] = [1 / 64, 1 / 64, 1 / 64],
    alternateOffset: [Double] = [1 / 64, 1 / 64, 1 / 64], isMultichannel: Bool = false,
    usesBaseColorSpace: Bool = true, rawPayload: [UInt8] = [], apple: AppleGainMap? = nil
  ) {
    self.kind = kind
    self.baseHeadroom = baseHeadroom
    self.alternateHeadroom = alternateHeadroom
    self.min = min
    self.max = max
    self.gamma = gamma
    self.baseOffset = baseOffset
    self.alternateOffset = alternateOffset
    self.isMultichannel = isMultichannel
    self.usesBaseColorSpace = usesBaseColorSpace
    self.rawPayload = rawPayload
    self.apple = apple
  }

  /// The stored picture is the HDR rendition.
  public var baseIsHDR: Bool { baseHeadroom > alternateHeadroom }
}

/// A gain map as found in a file: metadata, map samples, and the colour of both renditions.
public struct GainMap: Sendable {
  public var metadata: GainMapMetadata
  /// Map samples in stored orientation, 1 channel (`grey`) or 3 (`ycc`, `rgb`); data, not colour.
  public var image: SampleImage
  /// Matrix and range of the map's samples; primaries and transfer are not used.
  public var matrix: Int
  public var fullRange: Bool
  /// Colour of the alternate rendition, if the file states it.
  public var alternateColor: SourceColor?
  /// Light metadata of the alternate rendition, as far as the file states them.
  public var alternateLight = LightMetadata()
  /// Places that carried it, for the report: "tmap", "aux", "app2-iso", "xmp", "apple-xmp", "mpf", "gcontainer",
  /// "scan".
  public var bindings: [String]

  public init(
    metadata: GainMapMetadata, image: SampleImage, matrix: Int, fullRange: Bool, alternateColor: SourceColor?,
    bindings: [String]
  ) {
    self.metadata = metadata
    self.image = image
    self.matrix = matrix
    self.fullRange = fullRange
    self.alternateColor = alternateColor
    self.bindings = bindings
  }
}
