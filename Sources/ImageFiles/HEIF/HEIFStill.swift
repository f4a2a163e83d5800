import HDRCore

/// A writer of HEIF files of one picture with its alpha: nclx or a profile, `pixi`, light boxes, Exif and XMP.
/// Policy: docs/colour-formulas.md#metadata-layouts; HDR gets no ICC profile, because a matrix profile cannot hold its
/// curves, but for one that carries ST 2094-50 metadata.
enum HEIFStill {
  /// Makes a file.
  ///
  /// - Parameters:
  ///   - code: encodes planes as a picture that has only properties of its geometry; `true` for lossless.
  ///   - message: inserts SMPTE ST 2094-50 metadata, as an ITU-T T.35 message, into coded data.
  static func file(
    _ request: EncodeRequest, code: (SampleImage, CICP, Bool) throws(EncodeError) -> HEIFCodedPicture,
    message: ([UInt8], [UInt8]) -> [UInt8]?
  ) throws(EncodeError) -> EncodedFiles {
    var warnings: [Warning] = [], image = request.image
    image.alpha = nil
    image = image.narrowed(toBits: image.bitDepth)
    var picture = try code(image, request.cicp, false)
    let geometry = picture.properties
    if let payload = request.light.toneMetadata {
      if let data = message(HeadroomAdaptiveMetadata.t35Message(payload), picture.items[0].data) {
        picture.items[0].data = data
      } else {
        warnings.append(Warning("tone.dropped", "the coded picture has no place for ST 2094-50 metadata"))
      }
    }
    var boxes = [HEIFBox.nclx(request.cicp)]
    if let profile = request.profileBesideCodePoints { boxes.append(HEIFBox.icc(profile)) }
    boxes.append(HEIFBox.pixi(bitDepth: image.bitDepth, channels: image.channels.count))
    boxes += request.light.boxes(transfer: request.cicp.transfer)
    picture.properties.insert(contentsOf: boxes.map { .init(box: $0, isEssential: false) }, at: 0)

    var muxer = HEIFMuxer(brands: [picture.brand, "mif1", "miaf"])
    let main = muxer.addPicture(picture, isHidden: false)
    muxer.primaryItem = main
    if request.hasAlpha, let alpha = request.image.alphaPicture {
      // Codes of alpha are not light: they are lossless, and full range by definition (ISO/IEC 23000-22 7.3.5.2).
      // Alpha has the size and the crop of its picture.
      let padded = alpha.padded(x: 0, y: 0, width: picture.width, height: picture.height)
      var coded = try code(padded, .unspecified, true)
      coded.properties =
        [
          .init(box: HEIFBox.pixi(bitDepth: alpha.bitDepth, channels: 1), isEssential: false),
          .init(box: HEIFBox.auxC(HEIFFile.alphaURN), isEssential: true),
        ] + geometry
      let item = muxer.addPicture(coded, isHidden: true)
      muxer.addReference("auxl", from: item, to: [main])
    }
    try muxer.add(
      request.auxiliaries, of: main,
      HEIFPictureCoding.Settings(
        container: request.kind.format == .avif ? .avif : .heic, quality: 100, threads: request.threads),
      warnings: &warnings)
    if let exif = request.outputExif { muxer.addExif(exif, describing: main) }
    muxer.addXMP(request.xmp, announcing: request.motion, in: request.kind.format, describing: main)
    return EncodedFiles(main: try muxer.fileBytes(), warnings: warnings)
  }
}

extension SampleImage {
  /// The alpha as a grey picture in the same memory, or narrowed to bytes if its depth allows.
  fileprivate var alphaPicture: SampleImage? {
    guard let alpha, alphaFormat.isInteger else { return nil }
    return SampleImage(
      width: width, height: height, model: .grey, format: alphaFormat, bitDepth: alphaBitDepth, chroma: .none,
      channels: [alpha]
    ).narrowed(toBits: alphaBitDepth)
  }
}
