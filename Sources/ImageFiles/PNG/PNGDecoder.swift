import FileParts
import CPNGShim
import HDRCore
import PlainData

/// Reads PNG: 8 and 16 bits (fewer are expanded), grey, R'G'B', palette, alpha, interlaced; cICP, mDCV, cLLI, iCCP,
/// sRGB, gAMA, cHRM, eXIf, XMP and raw profiles in texts; a gain map in gmAP and gdAT. ISA-L reads pixels of plain
/// pictures, libpng those of others; all else is read here.
///
/// Samples are interleaved, 16-bit ones little-endian, alpha straight. sBIT is not used. Exif orientation is applied as
/// for JPEG. Source: W3C PNG (third edition).
package enum PNGDecoder: ImageDecoder {
  package static let name = "PNG (libpng)"
  package static let formats = ["PNG"]
  package static let extensions = ["png"]
  package static let libraries: RunTimeLibraries = []
  package static let takesCodePoints = true

  package static func recognizes(_ head: ArraySlice<UInt8>) -> Bool { head.starts(with: PNGChunks.signature) }

  package static func decode(
    _ bytes: [UInt8], request: DecodeRequest, limits: DecodeLimits
  ) throws(DecodeError) -> SourceImage {
    try decode(bytes, request: request, limits: limits, allByLibpng: false)
  }

  /// Decodes a file.
  ///
  /// - Parameter allByLibpng: libpng inflates and unfilters plain pictures too, for comparison.
  package static func decode(
    _ bytes: [UInt8], request: DecodeRequest, limits: DecodeLimits, allByLibpng: Bool
  ) throws(DecodeError) -> SourceImage {
    try checkFileSize(bytes, limits)
    let png = try PNGChunks(bytes)
    _ = try checkedPixels(png.width, png.height, limits, place: "PNG IHDR")
    var warnings: [Warning] = [], ignored: [Warning] = []
    let image = try samples(
      png, request: request, limits: limits, allByLibpng: allByLibpng, warnings: &warnings)
    for (name, count) in png.repeated {
      warnings.append(Warning("png.repeated", "\(count) \(name) chunks, one is allowed; the first one counts"))
    }
    let block = exif(png, limits: limits, warnings: &warnings), packet = xmp(png, limits: limits, warnings: &warnings)
    let raw = PNGRawProfiles(png, exif: block, xmp: packet, limits: limits)
    let color = pngColor(png, raw: raw.icc, model: image.model, limits: limits, warnings: &warnings)
    var light = pngLight(png, hasCICP: color.cicp != nil && png.early("cICP") != nil, warnings: &warnings)
    light.fill(from: LightMetadata(profile: color, warnings: &warnings))
    if let conflict = light.conflict { warnings.append(conflict) }
    let exif = block ?? raw.exif
    if png.first("acTL") != nil {
      warnings.append(Warning("png.animation", "an animated PNG: only its still picture is read"))
    }
    let stated = try limits.reading.statedColor(inPlaceOf: color, image.model) ?? color
    let search = PNGGainMapSearch(base: png, color: stated, request: request, limits: limits)
    let credentials = png.first("caBX").flatMap { ContentCredentials($0, place: "caBX", warnings: &warnings) }
    let (xmp, left) = png.texts(but: raw.used, hasExif: exif != nil).moved(into: packet ?? raw.xmp, exif: exif)
    let orientation = exif.flatMap { Exif($0, warnings: &ignored) }?.orientation ?? .up
    var source = SourceImage(
      format: .png, image: image, color: stated,
      geometry: Geometry(width: png.width, height: png.height, orientation: orientation),
      gainMap: search.find(warnings: &warnings), light: light, exif: exif, xmp: xmp, photoshop: raw.photoshop,
      warnings: warnings, decoder: "libpng " + pngLibraryVersion)
    source.extras.credentials = credentials ?? ContentCredentials(address: source.xmp)
    source.extras.trailers = png.unknownChunks(resources: source.photoshop) + left
    return source
  }

  // MARK: Pixels

  static func samples(
    _ png: PNGChunks, request: DecodeRequest, limits: DecodeLimits, allByLibpng: Bool = false,
    warnings: inout [Warning]
  ) throws(DecodeError) -> SampleImage {
    let isGrey = png.colorType == 0 || png.colorType == 4
    // A transparency key is not allowed in pictures with alpha; libpng ignores it.
    let hasAlpha = png.colorType >= 4 || png.first("tRNS") != nil
    let channels = (isGrey ? 1 : 3) + (hasAlpha ? 1 : 0)
    let format: SampleFormat = png.bitDepth == 16 ? .uint16 : .uint8
    let row = png.width * channels * format.bytes

    guard request == .pixels else { return description(png, isGrey: isGrey, format: format, planes: []) }
    let buffer = PixelBuffer(uninitializedByteCount: row * png.height)
    var layout = hdr_png_layout(
      width: UInt32(png.width), height: UInt32(png.height), bit_depth: UInt32(format.bytes * 8),
      channels: UInt32(channels), by_libpng: allByLibpng ? 1 : 0)
    var result = hdr_png_result()
    png.soundBytes.withUnsafeBufferPointer {
      hdr_png_read(
        $0.baseAddress, $0.count, &layout, UInt32(clamping: limits.maxSide),
        buffer.base.assumingMemoryBound(to: UInt8.self), row, &result)
    }
    try check(result, warnings: &warnings)
    let planes = (0..<channels).map {
      SamplePlane(
        buffer: buffer, offset: $0 * format.bytes, rowBytes: row, stepBytes: channels * format.bytes,
        width: png.width, height: png.height)
    }
    return description(png, isGrey: isGrey, format: format, planes: planes)
  }

  private static func description(
    _ png: PNGChunks, isGrey: Bool, format: SampleFormat, planes: [SamplePlane]
  ) -> SampleImage {
    let colors = isGrey ? 1 : 3
    return SampleImage(
      width: png.width, height: png.height, model: isGrey ? .grey : .rgb, format: format,
      bitDepth: format.bytes * 8, chroma: isGrey ? .none : .s444, channels: Array(planes.prefix(colors)),
      alpha: planes.count > colors ? planes[colors] : nil)
  }

  private static func check(_ result: hdr_png_result, warnings: inout [Warning]) throws(DecodeError) {
    func text<T>(_ field: T) -> String {
      withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    switch Int(result.status) {
    case HDR_PNG_OK: break
    case HDR_PNG_TRUNCATED: throw .truncated(where: "PNG pixels")
    case HDR_PNG_NO_MEMORY: throw .library(name: "libpng", code: HDR_PNG_NO_MEMORY, message: "out of memory")
    default: throw .malformed(where: "PNG", what: text(result.message))
    }
    let warning = text(result.warning)
    if warning.isEmpty { return }
    // Data after the last row is ignored; every other error in the pixel stream means wrong pixels.
    let isWaste = ["xtra compressed data", "oo much image data"].contains(where: warning.contains)
    if warning.hasPrefix("IDAT"), !isWaste { throw .malformed(where: "PNG IDAT", what: warning) }
    warnings.append(Warning("png.libpng", "\(warning)"))
  }

  // MARK: Metadata

  /// Reads `eXIf`.
  private static func exif(_ png: PNGChunks, limits: DecodeLimits, warnings: inout [Warning]) -> [UInt8]? {
    guard let payload = png.first("eXIf") else { return nil }
    guard payload.count <= min(limits.maxMetadataBytes, 16 << 20) else {
      warnings.append(Warning("exif.limit", "Exif of \(payload.count) bytes is ignored"))
      return nil
    }
    return Exif(Array(payload), warnings: &warnings) == nil ? nil : Array(payload)
  }

  /// Reads the `iTXt` chunk of XMP.
  private static func xmp(_ png: PNGChunks, limits: DecodeLimits, warnings: inout [Warning]) -> [UInt8]? {
    guard let place = png.packet else { return nil }
    let chunk = png.bytes[png.chunks[place].payload]
    guard let stored = PNGText(chunk, isInternational: true, isPacked: false) else {
      warnings.append(Warning("xmp.malformed", "XMP is not read: the iTXt chunk is out of shape"))
      return nil
    }
    guard let text = stored.bytes(limit: XMLScanner.maxBytes) else {
      warnings.append(Warning("xmp.limit", "XMP is not read: its zlib stream is damaged or too long"))
      return nil
    }
    // A packet that our scanner refuses is not written to outputs either.
    return XMPPacket(text, warnings: &warnings) == nil ? nil : text
  }
}

/// The version of the loaded libpng.
private var pngLibraryVersion: String {
  let number = Int(hdr_png_version())
  return "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
}

extension LibraryRow {
  static let png = LibraryRow("libpng") { (pngLibraryVersion, "reading PNG") }
}
