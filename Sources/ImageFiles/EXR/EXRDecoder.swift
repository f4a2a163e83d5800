import FileParts
import CDeflate
import COpenEXR
import HDRCore
import PlainData

/// Reads OpenEXR: scan lines and tiles, one part or several, channels of halves, floats and integers. None, RLE, ZIP,
/// ZIPS, DWAA and DWAB are decoded here, PIZ, PXR24, B44 and B44A by OpenEXR's library, which only sees chunks of
/// pictures that have passed `EXRHeader`, ZSTD by libzstd, and HTJ2K and LJ2K of halves by OpenJPEG.
///
/// Samples are linear light, 1.0 = reference white: interleaved halves where all channels are halves, else planes of
/// binary32; colour premultiplied by alpha. Deep pictures are flattened. Smaller levels are not read.
package enum EXRDecoder: ImageDecoder {
  package static let name = "OpenEXR"
  package static let formats = ["OpenEXR"]
  package static let extensions = ["exr"]
  package static let libraries: RunTimeLibraries = [.openEXR, .openJPEG]
  package static let hasPictures = true
  package static let takesCodePoints = true

  package static func recognizes(_ head: ArraySlice<UInt8>) -> Bool { head.starts(with: EXRFile.magic) }

  package static func decode(
    _ bytes: [UInt8], request: DecodeRequest, limits: DecodeLimits
  ) throws(DecodeError) -> SourceImage {
    try checkFileSize(bytes, limits)
    let file = try EXRFile(bytes), pictures = EXRPictures(file)
    let number = try pictures.index(limits.reading, file), picture = pictures.all[number]
    let header = file.parts[picture.part], options = limits.reading.exr
    for window in [header.displayWindow, header.dataWindow] {
      _ = try checkedPixels(window.width, window.height, limits, place: EXRHeader.place)
    }
    var warnings = pictures.warnings(of: number, limits.reading, file)
    let samples = EXRSamples(
      file: file, picture: picture, window: options.window == .data ? header.dataWindow : header.displayWindow,
      emission: options.emission)
    if request == .pixels, header.coding.needsLibrary, !limits.unsafeCodecs {
      throw .unsupported(
        feature: "OpenEXR \(header.coding.name) outside a sandbox",
        found: "OpenEXR's library has known holes; the setting unsafe-codecs uses it all the same")
    }
    let image = request == .pixels ? try samples.read(threads: limits.threads, &warnings) : samples.description
    let scale = scale(header, options, &warnings)
    var light = LightMetadata()
    if let headroom = header.contentHeadroom, headroom.isFinite, headroom >= 1, headroom <= 65_536 {
      light.clli = ContentLightLevel(maxCLL: headroom * scale * ReferenceWhite.nits, maxFALL: 0)
      light.places[.clli] = .box
    }
    check(header, samples.window, &warnings)
    let color = try limits.reading.statedLinearPrimaries.map { EXRColor($0) } ?? EXRColor(header, warnings: &warnings)
    if color.isGuessed, image.model != .grey { warnings.append(EXRColor.guess) }
    var source = SourceImage(
      format: .exr, image: image, color: color.source(scale: scale),
      geometry: Geometry(width: image.width, height: image.height), light: light,
      xmp: xmp(header, limits, &warnings), warnings: warnings, decoder: decoder(header.coding))
    source.exr = EXRPart(file, picture, color, limits, &warnings)
    source.warnings = warnings
    if pictures.all.count > 1 { (source.pictures, source.picture) = (pictures.list(file), number + 1) }
    return source
  }

  /// Returns the light of 1.0, as a factor of reference white.
  private static func scale(_ header: EXRHeader, _ options: EXRReading, _ warnings: inout [Warning]) -> Double {
    guard options.luminance == .absolute else { return 1 }
    guard let white = header.whiteLuminance, white.isFinite, white > 0, white <= 1e6 else {
      warnings.append(Warning("exr.luminance", "no usable whiteLuminance; 1.0 is taken as reference white"))
      return 1
    }
    return white / ReferenceWhite.nits
  }

  private static func check(_ header: EXRHeader, _ window: EXRHeader.Window, _ warnings: inout [Warning]) {
    if header.pixelAspectRatio != 1 {
      warnings.append(
        Warning("exr.aspect", "pixels are \(short(header.pixelAspectRatio)) times as wide as high; shown square"))
    }
    if window.intersection(header.dataWindow) == nil {
      warnings.append(
        Warning("exr.window", "no pixel of the data window lies in the display window: the picture is empty"))
    }
  }

  private static func xmp(
    _ header: EXRHeader, _ limits: DecodeLimits, _ warnings: inout [Warning]
  ) -> [UInt8]? {
    guard let xmp = header.xmp else { return nil }
    guard xmp.count <= min(XMLScanner.maxBytes, limits.maxMetadataBytes) else {
      warnings.append(Warning("xmp.limit", "XMP of \(xmp.count) bytes is not read"))
      return nil
    }
    return XMPPacket(xmp, warnings: &warnings) == nil ? nil : xmp
  }

  private static func decoder(_ coding: EXRCoding) -> String? {
    if coding.needsLibrary { return "OpenEXR " + EXRLibrary.version }
    if coding.isJPEG2000 { return "OpenJPEG" + (J2KLibrary.version.map { " " + $0 } ?? "") }
    if coding == .zstd { return "libzstd " + String(cString: hdr_exr_zstd_version()) }
    return [.zip, .zips].contains(coding) ? "libdeflate " + LIBDEFLATE_VERSION_STRING : nil
  }
}
