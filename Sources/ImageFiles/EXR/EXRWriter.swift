import FileParts
import COpenEXR
import HDRCore

/// Writes OpenEXR: one part of scan lines, half channels R, G, B and A, linear light with 1.0 = reference white; ZIP,
/// or the compression of the request. Chunks are compressed on `threads` threads; bytes do not depend on their number.
///
/// Colour is premultiplied by alpha already (`OutputKind.takesPremultiplied`).
package enum EXRWriter: ImageWriter {
  package static let format = FileFormat.exr

  package static func encode(_ request: EncodeRequest) throws(EncodeError) -> EncodedFiles {
    let image = request.image, warnings = lost(request)
    if let fault = request.carried?.fault(width: image.width, height: image.height) {
      throw .unsupported(feature: "OpenEXR", found: fault)
    }
    if let merge = try EXRMerge(request) {
      let rows = try PixelRows(image, format: .float16, kind: request.kind)
      return EncodedFiles(main: try merge.file(rows), warnings: warnings + merge.warnings)
    }
    let header = EXRHeaderWriter.picture(request).file()
    return EncodedFiles(main: try EXRChunkWriter(request).file(header, threads: request.threads), warnings: warnings)
  }

  /// Returns warnings of metadata that the format has no place for.
  private static func lost(_ request: EncodeRequest) -> [Warning] {
    var warnings: [Warning] = []
    if request.exif != nil {
      warnings.append(Warning("exr.exif-dropped", "OpenEXR has no place for Exif, which was left out"))
    }
    let lost = request.light.fields.map(\.rawValue)
    if !lost.isEmpty {
      warnings.append(Warning("exr.light-dropped", "OpenEXR has no place for \(lost.joined(separator: ", "))"))
    }
    return warnings
  }

  package static func verify(_ files: EncodedFiles, _ request: EncodeRequest) throws(EncodeError) {
    func expect<Value: Equatable>(_ what: String, _ found: Value, _ asked: Value) throws(EncodeError) {
      guard found == asked else { throw .verification("\(what) is \(found), asked for \(asked)") }
    }
    let found: SourceImage, merge = try EXRMerge(request)
    do throws(DecodeError) {
      var limits = DecodeLimits.readingBack
      limits.reading.exr.window = .data
      let file = try EXRFile(files.main)
      if let merge { limits.reading.number = try merge.number(in: file) }
      found = try EXRDecoder.decode(files.main, request: .metadata, limits: limits)
      // Checks that every chunk is at the place that the table names.
      for (index, part) in file.parts.enumerated() {
        if part.kind.isDeep {
          _ = try file.wholeChunks(of: index)
        } else {
          _ = try file.chunks(of: index, in: part.dataWindow)
        }
      }
    } catch {
      throw .verification("\(error)")
    }
    if let merge { try expect("parts and channels", merge.outline(of: found), merge.outline) }
    try expect("width", found.image.width, request.image.width)
    try expect("height", found.image.height, request.image.height)
    try expect("sample format", found.image.format, .float16)
    if let space = request.space {
      try expect("space", found.exr?.space, space.name)
    } else {
      try expect("primaries", found.color.cicp?.primaries, request.cicp.primaries)
      try expect("transfer", found.color.cicp?.transfer, request.cicp.transfer)
    }
    let carried = request.carried ?? EXRCarried(width: request.image.width, height: request.image.height)
    let data = found.exr?.outline.dataWindow
    try expect("data window", [data?.left, data?.top], [carried.left, carried.top])
    try expect("display window", found.exr?.outline.displayWindow, carried.displayWindow)
    try expect("pixel aspect ratio", found.exr?.pixelAspectRatio, Double(Float(carried.pixelAspectRatio)))
    let names = carried.attributes.map(\.name)
    try expect("attributes", found.exr?.attributes.filter { names.contains($0.name) }.count, names.count)
    let dropped = Set(files.warnings.map(\.code))
    try expect("dropped Exif", dropped.contains("exr.exif-dropped"), request.exif != nil)
    try expect("dropped light", dropped.contains("exr.light-dropped"), !request.light.fields.isEmpty)
    if request.xmp != nil, found.xmp == nil { throw .verification("XMP is missing") }
  }
}

/// A writer of a file's chunks, which follow header and table.
private struct EXRChunkWriter {
  private enum Source {
    case samples(PixelRows)
    /// The streams that a device has made.
    case deflated(DeflatedRows)
  }

  private let method: EXRPacker.Method
  private let line: EXRLine
  private let height: Int
  /// The first row's number.
  private let top: Int
  private let source: Source

  init(_ request: EncodeRequest) throws(EncodeError) {
    let image = request.image, line = EXRLine(width: image.width, channels: request.hasAlpha ? 4 : 3)
    method = EXRPacker.Method(request.coding.exrCompression)
    (self.line, height, top) = (line, image.height, request.carried?.top ?? 0)
    guard line.byteCount * method.rows < 1 << 31 else {
      throw .unsupported(feature: "OpenEXR picture width", found: "\(line.width)")
    }
    if let deflated = image.deflated {
      guard deflated.line == .exr(line), deflated.counts.count == (height - 1) / method.rows + 1, method.isChunked
      else {
        throw .unsupported(feature: "deflated rows for OpenEXR", found: "rows of \(deflated.line.byteCount) bytes")
      }
      source = .deflated(deflated)
    } else {
      source = .samples(try PixelRows(image, format: .float16, kind: request.kind))
    }
  }

  private var count: Int { (height - 1) / method.rows + 1 }

  /// Returns the file: the header, a table of the chunks' offsets, and the chunks.
  func file(_ header: [UInt8], threads: Int) throws(EncodeError) -> [UInt8] {
    let chunkBytes = method.rows * line.byteCount
    let pieces = PackedPieces(count: count, maxBytes: method.mostBytes(chunkBytes))
    let table = [UInt8](repeating: 0, count: 8 * count)
    let streams: [Range<Int>] = if case .deflated(let rows) = source { rows.places } else { [] }
    var (bytes, places) = pieces.file(header + table, threads: threads) {
      EXRPacker(method, maxBytes: chunkBytes)
    } make: { index, packer, place in
      let first = index * method.rows, lines = first..<min(first + method.rows, height)
      switch source {
      case .samples(let rows): return packer.pack(rows, line, lines, top: top, into: place)
      case .deflated(let rows): return packer.pack(rows.stream, streams[index], line, lines, top: top, into: place)
      }
    }
    guard places.count == count, places.allSatisfy({ !$0.isEmpty }) else {
      throw .library(name: "Deflate", code: 0, message: "a chunk could not be compressed")
    }
    bytes.withUnsafeMutableBytes { bytes in
      for (index, place) in places.enumerated() {
        bytes.storeBytes(
          of: UInt64(place.lowerBound).littleEndian, toByteOffset: header.count + 8 * index, as: UInt64.self)
      }
    }
    return bytes
  }
}
