import FileParts
import HDRCore
import PlainData

/// Reads WebP: lossy and lossless pictures of 8 bits, straight alpha, ICC, Exif, XMP; of an animation the first frame on
/// its transparent canvas, with a warning. The container is read and checked here, bit streams are decoded by libwebp,
/// which also makes R'G'B' of Y'CbCr.
///
/// Colour: the profile, else sRGB; there is no HDR in WebP. Exif orientation is applied as for JPEG.
package enum WebPDecoder: ImageDecoder {
  package static let name = "WebP (libwebp)"
  package static let formats = ["WebP"]
  package static let extensions = ["webp"]
  package static let libraries = RunTimeLibraries.webP
  package static let takesCodePoints = true

  package static func recognizes(_ head: ArraySlice<UInt8>) -> Bool {
    head.starts(with: "RIFF".utf8) && head.dropFirst(8).starts(with: "WEBP".utf8)
  }

  package static func decode(
    _ bytes: [UInt8], request: DecodeRequest, limits: DecodeLimits
  ) throws(DecodeError) -> SourceImage {
    try checkFileSize(bytes, limits)
    var warnings: [Warning] = []
    let file = try WebPContainer(bytes, limits: limits, warnings: &warnings)
    let image = try samples(file, request)
    let icc = block(file.icc, "icc", "the ICC profile", limits.maxICCBytes, limits, &warnings)
    let found =
      icc.flatMap { SourceColor(icc: $0, model: .rgb, limits: limits, warnings: &warnings) } ?? SourceColor.sRGB()
    let exif = exif(file, limits, &warnings)
    if file.frames > 0 {
      warnings.append(
        Warning("animation.first-frame", "an animation of \(file.frames) frames: only the first is read"))
    }
    var source = SourceImage(
      format: .webp, image: image, color: try limits.reading.statedColor(inPlaceOf: found, .rgb) ?? found,
      geometry: Geometry(width: file.width, height: file.height, orientation: exif?.orientation ?? .up),
      light: LightMetadata(profile: found, warnings: &warnings), exif: exif?.bytes,
      xmp: xmp(file, limits, &warnings), warnings: warnings,
      decoder: "libwebp" + (WebPLibrary.version.map { " " + $0 } ?? ""))
    source.extras.credentials = file.credentials ?? ContentCredentials(address: source.xmp)
    source.extras.trailers = file.unknown.trailers
    return source
  }

  // MARK: Pixels

  private static func samples(_ file: WebPContainer, _ request: DecodeRequest) throws(DecodeError) -> SampleImage {
    let stream = file.frame.stream
    let isWhole = (stream.width, stream.height) == (file.width, file.height)
    let hasAlpha = file.frame.hasAlpha || !isWhole, channels = hasAlpha ? 4 : 3, rowBytes = file.width * channels
    var image = SampleImage(
      width: file.width, height: file.height, model: .rgb, format: .uint8, bitDepth: 8, channels: [])
    guard request == .pixels else { return image }
    let byteCount = rowBytes * file.height
    // Of a canvas, what no frame covers is transparent.
    let buffer = isWhole ? PixelBuffer(uninitializedByteCount: byteCount) : PixelBuffer(byteCount: byteCount)
    let first = file.frame.y * rowBytes + file.frame.x * channels
    try WebPLibrary.decode(
      file, hasAlpha: hasAlpha, into: buffer.base + first, rowBytes: rowBytes, room: byteCount - first)
    let planes = (0..<channels).map {
      SamplePlane(
        buffer: buffer, offset: $0, rowBytes: rowBytes, stepBytes: channels, width: file.width, height: file.height)
    }
    image.channels = Array(planes[..<3])
    image.alpha = hasAlpha ? planes[3] : nil
    return image
  }

  // MARK: Metadata

  /// Returns the bytes of a chunk; `nil` without it, and with a warning if it is too long.
  private static func block(
    _ chunk: ArraySlice<UInt8>?, _ code: String, _ name: String, _ most: Int, _ limits: DecodeLimits,
    _ warnings: inout [Warning]
  ) -> [UInt8]? {
    guard let chunk else { return nil }
    guard chunk.count <= min(most, limits.maxMetadataBytes) else {
      warnings.append(Warning("\(code).limit", "\(name) of \(chunk.count) bytes is ignored"))
      return nil
    }
    return Array(chunk)
  }

  private static func exif(
    _ file: WebPContainer, _ limits: DecodeLimits, _ warnings: inout [Warning]
  ) -> (bytes: [UInt8], orientation: Orientation)? {
    guard var bytes = block(file.exif, "exif", "Exif", 16 << 20, limits, &warnings) else { return nil }
    // Some writers keep the identifier of JPEG's segment.
    if bytes.starts(with: Array("Exif\0\0".utf8)) { bytes.removeFirst(6) }
    return Exif(bytes, warnings: &warnings).map { (bytes, $0.orientation) }
  }

  private static func xmp(
    _ file: WebPContainer, _ limits: DecodeLimits, _ warnings: inout [Warning]
  ) -> [UInt8]? {
    guard let bytes = block(file.xmp, "xmp", "XMP", XMLScanner.maxBytes, limits, &warnings) else { return nil }
    // A packet that our scanner refuses is not written to outputs either.
    return XMPPacket(bytes, warnings: &warnings) == nil ? nil : bytes
  }
}
