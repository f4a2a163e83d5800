import FileParts
import HDRCore

/// Reads TIFF and BigTIFF in both byte orders: integers of 1 to 16, 24, 32 and 64 bits, signed ones, floats of 16, 24, 32
/// and 64, strips and tiles, both planar configurations; grey, R'G'B', palette, Y'CbCr, CMYK, Lab, LogLuv; associated and straight alpha; ICC,
/// Exif, XMP, image resources, and Adobe's gain map. Directories are read and checked here, samples decoded by libtiff.
///
/// Light: docs/formats.md#tiff. Source: TIFF 6.0 and its supplements.
package enum TIFFDecoder: ImageDecoder {
  package static let name = "TIFF (libtiff)"
  package static let formats = ["TIFF"]
  package static let extensions = ["tif", "tiff"]
  package static let libraries = RunTimeLibraries.tiff
  package static let takesCodePoints = true

  package static let hasPictures = true

  package static func recognizes(_ head: ArraySlice<UInt8>) -> Bool { TIFFStructure.recognizes(head) }

  package static func decode(
    _ bytes: [UInt8], request: DecodeRequest, limits: DecodeLimits
  ) throws(DecodeError) -> SourceImage {
    try checkFileSize(bytes, limits)
    let structure = try TIFFStructure(bytes)
    var warnings: [Warning] = []
    let directories = try structure.directories(warnings: &warnings)
    let pages = TIFFPages(structure, directories)
    let number = try pages.choose(limits.reading, warnings: &warnings)
    let main = pages.directories[number - 1]
    if main.unreadable > 0 {
      warnings.append(
        Warning("tiff.entry", "\(main.unreadable) entries of unknown types or with values outside the file ignored"))
    }
    let parent = pages.parent(of: main)
    let page = try TIFFPage(structure, main, parent: parent, limits: limits, warnings: &warnings)
    let metadata = TIFFMetadata(structure, main, parent: parent, limits: limits, warnings: &warnings)
    let transform = page.inks.map { InkTransform($0, profile: metadata.icc, warnings: &warnings) }
    let pixels = try TIFFPixels(page, transform: transform)
    if request == .pixels { try transform?.prepare() }
    let image = request == .pixels ? try pixels.read(threads: limits.threads, warnings: &warnings) : pixels.description
    let color = tiffColor(
      page, model: image.model, transform: transform, profile: metadata.icc, limits: limits, warnings: &warnings)
    let stated = try limits.reading.statedColor(inPlaceOf: color, image.model)
    if stated != nil, let what = transform?.what ?? (page.isXYZ ? "X, Y, Z of LogLuv" : nil) {
      throw .unsupported(feature: "cicp for this TIFF", found: what)
    }
    let search = TIFFGainMapSearch(
      structure: structure, main: main, directories: directories, packet: metadata.packet, request: request,
      limits: limits)
    let store = structure.data(TIFFTag.provenance, in: directories[0])
    let credentials = store.flatMap { ContentCredentials($0, place: "tag 52545", warnings: &warnings) }
    let (xmp, left) = structure.texts(of: main).moved(into: metadata.xmp, exif: metadata.exif)
    var source = SourceImage(
      format: .tiff, image: image, color: stated ?? color,
      geometry: Geometry(width: page.width, height: page.height, orientation: page.orientation),
      gainMap: search.find(warnings: &warnings), light: LightMetadata(profile: color, warnings: &warnings),
      exif: metadata.exif, xmp: xmp, photoshop: metadata.photoshop, warnings: warnings,
      decoder: "libtiff" + (TIFFLibrary.version.map { " " + $0 } ?? ""))
    (source.pictures, source.picture) = (pages.pictures, number)
    source.extras.credentials = credentials ?? ContentCredentials(address: metadata.packet)
    source.extras.trailers = structure.unknownTags(of: main, resources: metadata.photoshop).trailers + left
    return source
  }
}
