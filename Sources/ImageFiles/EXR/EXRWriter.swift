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
    let coding = EXRCoding(request.coding.exrCompression)
    let header = EXRHeaderWriter.file(
      width: rows.width, height: rows.height, hasAlpha: request.hasAlpha, coding: coding,
      primaries: request.cicp.primaries, space: request.space, contentHeadroom: request.contentHeadroom,
      white: request.white, xmp: request.xmp)
    let file = try EXRChunkWriter(rows, coding, hasAlpha: request.hasAlpha).file(header, threads: request.threads)
    var warnings: [Warning] = []
    if request.exif != nil {
      warnings.append(Warning("exr.exif-dropped", "OpenEXR has no place for Exif, which was left out"))
    }
    let lost = request.light.fields.map(\.rawValue)
    if !lost.isEmpty {
      warnings.append(Warning("exr.light-dropped", "OpenEXR has no place for \(lost.joined(separator: ", "))"))
    }
    return EncodedFiles(main: file, warnings: warnings)
  }

  package static func verify(_ files: EncodedFiles, _ request: EncodeRequest) throws(EncodeError) {
    func expect<Value: Equatable>(_ what: String, _ found: Value, _ asked: Value) throws(EncodeError) {
      guard found == asked else { throw .verification("\(what) is \(found), asked for \(asked)") }
    }
    let found: SourceImage
    do throws(DecodeError) {
      found = try EXRDecoder.decode(files.main, request: .metadata, limits: .readingBack)
      // Checks that every chunk is at the place that the table names.
      let file = try EXRFile(files.main)
      _ = try file.chunks(of: 0, in: file.parts[0].dataWindow)
    } catch {
      throw .verification("\(error)")
    }
    try expect("width", found.image.width, request.image.width)
    try expect("height", found.image.height, request.image.height)
    try expect("sample format", found.image.format, .float16)
    if let space = request.space {
      try expect("space", found.exr?.space, space.name)
    } else {
      try expect("primaries", found.color.cicp?.primaries, request.cicp.primaries)
      try expect("transfer", found.color.cicp?.transfer, request.cicp.transfer)
    }
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
  private let rowBytes: Int

  init(_ rows: PixelRows, _ coding: EXRCoding, hasAlpha: Bool) throws(EncodeError) {
    (self.rows, self.coding, self.hasAlpha) = (rows, coding, hasAlpha)
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
      return packer.pack(rows, lines, hasAlpha: hasAlpha, into: place)
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

/// A compressor of chunks, one after another. For one thread.
private final class EXRPacker {
  private let coding: EXRCoding
  private let split: PixelBuffer
  private let differences: PixelBuffer
  private let stream = ISALStream()

  init(_ coding: EXRCoding, maxBytes: Int) {
    self.coding = coding
    split = PixelBuffer(uninitializedByteCount: maxBytes)
    differences = PixelBuffer(uninitializedByteCount: maxBytes)
  }

  /// Writes row, size and data of a chunk of `lines`.
  ///
  /// - Returns: the number of bytes written.
  func pack(_ rows: PixelRows, _ lines: Range<Int>, hasAlpha: Bool, into out: UnsafeMutableRawPointer) -> Int {
    let words = rows.width * (hasAlpha ? 4 : 3), half = words * lines.count, size = 2 * half
    let bytes = split.base.assumingMemoryBound(to: UInt8.self)
    for (index, y) in lines.enumerated() {
      let pixels = rows.row(y).assumingMemoryBound(to: UInt16.self), low = bytes + index * words
      hdr_exr_take_rgba(pixels, rows.width, hasAlpha ? 1 : 0, low, low + half)
    }
    let data = (out + 8).assumingMemoryBound(to: UInt8.self)
    // Data that do not become smaller are stored uncompressed; readers know them by their size.
    var count = 0
    if coding != .none {
      let changes = differences.base.assumingMemoryBound(to: UInt8.self)
      hdr_exr_differences(bytes, size, changes)
      count = coding == .rle ? hdr_exr_runs(changes, size, data, size - 1) : deflate(changes, size, data)
    }
    if count == 0 {
      hdr_exr_join(bytes, size, data)
      count = size
    }
    out.storeBytes(of: Int32(lines.lowerBound).littleEndian, as: Int32.self)
    (out + 4).storeBytes(of: Int32(count).littleEndian, as: Int32.self)
    return 8 + count
  }

  /// Compresses `size` bytes and returns the size of the zlib stream; 0: the stream is not smaller.
  ///
  /// Level 2 of ISA-L: 12 megapixels of two photographs take 0.17 s instead of 0.75 to 0.87 s of libdeflate's level 4,
  /// and 5 to 11 % more bytes.
  private func deflate(_ bytes: UnsafeMutablePointer<UInt8>, _ size: Int, _ out: UnsafeMutablePointer<UInt8>) -> Int {
    stream.start(level: 2)
    stream.output(to: out, capacity: size - 1)
    // A stream that does not fit is not smaller.
    return stream.write(UnsafeRawBufferPointer(start: bytes, count: size), isLast: true) ? size - 1 - stream.room : 0
  }
}
