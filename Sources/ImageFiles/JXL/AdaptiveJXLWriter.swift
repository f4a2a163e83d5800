import FileParts
import HDRCore

/// Writes Adaptive HDR JPEG XL: the base's codestream, and its gain map with metadata of ISO 21496-1 in a `jhgm` box
/// (docs/gain-map-maths.md#containers).
enum AdaptiveJXLWriter {
  static func encode(_ request: AdaptiveRequest) throws(EncodeError) -> EncodedFiles {
    guard request.metadata.kind != .apple else {
      throw .unsupported(feature: "Apple's gain map formula in ISO 21496-1 metadata", found: "codes of an Apple map")
    }
    let base: JXLEncoding.Coded
    switch request.base {
    case .jxl(let kept): base = JXLEncoding.Coded(codestream: kept.codestream, level: kept.level)
    case .samples(let image):
      let cicp = request.baseColor.cicp, color = JXLColor(primaries: cicp.primaries, transfer: cicp.transfer)
      guard color != nil || request.baseColor.icc != nil else {
        throw .unsupported(
          feature: "JPEG XL colour", found: "primaries \(cicp.primaries), transfer \(cicp.transfer)")
      }
      let headroom = request.metadata.baseIsHDR ? ExactMath.exp2(request.metadata.baseHeadroom) : 1
      base = try JXLEncoding.code(
        image, hasAlpha: false,
        JXLEncoding.Settings(
          quality: request.quality, effort: request.effort, threads: request.threads, color: color,
          icc: request.baseColor.icc,
          intensity: cicp.isHDR ? JXLEncoding.intensity(ofPeak: headroom * ReferenceWhite.nits) : 255))
    case .jpegStream, .heif: throw .unsupported(feature: "a coded picture in JPEG XL", found: "another format's")
    }
    let map: [UInt8]
    switch request.map {
    case .jxl(let kept): map = kept.codestream
    case .samples(let image):
      map = try JXLEncoding.code(
        image, hasAlpha: false,
        // A map is data; this colour takes no bits.
        JXLEncoding.Settings(
          quality: request.mapQuality, effort: request.effort, threads: request.threads,
          color: JXLColor(
            primaries: CICP.Primaries.bt709, transfer: CICP.Transfer.sRGB, isGrey: image.channels.count == 1))
      ).codestream
    case .jpegStream, .heif: throw .unsupported(feature: "a coded gain map in JPEG XL", found: "another format's")
    }
    let box = try JHGM(
      request.metadata, map: map, base: request.baseColor.cicp.primaries, alternate: request.alternateColor)
    guard let payload = box.serialized else {
      throw .unsupported(feature: "a gain map in JPEG XL", found: "\(box.metadata.count) bytes of metadata")
    }
    var exif = request.exif
    if case .samples(let image) = request.base {
      exif = exif.flatMap {
        exifForOutput($0, width: image.width, height: image.height, cicp: request.baseColor.cicp)
      }
    }
    return EncodedFiles(main: JXLFile(base, exif: exif, xmp: request.xmp, gainMap: payload).bytes)
  }
}

extension JHGM {
  /// Makes the content of a `jhgm` box.
  ///
  /// - Parameters:
  ///   - base: the code point of the base's primaries.
  ///   - alternate: the alternate's colour, which is written if its primaries differ.
  /// - Throws: `.unsupported` if the arithmetic needs primaries without a code point.
  init(
    _ metadata: GainMapMetadata, map: [UInt8], base: Int, alternate: AdaptiveColor?
  ) throws(EncodeError) {
    guard let iso = ISO21496(metadata) else {
      throw .unsupported(feature: "gain map metadata", found: "a number that fits no fraction of 32 bits")
    }
    var color: JXLColor?
    if let cicp = alternate?.cicp, cicp.primaries != base {
      // Readers do not use its curve; an unknown one is replaced.
      color =
        JXLColor(primaries: cicp.primaries, transfer: cicp.transfer)
        ?? JXLColor(primaries: cicp.primaries, transfer: CICP.Transfer.linear)
      guard color != nil || metadata.usesBaseColorSpace else {
        throw .unsupported(
          feature: "colour of the alternate rendition in JPEG XL", found: "primaries \(cicp.primaries)")
      }
    }
    self.init(metadata: iso.serialized(for: .jpeg), colorEncoding: color?.bits ?? [], codestream: map)
  }
}
