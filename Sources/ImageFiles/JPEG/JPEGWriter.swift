import FileParts
import HDRCore

/// Writes 8-bit SDR JPEG: turbojpeg encodes the scan, the application segments are written here.
///
/// Source of segment layouts: ITU-T T.871 (JFIF), ICC.1:2022 annex B, Exif 2.32.
package enum JPEGWriter: ImageWriter {
  package static let format = FileFormat.jpeg

  package static func encode(_ request: EncodeRequest) throws(EncodeError) -> EncodedFiles {
    let cicp = request.cicp
    guard !cicp.isHDR,
      let profile = request.icc ?? ICCProfileWriter.profile(primaries: cicp.primaries, transfer: cicp.transfer)
    else {
      throw .unsupported(feature: "JPEG colour", found: "primaries \(cicp.primaries), transfer \(cicp.transfer)")
    }
    var picture = try JPEGPicture(request.image, request.coding.jpeg)
    if request.coding.isProgressiveJPEG { picture = try picture.progressive() }

    var warnings: [Warning] = []
    var segments = JPEGSegments()
    if let exif = request.outputExif { segments.append(exif: exif, warnings: &warnings) }
    if let motion = request.motion {
      let video = MotionEntry(motion, in: format)
      segments.append(
        xmp: request.xmp,
        stating: {
          XMPAssembly.primaryDescription(isMarked: false, mapSize: nil, video: video, extended: $0, about: $1)
        }, warnings: &warnings)
    } else if let xmp = request.xmp, !segments.append(0xE1, JPEGIdentifier.xmp, xmp) {
      warnings.append(Warning("jpeg.xmp-dropped", "XMP of \(xmp.count) bytes does not fit a JPEG segment"))
    }
    if let photoshop = request.photoshop { segments.append(photoshop: photoshop) }
    try segments.append(icc: profile)

    var file = ByteSink(reserving: picture.byteCount + segments.count)
    picture.append(to: &file, with: segments)
    return EncodedFiles(main: file.bytes, warnings: warnings)
  }
}
