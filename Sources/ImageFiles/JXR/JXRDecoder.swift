import FileParts
import HDRCore

/// Reads JPEG XR, as screenshots of Windows, of the Xbox and of NVIDIA's drivers are: grey and RGB of 8 and 16 bits, of
/// 5, 6 and 10 bits, halves, floats, fixed point and RGBE; alpha; ICC, Exif, XMP, orientation. The container is read and
/// checked here, code streams are decoded by libjxr.
///
/// Colour and light: docs/formats.md#jpeg-xr. Refused by name: CMYK, Y'CbCr, channels without colours, 1 bit.
package enum JXRDecoder: ImageDecoder {
  package static let name = "JPEG XR (libjxr)"
  package static let formats = ["JPEG XR"]
  package static let extensions = ["jxr", "wdp", "hdp"]
  package static let libraries = RunTimeLibraries.jxr
  package static let takesCodePoints = true

  package static func recognizes(_ head: ArraySlice<UInt8>) -> Bool { TIFFStructure.isJPEGXR(head) }

  package static func decode(
    _ bytes: [UInt8], request: DecodeRequest, limits: DecodeLimits
  ) throws(DecodeError) -> SourceImage {
    try checkFileSize(bytes, limits)
    var warnings: [Warning] = []
    let file = try JXRContainer(bytes, limits: limits, warnings: &warnings)
    let metadata = TIFFMetadata(file.structure, file.directory, limits: limits, warnings: &warnings)
    let pixels = JXRPixels(file: file, keepsAlpha: limits.reading.jxr.alpha == .keep)
    var image = pixels.description
    if request == .pixels {
      guard limits.unsafeCodecs else {
        throw .unsupported(
          feature: "JPEG XR outside a sandbox",
          found: "damaged files make libjxr crash; the setting unsafe-codecs uses it all the same")
      }
      let decoded = try JXRLibrary(file)
      let read = pixels.image(decoded.samples, rowBytes: decoded.rowBytes)
      image = read.image
      if read.leavesShape {
        warnings.append(
          Warning(
            "jxr.alpha",
            "alpha beside floats is left out, as screenshots have none; \(setting: "jxr-alpha") keep keeps it"
          ))
      }
    }
    let color = try JXRColor(file, image.model, profile: metadata.icc, limits: limits, warnings: &warnings)
    let light = color.light(image, limits.reading.jxr, &warnings)
    let (xmp, left) = file.structure.texts(of: file.directory).moved(into: metadata.xmp, exif: metadata.exif)
    var source = SourceImage(
      format: .jxr, image: image, color: color.source,
      geometry: Geometry(width: file.width, height: file.height, orientation: file.orientation), light: light,
      exif: metadata.exif, xmp: xmp, photoshop: metadata.photoshop, warnings: warnings,
      decoder: "libjxr" + (JXRLibrary.version.map { " " + $0 } ?? ""))
    source.statedBitDepth = pixels.statedBits
    source.extras.credentials = ContentCredentials(address: metadata.packet)
    source.extras.trailers = file.unknown(resources: metadata.photoshop).trailers + left
    return source
  }
}
