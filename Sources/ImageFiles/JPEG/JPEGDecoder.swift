import FileParts
import HDRCore

/// Reads JPEG: baseline and progressive, grey, Y'CbCr and R'G'B', with ICC, Exif, XMP and a gain map after the picture.
///
/// Colour: ICC > sRGB; matrix BT.601 full range, chroma centred (docs/colour-formulas.md#precedence).
package enum JPEGDecoder: ImageDecoder {
  package static let name = "JPEG (turbojpeg)"
  package static let formats = ["JPEG"]
  package static let extensions = ["jpg", "jpeg"]
  package static let libraries: RunTimeLibraries = []

  package static func recognizes(_ head: ArraySlice<UInt8>) -> Bool { head.starts(with: [0xFF, 0xD8, 0xFF]) }

  package static func decode(
    _ bytes: [UInt8], request: DecodeRequest, limits: DecodeLimits
  ) throws(DecodeError) -> SourceImage {
    try checkFileSize(bytes, limits)
    let jpeg = try JPEGStructure(bytes, at: 0)
    _ = try checkedPixels(jpeg.width, jpeg.height, limits, place: "JPEG frame header")
    let scale = limits.reading.scale
    var image = try describeJPEGSamples(jpeg, scale: scale.base)
    guard jpeg.hasEnd else { throw .truncated(where: "JPEG scan") }

    var warnings: [Warning] = []
    let metadata = JPEGMetadata(jpeg, bytes, limits: limits, warnings: &warnings)
    if request == .pixels {
      image = try decodeJPEGSamples(
        jpeg, bytes, scale: scale.base, leastScan: limits.leastScan, warnings: &warnings)
    }
    let color = color(metadata, image.model, limits, warnings: &warnings)
    let search = JPEGGainMapSearch(
      bytes: bytes, primary: jpeg, metadata: metadata, request: request, limits: limits)
    let gainMap = search.pick(warnings: &warnings)
    let (xmp, left) = jpeg.texts(in: bytes).moved(into: metadata.xmp, exif: metadata.exif)
    var extras = JPEGExtras(bytes: bytes, primary: jpeg, metadata: metadata, map: gainMap?.stream, limits: limits)
      .find(warnings: &warnings)
    extras.trailers += left
    var source = SourceImage(
      format: .jpeg, image: image, color: color,
      geometry: Geometry(
        width: image.width, height: image.height, orientation: metadata.parsedExif?.orientation ?? .up),
      gainMap: gainMap?.map, light: LightMetadata(profile: color, warnings: &warnings), exif: metadata.exif,
      xmp: xmp, photoshop: metadata.photoshop, warnings: distinct(warnings), decoder: "libjpeg-turbo")
    source.extras = extras
    return source
  }

  /// Returns each warning once, as base and map often cause equal ones.
  private static func distinct(_ warnings: [Warning]) -> [Warning] {
    var seen: Set<Warning> = []
    return warnings.filter { seen.insert($0).inserted }
  }

  private static func color(
    _ metadata: JPEGMetadata, _ model: ColorModel, _ limits: DecodeLimits, warnings: inout [Warning]
  ) -> SourceColor {
    let matrix = model == .rgb ? CICP.Matrix.identity : CICP.Matrix.bt601
    guard let icc = metadata.icc,
      let color = SourceColor(icc: icc, model: model, matrix: matrix, limits: limits, warnings: &warnings)
    else { return .sRGB(matrix: matrix) }
    color.warnAboutBands(bits: 8, format: "jpeg", warnings: &warnings)
    return color
  }
}
