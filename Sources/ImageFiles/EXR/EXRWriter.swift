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
    let rows = try PixelRows(request.image, format: .float16, kind: request.kind)
    let warnings = lost(request)
    let coding = EXRCoding(request.coding.exrCompression)
    if let fault = request.carried?.fault(width: rows.width, height: rows.height) {
      throw .unsupported(feature: "OpenEXR", found: fault)
    }
    if let merge = try EXRMerge(request) {
      return EncodedFiles(main: try merge.file(rows), warnings: warnings + merge.warnings)
    }
    let header = EXRHeaderWriter.picture(request).file()
    let writer = try EXRChunkWriter(rows, coding, hasAlpha: request.hasAlpha, top: request.carried?.top ?? 0)
    return EncodedFiles(main: writer.file(header, threads: request.threads), warnings: warnings)
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
  private let rows: PixelRows
  private let coding: EXRCoding
  private let hasAlpha: Bool
  /// The first row's number.
  private let top: Int
  private let rowBytes: Int

  init(_ rows: PixelRows, _ coding: EXRCoding, hasAlpha: Bool, top: Int) throws(EncodeError) {
    (self.rows, self.coding, self.hasAlpha, self.top) = (rows, coding, hasAlpha, top)
    rowBytes = rows.width * (hasAlpha ? 8 : 6)
    guard rowBytes * coding.rows < 1 << 31 else {
      throw .unsupported(feature: "OpenEXR picture width", found: "\(rows.width)")
    }
  }

  private var count: Int { (rows.height - 1) / coding.rows + 1 }

  /// Returns the file: the header, a table of the chunks' offsets, and the chunks.
  func file(_ header: [UInt8], threads: Int) -> [UInt8] {
    let pieces = PackedPieces(count: count, maxBytes: 8 + coding.rows * rowBytes)
    let table = [UInt8](repeating: 0, count: 8 * count)
    var (bytes, places) = pieces.file(header + table, threads: threads) {
      EXRPacker(coding, maxBytes: coding.rows * rowBytes)
    } make: { index, packer, place in
      let first = index * coding.rows, lines = first..<min(first + coding.rows, rows.height)
      return packer.pack(rows, lines, hasAlpha: hasAlpha, top: top, into: place)
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
