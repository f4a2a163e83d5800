import HDRCore

/// Writes 10-bit HEIC in PQ or HLG: HEVC still picture with nclx, pixi and the boxes about light, Exif and XMP beside it.
/// Policy: docs/colour-formulas.md#metadata-layouts; no ICC profile, because a matrix profile cannot carry these
/// curves.
package enum HEICWriter: ImageWriter {
  package static let format = "heic"
  package static var isAvailable: Bool { HEVCEncoder.isAvailable }

  package static func encode(_ request: EncodeRequest) throws(EncodeError) -> EncodedFiles {
    let image = request.image
    let picture = try HEVCEncoder.encode(
      image, cicp: request.cicp,
      settings: HEVCEncoder.Settings(quality: request.quality, threads: request.threads))
    // Profiles Main and Main Still Picture are brand heic; Main 10 and the range extensions heix (23008-12, B.4.1).
    let profile = picture.configuration[1] & 31
    let brand = profile == 1 || profile == 3 ? "heic" : "heix"
    var muxer = HEIFMuxer(brands: [brand, "mif1", "miaf"])
    var data = picture.data
    if let payload = request.light.toneMetadata {
      let unit = MessageWriter.unit(type: 4, HeadroomAdaptiveMetadata.t35Message(payload))
      data = MessageWriter.insert(unit: unit, before: data)
    }
    let main = muxer.addItem("hvc1", data: data)
    muxer.primaryItem = main
    muxer.setProperty(HEIFBox.hvcC(picture.configuration), essential: true, of: main)
    muxer.setProperty(HEIFBox.ispe(width: picture.width, height: picture.height), essential: false, of: main)
    muxer.setProperty(HEIFBox.nclx(request.cicp), essential: false, of: main)
    muxer.setProperty(HEIFBox.pixi(bitDepth: image.bitDepth), essential: false, of: main)
    muxer.setLight(request.light, transfer: request.cicp.transfer, of: main)
    if picture.width != image.width || picture.height != image.height {
      // 4:2:0 has no odd sizes, and the encoder none below 64: the picture is coded larger and cut on viewing.
      let crop = HEIFBox.clap(
        width: image.width, height: image.height, codedWidth: picture.width, codedHeight: picture.height)
      muxer.setProperty(crop, essential: true, of: main)
    }
    addMetadata(request, describing: main, to: &muxer)
    var warnings: [Warning] = []
    if request.hasAlpha { warnings.append(Warning("heic.alpha-dropped", "HEIC outputs carry no alpha")) }
    return EncodedFiles(main: try muxer.fileBytes(), warnings: warnings)
  }

  /// Exif behind a 32-bit offset to its TIFF header, XMP as a `mime` item (ISO/IEC 23008-12 annex A).
  private static func addMetadata(_ request: EncodeRequest, describing main: Int, to muxer: inout HEIFMuxer) {
    if let exif = request.outputExif {
      let item = muxer.addItem("Exif", data: [0, 0, 0, 0] + exif, isHidden: true)
      muxer.addReference("cdsc", from: item, to: [main])
    }
    if let xmp = request.xmp {
      let item = muxer.addItem("mime", data: xmp, contentType: "application/rdf+xml", isHidden: true)
      muxer.addReference("cdsc", from: item, to: [main])
    }
  }
}
