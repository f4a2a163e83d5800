import FileParts
import CJXL
import Glibc
import HDRCore

/// Reads JPEG XL: integers of up to 16 bits and floats, lossless, lossy or a JPEG; alpha; encoded colour or ICC; Exif
/// and XMP, also compressed; a gain map in `jhgm`. Samples are decoded by libjxl, which is opened at run time; boxes
/// are read here.
///
/// The meaning of intensity_target: for PQ, the peak of the picture if it is below 10 000 cd/m²; for HLG, none; for
/// other curves, the light of a sample of 1 if it is above 255 cd/m², else a sample of 1 is reference white.
package enum JXLDecoder: ImageDecoder {
  package static let name = "JPEG XL (libjxl)"
  package static let formats = ["JPEG XL"]
  package static let extensions = ["jxl"]
  package static let libraries = RunTimeLibraries.jxl
  package static let hasPictures = true

  package static func recognizes(_ head: ArraySlice<UInt8>) -> Bool { JXLContainer.recognizes(head) }

  package static func decode(
    _ bytes: [UInt8], request: DecodeRequest, limits: DecodeLimits
  ) throws(DecodeError) -> SourceImage {
    try checkFileSize(bytes, limits)
    let file = try JXLContainer(bytes)
    var warnings: [Warning] = []
    let base = try JXLCodestream.decode(
      file.codestream, .picture, request: request, limits: limits, warnings: &warnings)
    var light = LightMetadata(profile: base.color, warnings: &warnings)
    if base.color.cicp?.transfer == CICP.Transfer.pq, let peak = base.peak, peak < 10_000 {
      light.mdcv = MasteringDisplay(primaries: nil, maxLuminance: peak, minLuminance: 0)
    }
    let metadata = JXLMetadata(file, limits: limits, warnings: &warnings)
    // The map belongs to the first frame.
    let ownMap = base.frame == 1 ? metadata.gainMap : nil
    if metadata.gainMap != nil, ownMap == nil {
      warnings.append(Warning("gainmap.frame", "the gain map is of the first frame, and is not used for this one"))
    }
    let gainMap = ownMap.flatMap {
      decode($0, of: base.image, request: request, limits: limits, warnings: &warnings)
    }
    var source = SourceImage(
      format: .jxl, image: base.image, color: base.color,
      geometry: Geometry(width: base.image.width, height: base.image.height, orientation: base.orientation),
      gainMap: gainMap, light: light, exif: metadata.exif, xmp: metadata.xmp, warnings: warnings,
      decoder: JXLLibrary.label)
    (source.pictures, source.picture) = (base.frames, base.frame)
    source.statedBitDepth = base.bitDepth
    source.extras.credentials = metadata.credentials ?? ContentCredentials(address: metadata.xmp)
    source.extras.trailers = metadata.unknown.trailers
    return source
  }

  /// Decodes the map of a `jhgm` box. Each fault of it is a warning `gainmap.*`, as the base is still a good picture.
  private static func decode(
    _ box: JHGM, of base: SampleImage, request: DecodeRequest, limits: DecodeLimits, warnings: inout [Warning]
  ) -> GainMap? {
    guard let metadata = parseISO21496(jpegPayload: box.metadata[...], warnings: &warnings) else { return nil }
    do throws(DecodeError) {
      var map = try JXLCodestream.decode(
        box.codestream[...], .gainMap, request: request, limits: limits, warnings: &warnings
      ).image
      map.alpha = nil
      let ratio = Double(map.width) * Double(base.height) / (Double(map.height) * Double(base.width))
      if !(0.98...1.02).contains(ratio) {
        warnings.append(
          Warning(
            "gainmap.aspect",
            "the map is \(map.width)x\(map.height) for a picture of \(base.width)x\(base.height)"))
      }
      return GainMap(
        metadata: metadata, image: map, matrix: CICP.Matrix.identity, fullRange: true,
        alternateColor: alternateColor(box, limits: limits, warnings: &warnings), bindings: ["jhgm"])
    } catch {
      warnings.append(Warning("gainmap.decode", "the gain map is ignored: \(error)"))
      return nil
    }
  }

  private static func alternateColor(
    _ box: JHGM, limits: DecodeLimits, warnings: inout [Warning]
  ) -> SourceColor? {
    if !box.colorEncoding.isEmpty {
      if let named = JXLColor(bits: box.colorEncoding) { return named.color(warnings: &warnings) }
      warnings.append(Warning("gainmap.color", "the colour of the alternate cannot be read; the base's is assumed"))
      return nil
    }
    guard !box.compressedICC.isEmpty else { return nil }
    guard let profile = profile(box.compressedICC, limits: limits) else {
      warnings.append(
        Warning(
          "gainmap.color",
          "the alternate's ICC profile needs the library of scripts/jxl; the base's primaries are assumed"))
      return nil
    }
    return SourceColor(icc: profile, model: .rgb, limits: limits, warnings: &warnings)
  }

  private static func profile(_ compressed: [UInt8], limits: DecodeLimits) -> [UInt8]? {
    guard let decode = JXLLibrary.functions?.decode_icc else { return nil }
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    guard decode(nil, compressed, compressed.count, &bytes, &count) == JXL_TRUE, let bytes else { return nil }
    defer { free(bytes) }
    return count <= limits.maxICCBytes ? Array(UnsafeBufferPointer(start: bytes, count: count)) : nil
  }
}
