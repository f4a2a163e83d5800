/// The dialect of a gain map's metadata.
package enum GainMapKind: String, Sendable, Hashable, Codable {
  /// ISO 21496-1 binary metadata (HEIF/AVIF `tmap`, JPEG APP2).
  case iso
  /// Adobe/Google XMP, namespace `hdrgm`.
  case hdrgm
  /// Apple's auxiliary map of 2020 to 2023, with its own formula.
  case apple
  /// JPEG XL `jhgm` box.
  case jhgm
}

/// A gain map's metadata, normalised from every dialect. Headrooms and gains are log2 (stops); offsets are linear
/// light, 1.0 = reference white. There are always three rows; a single-channel record repeats its row. Source: ISO
/// 21496-1 (docs/gain-map-maths.md#metadata).
package struct GainMapMetadata: Sendable, Hashable {
  package var kind: GainMapKind
  /// The headroom of the stored (baseline) picture, log2, >= 0.
  package var baseHeadroom: Double
  /// The headroom of the picture reached at full weight, log2, >= 0.
  package var alternateHeadroom: Double
  /// The log2 gain of map value 0, per channel R, G, B.
  package var min: [Double]
  /// The log2 gain of map value 1.
  package var max: [Double]
  /// The encoding gamma, > 0; decoding uses 1/gamma.
  package var gamma: [Double]
  package var baseOffset: [Double]
  package var alternateOffset: [Double]
  /// True if the metadata had three rows. The map itself may still have one channel.
  package var isMultichannel: Bool
  /// True if gains apply in the baseline's primaries, else in the alternate's.
  package var usesBaseColorSpace: Bool
  /// The payload as it was in the file, to write it again.
  package var rawPayload: [UInt8]
  /// Numbers of Apple's formula; only for `kind` `.apple`.
  package var apple: AppleGainMap?

  package init(
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

  /// True if the stored picture is the HDR rendition.
  package var baseIsHDR: Bool { baseHeadroom > alternateHeadroom }
}

/// A gain map as found in a file: metadata, map samples, and the colour of both renditions.
package struct GainMap: Sendable {
  package var metadata: GainMapMetadata
  /// The map's samples in stored orientation, 1 channel (`grey`) or 3 (`ycc`, `rgb`); data, not colour.
  package var image: SampleImage
  /// The matrix of the map's samples, used with `fullRange`; primaries and transfer are not used.
  package var matrix: Int
  package var fullRange: Bool
  /// The colour of the alternate rendition, if the file states it.
  package var alternateColor: SourceColor?
  /// The light metadata of the alternate rendition, as far as the file states it.
  package var alternateLight = LightMetadata()
  /// The places in the file that carried the map, for the report: "tmap", "aux", "app2-iso", "xmp", "apple-xmp", "mpf",
  /// "gcontainer", "scan", "jhgm", "tiff", "png-gdat".
  package var bindings: [String]

  package init(
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

  /// Returns the warning about a file with several maps whose metadata are of the same kind.
  package static func several(_ count: Int) -> Warning {
    Warning("gainmap.several", "\(count) gain maps with metadata of one kind; the first one is used")
  }
}
