import CTurboJPEG
import HDRCore

/// Writes 8-bit SDR JPEG: turbojpeg makes the scan, the application segments are ours.
///
/// 4:4:4 from quality 95 on, 4:2:0 below: at 95 quantisation no longer hides halved chroma. Baseline, accurate DCT.
/// Source of segment layouts: specs/hdr-metadata.md §4.
enum JPEGWriter {
  static func encode(_ request: EncodeRequest) throws(EncodeError) -> EncodedFiles {
    let rows = try PixelRows(request.image, format: .uint8, kind: request.kind)
    guard rows.width <= 65_535, rows.height <= 65_535 else {
      throw .unsupported(feature: "JPEG picture size", found: "\(rows.width)x\(rows.height)")
    }
    let cicp = request.cicp
    guard !cicp.isHDR,
      let profile = ICCProfileWriter.profile(primaries: cicp.primaries, transfer: cicp.transfer)
    else {
      throw .unsupported(feature: "JPEG colour", found: "primaries \(cicp.primaries), transfer \(cicp.transfer)")
    }
    let coded = try compress(rows, quality: min(max(request.quality, 1), 100))
    return try splice(coded.bytes, profile: profile, request: request)
  }

  private static func compress(_ rows: PixelRows, quality: Int) throws(EncodeError) -> PixelBufferSlice {
    guard let codec = tjInitCompress() else { throw failure(nil) }
    defer { tjDestroy(codec) }
    var memory: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    let code = tjCompress2(
      codec, rows.row(0).assumingMemoryBound(to: UInt8.self), Int32(rows.width), Int32(rows.rowBytes),
      Int32(rows.height), Int32(TJPF_RGBX.rawValue), &memory, &count,
      Int32((quality >= 95 ? TJSAMP_444 : TJSAMP_420).rawValue), Int32(quality), TJFLAG_ACCURATEDCT)
    // turbojpeg may have allocated before it failed.
    guard code == 0, let memory, count > 0 else {
      let error = failure(codec)
      tjFree(memory)
      throw error
    }
    let buffer = PixelBuffer(adopting: memory, byteCount: Int(count)) {
      tjFree($0.assumingMemoryBound(to: UInt8.self))
    }
    return PixelBufferSlice(buffer: buffer, count: Int(count))
  }

  private static func failure(_ codec: tjhandle?) -> EncodeError {
    let code = tjGetErrorCode(codec)
    return .library(name: "turbojpeg", code: Int(code), message: String(cString: tjGetErrorStr2(codec)))
  }

  /// SOI and JFIF segment as coded, then Exif, XMP and ICC, then the rest of the stream.
  private static func splice(
    _ coded: UnsafeRawBufferPointer, profile: [UInt8], request: EncodeRequest
  ) throws(EncodeError) -> EncodedFiles {
    guard coded.count > 20, coded[0] == 0xFF, coded[1] == 0xD8, coded[2] == 0xFF, coded[3] == 0xE0 else {
      throw .library(name: "turbojpeg", code: 0, message: "the stream does not start with a JFIF segment")
    }
    let headEnd = 4 + Int(coded[4]) << 8 + Int(coded[5])
    guard headEnd < coded.count else {
      throw .library(name: "turbojpeg", code: 0, message: "the JFIF segment is longer than the stream")
    }
    var file = ByteSink(reserving: coded.count + profile.count + (1 << 17))
    file.append(UnsafeRawBufferPointer(rebasing: coded[..<headEnd]))
    var warnings: [Warning] = []
    if let exif = request.outputExif {
      if !segment(0xE1, "Exif\0\0", exif, into: &file) {
        warnings.append(Warning("jpeg.exif-dropped", "Exif of \(exif.count) bytes does not fit a JPEG segment"))
      }
    }
    if let xmp = request.xmp {
      if !segment(0xE1, "http://ns.adobe.com/xap/1.0/\0", xmp, into: &file) {
        warnings.append(Warning("jpeg.xmp-dropped", "XMP of \(xmp.count) bytes does not fit a JPEG segment"))
      }
    }
    // Sequence number, count, then up to 65519 bytes of profile a segment.
    let pieces = (profile.count + 65_518) / 65_519
    for piece in 0..<pieces {
      let part = profile[piece * 65_519..<min((piece + 1) * 65_519, profile.count)]
      _ = segment(0xE2, "ICC_PROFILE\0", [UInt8(piece + 1), UInt8(pieces)] + part, into: &file)
    }
    file.append(UnsafeRawBufferPointer(rebasing: coded[headEnd...]))
    return EncodedFiles(main: file.bytes, warnings: warnings)
  }

  /// Appends one application segment; `false` when the payload is longer than 16 bits can say.
  private static func segment(_ marker: Int, _ name: String, _ payload: [UInt8], into file: inout ByteSink) -> Bool {
    let length = 2 + name.utf8.count + payload.count
    guard length <= 65_535 else { return false }
    file.u8(0xFF)
    file.u8(marker)
    file.u16(length)
    file.ascii(name)
    file.append(payload)
    return true
  }
}
