import CDeflate
import CISAL
import HDRCore

/// How hard the deflate stage of a PNG works, from `--png-effort`.
enum DeflateMethod: Hashable {
  /// ISA-L: one pass, constant memory; levels 1 to 3.
  case fast(level: Int)
  /// libdeflate on the whole picture; levels 1 to 12.
  case small(level: Int)

  /// 0 and 1 are the fastest that still has Huffman tables of its own; from 4 on, filters are chosen row by row and the
  /// stream is made by libdeflate. Figures for 12 megapixels stand in docs/formats.md.
  init(effort: Int) {
    switch effort {
    case ...1: self = .fast(level: 1)
    case 2: self = .fast(level: 2)
    case 3: self = .fast(level: 3)
    case 4: self = .small(level: 3)
    case 5: self = .small(level: 5)
    case 6: self = .small(level: 6)
    case 7: self = .small(level: 8)
    case 8: self = .small(level: 9)
    default: self = .small(level: 12)
    }
  }
}

/// A zlib stream (RFC 1950) made piece by piece with ISA-L. Memory does not depend on the length of the stream.
final class ZlibStream {
  private let state = UnsafeMutablePointer<isal_zstream>.allocate(capacity: 1)
  private let tables: PixelBuffer
  private let output: PixelBuffer
  private let emit: (UnsafeRawBufferPointer) -> Void

  /// `emit` receives the stream in pieces of `pieceBytes` (the last one shorter).
  init(level: Int, pieceBytes: Int = 1 << 20, emit: @escaping (UnsafeRawBufferPointer) -> Void) {
    // The library's "large" table size for level 3; a level 1 stream with it is no slower than with its own 276 KiB.
    tables = PixelBuffer(uninitializedByteCount: 340 << 10)
    output = PixelBuffer(uninitializedByteCount: pieceBytes)
    self.emit = emit
    isal_deflate_init(state)
    state.pointee.level = UInt32(level)
    state.pointee.level_buf = tables.base.assumingMemoryBound(to: UInt8.self)
    state.pointee.level_buf_size = UInt32(tables.byteCount)
    state.pointee.gzip_flag = UInt16(IGZIP_ZLIB)
    state.pointee.flush = UInt16(NO_FLUSH)
    rewind()
  }

  deinit { state.deallocate() }

  private func rewind() {
    state.pointee.next_out = output.base.assumingMemoryBound(to: UInt8.self)
    state.pointee.avail_out = UInt32(output.byteCount)
  }

  private func flushOutput() {
    let filled = output.byteCount - Int(state.pointee.avail_out)
    if filled > 0 { emit(UnsafeRawBufferPointer(start: output.base, count: filled)) }
    rewind()
  }

  /// Compresses one piece of at most 2^32 - 1 bytes; `isLast` ends the stream.
  func write(_ bytes: UnsafeRawBufferPointer, isLast: Bool) throws(EncodeError) {
    state.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
    state.pointee.avail_in = UInt32(bytes.count)
    state.pointee.end_of_stream = isLast ? 1 : 0
    while true {
      let code = isal_deflate(state)
      guard code == COMP_OK else {
        throw .library(name: "ISA-L", code: Int(code), message: "the deflate stream could not be made")
      }
      if state.pointee.avail_out == 0 {
        // A full buffer says nothing about what is still inside: ask again.
        flushOutput()
        continue
      }
      if state.pointee.avail_in == 0 { break }
    }
    if isLast { flushOutput() }
  }
}

/// A whole zlib stream at once: ICC profiles, and pictures at the higher efforts.
func zlibStream(_ bytes: UnsafeRawBufferPointer, level: Int) throws(EncodeError) -> PixelBufferSlice {
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

/// The same for an array.
func zlibStream(_ bytes: [UInt8], level: Int) throws(EncodeError) -> PixelBufferSlice {
  let result = bytes.withUnsafeBytes { bytes in
    Result { () throws(EncodeError) in try zlibStream(bytes, level: level) }
  }
  return try result.get()
}

/// The first `count` bytes of a block of memory.
struct PixelBufferSlice {
  let buffer: PixelBuffer
  let count: Int
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: buffer.base, count: count) }
}
