import FileParts
import HDRCore

/// Writes PNG files: 16-bit PQ and HLG, 8-bit SDR. Source: W3C PNG (third edition).
///
/// Chunks are written here and not by libpng: libpng 1.6.39 has none of cICP, mDCV, cLLI, writes eXIf twice, and spends
/// 2.0 s on the IDAT stream of 12 megapixels at level 1.
package enum PNGWriter: ImageWriter {
  package static let format = FileFormat.png

  package static func encode(_ request: EncodeRequest) throws(EncodeError) -> EncodedFiles {
    let sampleBytes = request.kind.bitDepths[0] / 8
    let image = request.image
    guard request.cicp.fullRange else { throw .unsupported(feature: "PNG range", found: "narrow range") }
    let line = PNGLine(width: image.width, sampleBytes: sampleBytes, keepsAlpha: request.hasAlpha)
    guard line.byteCount * image.height < 1 << 36 else {
      throw .unsupported(feature: "PNG picture size", found: "\(image.width)x\(image.height)")
    }
    // Room for incompressible pixels: unused pages cost nothing, but moving a file that grows does. What a device has
    // deflated stays where it is.
    let most = image.deflated == nil ? line.byteCount * image.height : 0
    var file = PNGFile(reserving: most + (1 << 17))
    file.header(
      width: image.width, height: image.height, sampleBytes: sampleBytes, colors: request.hasAlpha ? .rgba : .rgb)
    try colorChunks(request, into: &file)
    file.metadata(exif: request.outputExif, xmp: request.xmp)
    try pixelChunks(request, line, into: &file)
    file.chunk("IEND", [])
    // The fields without a PNG chunk.
    let lost = request.lostLight(keeping: [.clli, .mdcv])
    let warning = Warning("png.light-dropped", "PNG has no place for \(lost.joined(separator: ", "))")
    return EncodedFiles(parts: file.parts, warnings: lost.isEmpty ? [] : [warning])
  }

  /// Writes the colour chunks. cICP comes first: it has priority over all others, and mDCV needs it. The profile is for
  /// readers without cICP; docs/formats.md#written.
  private static func colorChunks(_ request: EncodeRequest, into file: inout PNGFile) throws(EncodeError) {
    let cicp = request.cicp
    if let icc = request.icc { return try file.profile(icc, name: "ICC profile") }
    file.codePoints(cicp)
    if cicp.transfer == CICP.Transfer.pq, let mastering = request.mdcv { file.mastering(mastering) }
    if let level = request.clli { file.level(level) }
    if let profile = request.fileProfile {
      try file.profile(profile, name: ICCProfileWriter.name(primaries: cicp.primaries, transfer: cicp.transfer))
    }
  }

  private static func pixelChunks(
    _ request: EncodeRequest, _ line: PNGLine, into file: inout PNGFile
  ) throws(EncodeError) {
    if let deflated = request.image.deflated {
      guard deflated.line == .png(line) else {
        throw .unsupported(feature: "deflated rows for PNG", found: "rows of \(deflated.line.byteCount) bytes")
      }
      return file.pixels(in: deflated.stream)
    }
    let rows = try PixelRows(request.image, format: line.sampleBytes == 1 ? .uint8 : .uint16, kind: request.kind)
    try file.pixels(rows, line, request.coding.deflate, threads: request.threads)
  }
}
