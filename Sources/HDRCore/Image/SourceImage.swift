/// Colour of a coded picture after the precedence rules of its format (docs/colour-formulas.md#precedence).
public struct SourceColor: Sendable, Hashable {
  /// Matrix coefficients (H.273) and range that turn samples into R'G'B'. Ignored for `.rgb` pictures of full range.
  public var matrix: Int
  public var fullRange: Bool
  /// From R'G'B' to light.
  public var encoding: ColorEncoding
  /// Code points as the file or its profile states them, when it does (`info` prints them).
  public var cicp: CICP?
  /// The ICC profile, verbatim.
  public var icc: [UInt8]?
  /// Description of the ICC profile, e.g. "Display P3".
  public var iccDescription: String?

  public init(
    matrix: Int, fullRange: Bool, encoding: ColorEncoding, cicp: CICP? = nil, icc: [UInt8]? = nil,
    iccDescription: String? = nil
  ) {
    self.matrix = matrix
    self.fullRange = fullRange
    self.encoding = encoding
    self.cicp = cicp
    self.icc = icc
    self.iccDescription = iccDescription
  }
}

/// How R'G'B' becomes linear light in known primaries.
public enum ColorEncoding: Sendable, Hashable {
  /// Code points of H.273: `primaries` and `transfer` (docs/colour-formulas.md#code-points). 1.0 of an SDR transfer is
  /// reference white.
  case cicp(primaries: Int, transfer: Int)
  /// An ICC matrix/TRC profile: own curves, and a matrix from linear device RGB to linear BT.2020 (D65), row-major.
  case matrixTRC(curves: [ToneCurve], toBT2020: [Double], primaries: Int?)
  /// Any other RGB or grey ICC profile, baked: device R'G'B' in [0,1] to linear BT.2020 on a cube of `size`³ nodes, red
  /// fastest, three floats a node.
  case bakedLUT(size: Int, values: [Float])
}

/// A decoded file: pixels as coded, what they mean, and all other metadata.
public struct SourceImage: Sendable {
  /// "heic", "avif", "heif" (uncompressed), "jpeg", "png" and so on.
  public var format: String
  /// Pixels; `channels` is empty when only metadata was asked for.
  public var image: SampleImage
  public var color: SourceColor
  public var geometry: Geometry
  public var gainMap: GainMap?
  public var light: LightMetadata
  /// TIFF-structured Exif, starting at `II*\0` or `MM\0*`, without any prefix.
  public var exif: [UInt8]?
  public var xmp: [UInt8]?
  /// Photoshop image resources (APP13 of a JPEG without its identifier), IPTC among them.
  public var photoshop: [UInt8]?
  /// Format of the payload where that differs from the file's: "jpeg" for the camera's rendition in a raw file.
  public var payloadFormat: String?
  /// Bits of a sample as the file states them, where a library scales samples to others; `nil`: those of `image`.
  package var statedBitDepth: Int?
  /// All pictures of the file in its order; empty where it holds one.
  public var pictures: [FilePicture] = []
  /// Number of this one among them, from 1.
  public var picture = 1
  /// What `image` is where it holds samples of a camera's sensor; colour and light follow from it then.
  package var sensor: SensorPicture?
  /// Of an OpenEXR file: the part that the picture is in.
  package var exr: EXRPart?
  public var warnings: [Warning]
  /// Library and version that decoded the picture, or would when only metadata was asked for.
  public var decoder: String?

  public init(
    format: String, image: SampleImage, color: SourceColor, geometry: Geometry, gainMap: GainMap? = nil,
    light: LightMetadata = LightMetadata(), exif: [UInt8]? = nil, xmp: [UInt8]? = nil,
    photoshop: [UInt8]? = nil, warnings: [Warning] = [], decoder: String? = nil
  ) {
    self.format = format
    self.decoder = decoder
    self.image = image
    self.color = color
    self.geometry = geometry
    self.gainMap = gainMap
    self.light = light
    self.exif = exif
    self.xmp = xmp
    self.photoshop = photoshop
    self.warnings = warnings
  }

  /// Format of the coded rows, which outputs of that format may keep.
  package var codedFormat: String { payloadFormat ?? format }

  /// Bits of a sample, as the file states them.
  public var bitDepth: Int { statedBitDepth ?? image.bitDepth }

  /// All that is known of the picture but its samples.
  package var withoutPixels: SourceImage {
    var result = self
    result.image.channels = []
    result.image.alpha = nil
    result.gainMap?.image.channels = []
    return result
  }
}
