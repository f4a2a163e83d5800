/// The colour of a coded picture after the precedence rules of its format (docs/colour-formulas.md#precedence).
package struct SourceColor: Sendable, Hashable {
  /// Matrix coefficients (H.273) from samples to R'G'B'. They and the range are ignored for full-range `.rgb` pictures.
  package var matrix: Int
  package var fullRange: Bool
  /// The conversion from R'G'B' to light.
  package var encoding: ColorEncoding
  /// The code points that the file or its profile states, if any (`info` prints them).
  package var cicp: CICP?
  /// The ICC profile, verbatim.
  package var icc: [UInt8]?
  /// The description in the ICC profile, e.g. "Display P3".
  package var iccDescription: String?
  /// The colour that the file states, in words, if the caller has put a space in its place: "nothing" if it states none.
  package var replaced: String?
  /// Metadata of a frame change its codes so. R'G'B' then follow from them, not from `matrix` and `fullRange`, and have
  /// the curve of PQ.
  package var reshape: DolbyReshape?

  package init(
    matrix: Int, fullRange: Bool, encoding: ColorEncoding, cicp: CICP? = nil, icc: [UInt8]? = nil,
    iccDescription: String? = nil, replaced: String? = nil
  ) {
    self.matrix = matrix
    self.fullRange = fullRange
    self.encoding = encoding
    self.cicp = cicp
    self.icc = icc
    self.iccDescription = iccDescription
    self.replaced = replaced
  }
}

/// The conversion of R'G'B' to linear light in known primaries.
package enum ColorEncoding: Sendable, Hashable {
  /// Code points of H.273: `primaries` and `transfer` (docs/colour-formulas.md#code-points). 1.0 of an SDR transfer is
  /// reference white.
  case cicp(primaries: Int, transfer: Int)
  /// The curves of an ICC matrix/TRC profile, and a matrix from linear device RGB to linear BT.2020 (D65), row-major.
  case matrixTRC(curves: [ToneCurve], toBT2020: [Double], primaries: Int?)
  /// Any other RGB or grey ICC profile, baked: device R'G'B' in [0,1] to linear BT.2020 on a cube of `size`³ nodes, red
  /// fastest, three floats per node.
  case bakedLUT(size: Int, values: [Float])
  /// A space of the list: codes of the full range to light, 1.0 = a perfect diffuser, which is reference white.
  indirect case space(NamedSpace)
}

/// A decoded file: pixels as coded, their meaning, and all other metadata.
package struct SourceImage: Sendable {
  package var format: FileFormat
  /// The pixels; `channels` is empty when only metadata was asked for.
  package var image: SampleImage
  package var color: SourceColor
  package var geometry: Geometry
  package var gainMap: GainMap?
  package var light: LightMetadata
  /// The Exif data with its TIFF header `II*\0` or `MM\0*` first, without any prefix.
  package var exif: [UInt8]?
  package var xmp: [UInt8]?
  /// Photoshop image resources (APP13 of a JPEG without its identifier), which include IPTC.
  package var photoshop: [UInt8]?
  /// The payload's format if it differs from the file's: `jpeg` for the camera's rendition in a raw file.
  package var payloadFormat: FileFormat?
  /// The bits of a sample that the file states, if a library scales samples to others; `nil`: those of `image`.
  package var statedBitDepth: Int?
  /// All pictures of the file in its order; empty if it holds one.
  package var pictures: [FilePicture] = []
  /// The number of this picture among them, from 1.
  package var picture = 1
  /// The meaning of `image` if it holds samples of a camera's sensor; colour and light then follow from it.
  package var sensor: SensorPicture?
  /// The part of an OpenEXR file that holds the picture.
  package var exr: EXRPart?
  /// The file holds these parts beside picture, gain map and metadata.
  package var extras = FileExtras()
  /// Fields of the header of a format without a part of its own here, for reports.
  package var header: [HeaderField] = []
  package var warnings: [Warning]
  /// The library and version that decoded the picture, or would if more than metadata was asked for.
  package var decoder: String?

  package init(
    format: FileFormat, image: SampleImage, color: SourceColor, geometry: Geometry, gainMap: GainMap? = nil,
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

  /// The format of the coded rows, which outputs of that format may keep.
  package var codedFormat: FileFormat { payloadFormat ?? format }

  /// The bits of a sample that the file states.
  package var bitDepth: Int { statedBitDepth ?? image.bitDepth }

  /// A copy with everything except the samples.
  package var withoutPixels: SourceImage {
    var result = self
    result.image.channels = []
    result.image.alpha = nil
    result.image.handover = nil
    result.gainMap?.image.channels = []
    result.gainMap?.image.handover = nil
    return result
  }
}
