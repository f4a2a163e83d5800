import CDeflate
import HDRCore

/// The compressor of a PNG and its levels, from `--png-effort`.
package enum DeflateMethod: Hashable {
  /// ISA-L: one pass, constant memory; levels 1 to 3.
  case fast(level: Int)
  /// libdeflate on the whole picture; the smallest result of these levels is used.
  case small(levels: [Int])
  /// `DeflateChunkCoder`: chunks that devices make, too.
  case chunks

  /// Chooses the method of an effort. Efforts 0 and 1 are the fastest with Huffman tables of the picture's own; from 4
  /// on, filters are chosen row by row and libdeflate makes the stream. On noise, as in the low bytes of 16-bit
  /// pictures, level 1 gives the smallest stream, so it is always among those tried.
  ///
  /// Measured on 12 megapixels of a photograph, CPU seconds and MB (16-bit PQ with noise in the low bits, 71 MB raw;
  /// 8-bit SDR, 36 MB raw):
  ///
  /// | effort | 16 bit | 8 bit |
  /// |---|---|---|
  /// | 1 | 0.26 s, 56.9 | 0.13 s, 14.0 |
  /// | 2 | 0.31 s, 56.8 | 0.12 s, 14.0 |
  /// | 3 | 0.42 s, 56.8 | 0.20 s, 14.0 |
  /// | 4 | 0.97 s, 55.1 | 0.30 s, 12.9 |
  /// | 5 | 1.9 s, 55.1 | 0.83 s, 12.4 |
  /// | 6 | 2.2 s, 55.1 | 1.5 s, 12.2 |
  /// | 7 | 2.3 s, 55.1 | 2.7 s, 12.0 |
  /// | 8 | 2.2 s, 55.1 | 7.4 s, 11.8 |
  /// | 9 | 4.7 s, 55.1 | 11 s, 10.9 |
  package init(effort: Int) {
    switch effort {
    case ...1: self = .fast(level: 1)
    case 2: self = .fast(level: 2)
    case 3: self = .fast(level: 3)
    case 4: self = .small(levels: [1])
    case 5: self = .small(levels: [1, 4])
    case 6: self = .small(levels: [1, 6])
    case 7: self = .small(levels: [1, 7])
    case 8: self = .small(levels: [1, 8])
    default: self = .small(levels: [1, 12])
    }
  }
}

/// A zlib stream that is made piece by piece. Memory does not depend on the length of the stream.
package final class ZlibStream {
  private let stream = ISALStream()
  private let output: PixelBuffer
  private let emit: (UnsafeRawBufferPointer) -> Void

  /// Begins a stream; `emit` receives it in pieces of `pieceBytes` (the last one shorter).
  package init(level: Int, pieceBytes: Int = 1 << 20, emit: @escaping (UnsafeRawBufferPointer) -> Void) {
    output = PixelBuffer(uninitializedByteCount: pieceBytes)
    self.emit = emit
    stream.start(level: level)
    stream.output(to: output.base, capacity: output.byteCount)
  }

  private func flush() {
    let filled = output.byteCount - stream.room
    if filled > 0 { emit(UnsafeRawBufferPointer(start: output.base, count: filled)) }
    stream.output(to: output.base, capacity: output.byteCount)
  }

  /// Compresses one piece, as ``ISALStream/write(_:isLast:full:)`` does; `isLast` ends the stream.
  package func write(_ bytes: UnsafeRawBufferPointer, isLast: Bool) throws(EncodeError) {
    guard stream.write(bytes, isLast: isLast, full: flush) else {
      throw .library(name: "ISA-L", code: 0, message: "the deflate stream could not be made")
    }
    if isLast { flush() }
  }
}

/// Makes a whole zlib stream at once, for ICC profiles, and for pictures at the higher efforts.
package func zlibStream(_ bytes: UnsafeRawBufferPointer, level: Int) throws(EncodeError) -> PixelBufferSlice {
  guard let compressor = libdeflate_alloc_compressor(Int32(level)) else {
    throw .library(name: "libdeflate", code: level, message: "no memory for the compressor")
  }
  defer { libdeflate_free_compressor(compressor) }
  let room = PixelBuffer(uninitializedByteCount: libdeflate_zlib_compress_bound(compressor, bytes.count))
  let count = libdeflate_zlib_compress(compressor, bytes.baseAddress, bytes.count, room.base, room.byteCount)
  guard count > 0 else {
    throw .library(name: "libdeflate", code: 0, message: "the stream does not fit its own bound")
  }
  return PixelBufferSlice(buffer: room, count: count)
}

/// Returns the smallest stream of several levels; `levels` is not empty.
package func zlibStream(_ bytes: UnsafeRawBufferPointer, levels: [Int]) throws(EncodeError) -> PixelBufferSlice {
  var best = try zlibStream(bytes, level: levels[0])
  for level in levels.dropFirst() {
    let other = try zlibStream(bytes, level: level)
    if other.count < best.count { best = other }
  }
  return best
}

/// Makes a whole zlib stream of an array.
package func zlibStream(_ bytes: [UInt8], level: Int) throws(EncodeError) -> PixelBufferSlice {
  let result = bytes.withUnsafeBytes { bytes in
    Result { () throws(EncodeError) in try zlibStream(bytes, level: level) }
  }
  return try result.get()
}

/// The first `count` bytes of a block of memory.
package struct PixelBufferSlice {
  package let buffer: PixelBuffer
  package let count: Int
  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: buffer.base, count: count) }

  package init(buffer: PixelBuffer, count: Int) { (self.buffer, self.count) = (buffer, count) }
}

extension LibraryRow {
  package static let deflate = LibraryRow("libdeflate") {
    (LIBDEFLATE_VERSION_STRING, "writing PNG, small levels; reading compressed HEIF")
  }
}
