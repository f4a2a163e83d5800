import FileParts
import CISAL
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
    // Room for incompressible pixels: unused pages cost nothing, but moving a file that grows does.
    let most = image.deflated?.stream.byteCount ?? line.byteCount * image.height
    var file = PNGFile(reserving: most + (1 << 17))
    file.chunk("IHDR", header(line, height: image.height))
    try colorChunks(request, into: &file)
    metadataChunks(request, into: &file)
    try pixelChunks(request, line, into: &file)
    file.chunk("IEND", [])
    // The fields without a PNG chunk.
    let lost = request.light.fields.filter { ![.clli, .mdcv].contains($0) }.map(\.rawValue)
    let warning = Warning("png.light-dropped", "PNG has no place for \(lost.joined(separator: ", "))")
    return EncodedFiles(main: file.bytes, warnings: lost.isEmpty ? [] : [warning])
  }

  private static func header(_ line: PNGLine, height: Int) -> [UInt8] {
    var data = ByteSink()
    data.u32(line.width)
    data.u32(height)
    data.u8(8 * line.sampleBytes)
    data.u8(line.keepsAlpha ? 6 : 2)
    // Compression deflate, the five filters, not interlaced.
    data.zeros(3)
    return data.bytes
  }

  /// Writes the colour chunks. cICP comes first: it has priority over all others, and mDCV needs it. The profile is for
  /// readers without cICP; docs/formats.md#written.
  private static func colorChunks(_ request: EncodeRequest, into file: inout PNGFile) throws(EncodeError) {
    let cicp = request.cicp
    if let icc = request.icc { return try profileChunk(icc, name: "ICC profile", into: &file) }
    file.chunk("cICP", [UInt8(truncatingIfNeeded: cicp.primaries), UInt8(truncatingIfNeeded: cicp.transfer), 0, 1])
    if cicp.transfer == CICP.Transfer.pq, let mastering = request.mdcv,
      let payload = mastering.payload(order: .redGreenBlue)
    {
      file.chunk("mDCV", payload)
    }
    if let light = request.clli, light.maxCLL > 0 {
      var data = ByteSink()
      // Units of 0.0001 cd/m².
      data.u32(Int(min(light.maxCLL, 400_000) * 10_000 + 0.5))
      data.u32(Int(min(max(light.maxFALL, 0), 400_000) * 10_000 + 0.5))
      file.chunk("cLLI", data.bytes)
    }
    if let profile = ICCProfileWriter.profile(primaries: cicp.primaries, transfer: cicp.transfer) {
      let name = ICCProfileWriter.name(primaries: cicp.primaries, transfer: cicp.transfer)
      try profileChunk(profile, name: name, into: &file)
    }
  }

  private static func profileChunk(
    _ profile: [UInt8], name: String, into file: inout PNGFile
  ) throws(EncodeError) {
    var data = ByteSink()
    data.ascii(name)
    // The end of the name, and compression method 0.
    data.zeros(2)
    let packed = try zlibStream(profile, level: 9)
    data.append(packed.bytes)
    file.chunk("iCCP", data.bytes)
  }

  private static func metadataChunks(_ request: EncodeRequest, into file: inout PNGFile) {
    if let exif = request.outputExif, exif.count < 1 << 31 { file.chunk("eXIf", exif) }
    if let xmp = request.xmp, xmp.count < (1 << 31) - 64 {
      var data = ByteSink()
      data.ascii("XML:com.adobe.xmp")
      // The end of the keyword, not compressed, method 0, empty language tag, empty translated keyword.
      data.zeros(5)
      data.append(xmp)
      file.chunk("iTXt", data.bytes)
    }
  }

  private static func pixelChunks(
    _ request: EncodeRequest, _ line: PNGLine, into file: inout PNGFile
  ) throws(EncodeError) {
    if let deflated = request.image.deflated {
      guard deflated.line == .png(line) else {
        throw .unsupported(feature: "deflated rows for PNG", found: "rows of \(deflated.line.byteCount) bytes")
      }
      return withExtendedLifetime(deflated) {
        file.pixels(UnsafeRawBufferPointer(start: deflated.stream.base, count: deflated.stream.byteCount))
      }
    }
    let rows = try PixelRows(request.image, format: line.sampleBytes == 1 ? .uint8 : .uint16, kind: request.kind)
    let filter = PNGFilter(rows: rows, line: line)
    switch request.coding.deflate {
    case .fast(let level):
      var growing = file
      // An array with two owners would be copied at the first append.
      file = PNGFile()
      let stream = ZlibStream(level: level) { growing.chunk("IDAT", $0) }
      // About 256 KiB of scanlines at a time: they are still in the cache when deflate reads them.
      let step = max(1, (1 << 18) / filter.lineBytes)
      let scratch = PixelBuffer(uninitializedByteCount: step * filter.lineBytes)
      var y = 0
      while y < rows.height {
        let end = min(y + step, rows.height)
        filter.up(y..<end, into: scratch.base)
        let piece = UnsafeRawBufferPointer(start: scratch.base, count: (end - y) * filter.lineBytes)
        try stream.write(piece, isLast: end == rows.height)
        y = end
      }
      file = growing
    case .small(let levels):
      let filtered = filter.adaptive()
      let packed = try zlibStream(
        UnsafeRawBufferPointer(start: filtered.base, count: filtered.byteCount), levels: levels)
      file.pixels(packed.bytes)
    case .chunks:
      let layout = DeflateLayout(line, height: rows.height)
      let stream = chunkedStream(layout, threads: request.threads) { rows.row($1) }
      stream.withUnsafeBytes { file.pixels($0) }
    }
  }
}

/// A writer of a PNG file: the signature, then chunks.
private struct PNGFile {
  private var sink: ByteSink

  var bytes: [UInt8] { sink.bytes }

  init() { sink = ByteSink() }

  init(reserving count: Int) {
    sink = ByteSink(reserving: count)
    sink.append([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
  }

  mutating func chunk(_ type: String, _ data: [UInt8]) {
    data.withUnsafeBytes { chunk(type, $0) }
  }

  /// Writes a stream of pixels as chunks of 1 MiB.
  mutating func pixels(_ stream: UnsafeRawBufferPointer) {
    var start = 0
    while start < stream.count {
      let end = min(start + (1 << 20), stream.count)
      chunk("IDAT", UnsafeRawBufferPointer(rebasing: stream[start..<end]))
      start = end
    }
  }

  /// Writes a chunk: length, type, data, CRC-32 of type and data (PNG clause 5.3).
  mutating func chunk(_ type: String, _ data: UnsafeRawBufferPointer) {
    sink.u32(data.count)
    sink.ascii(type)
    sink.append(data)
    let name = Array(type.utf8)
    var crc = name.withUnsafeBytes { crc32(0, $0) }
    crc = crc32(crc, data)
    sink.u32(Int(crc))
  }

  private func crc32(_ seed: UInt32, _ data: UnsafeRawBufferPointer) -> UInt32 {
    guard let start = data.baseAddress, !data.isEmpty else { return seed }
    return crc32_gzip_refl(seed, start.assumingMemoryBound(to: UInt8.self), UInt64(data.count))
  }
}
