import CDeflate
import COpenEXR
import FileParts
import HDRCore

/// A compressor of chunks, one after another. For one thread.
final class EXRPacker {
  /// A way to compress chunks.
  struct Method: Sendable {
    let coding: EXRCoding
    /// True for Deflate in chunks that devices make, too.
    let isChunked: Bool

    init(_ compression: EXRCompression) {
      (coding, isChunked) = (EXRCoding(compression), compression == .zipGPU)
    }

    /// The number of rows of a chunk.
    var rows: Int { coding.rows }

    /// Returns the room for a chunk of `chunkBytes` with its row and size, and for a stream that turns out to be larger.
    func mostBytes(_ chunkBytes: Int) -> Int {
      8 + (isChunked ? DeflateChunkCoder.mostStreamBytes(chunkBytes) : chunkBytes)
    }
  }

  private let method: Method
  /// The even bytes of a chunk, then the odd ones.
  private let split: PixelBuffer
  /// The differences of those, or samples before they are split.
  private let scratch: PixelBuffer
  private let stream = ISALStream()
  private let chunks: DeflateChunkCoder?
  private let inflater: OpaquePointer?

  init?(_ method: Method, maxBytes: Int) {
    self.method = method
    split = PixelBuffer(uninitializedByteCount: maxBytes)
    scratch = PixelBuffer(uninitializedByteCount: maxBytes)
    chunks = method.isChunked ? DeflateChunkCoder(chunkBytes: maxBytes) : nil
    inflater = method.isChunked ? libdeflate_alloc_decompressor() : nil
    if method.isChunked, inflater == nil { return nil }
  }

  deinit { if let inflater { libdeflate_free_decompressor(inflater) } }

  /// Writes row, size and data of a chunk of a picture's `lines`.
  ///
  /// - Parameter top: the number of the picture's first row.
  /// - Returns: the number of bytes written.
  func pack(
    _ rows: PixelRows, _ line: EXRLine, _ lines: Range<Int>, top: Int, into out: UnsafeMutableRawPointer
  ) -> Int {
    let words = line.width * line.channels, half = words * lines.count
    let bytes = split.base.assumingMemoryBound(to: UInt8.self)
    for (index, y) in lines.enumerated() {
      let pixels = rows.row(y).assumingMemoryBound(to: UInt16.self), low = bytes + index * words
      hdr_exr_take_rgba(pixels, line.width, line.channels == 4 ? 1 : 0, low, low + half)
    }
    return compress(2 * half, row: top + lines.lowerBound, into: out)
  }

  /// Writes row, size and data of a chunk of `lines`, whose bytes `fill` stores row by row, channel by channel.
  func pack(
    rowBytes: Int, _ lines: Range<Int>, top: Int, into out: UnsafeMutableRawPointer,
    fill: (_ y: Int, UnsafeMutablePointer<UInt8>) -> Void
  ) -> Int {
    let size = rowBytes * lines.count, samples = scratch.base.assumingMemoryBound(to: UInt8.self)
    for (index, y) in lines.enumerated() { fill(y, samples + index * rowBytes) }
    hdr_exr_split(samples, size, split.base.assumingMemoryBound(to: UInt8.self))
    return compress(size, row: top + lines.lowerBound, into: out)
  }

  /// Writes row, size and data of a chunk that a device has deflated. Of a stream that is not smaller the samples are
  /// stored, as the others do.
  ///
  /// - Returns: the number of bytes written; 0 if such a stream cannot be inflated.
  func pack(
    _ streams: PixelBuffer, _ place: Range<Int>, _ line: EXRLine, _ lines: Range<Int>, top: Int,
    into out: UnsafeMutableRawPointer
  ) -> Int {
    let size = line.byteCount * lines.count, from = streams.base + place.lowerBound, row = top + lines.lowerBound
    if place.count < size {
      (out + 8).copyMemory(from: from, byteCount: place.count)
      return Self.finish(row, place.count, out)
    }
    guard libdeflate_zlib_decompress(inflater, from, place.count, scratch.base, size, nil) == LIBDEFLATE_SUCCESS else {
      return 0
    }
    let data = (out + 8).assumingMemoryBound(to: UInt8.self)
    hdr_exr_merge(scratch.base.assumingMemoryBound(to: UInt8.self), size, data)
    return Self.finish(row, size, out)
  }

  private func compress(_ size: Int, row: Int, into out: UnsafeMutableRawPointer) -> Int {
    let bytes = split.base.assumingMemoryBound(to: UInt8.self)
    let data = (out + 8).assumingMemoryBound(to: UInt8.self)
    // Data that do not become smaller are stored uncompressed; readers know them by their size.
    var count = 0
    if method.coding != .none {
      let changes = scratch.base.assumingMemoryBound(to: UInt8.self)
      hdr_exr_differences(bytes, size, changes)
      count = method.coding == .rle ? hdr_exr_runs(changes, size, data, size - 1) : deflate(changes, size, data)
    }
    if count == 0 {
      hdr_exr_join(bytes, size, data)
      count = size
    }
    return Self.finish(row, count, out)
  }

  /// Writes row and size before data of so many bytes.
  private static func finish(_ row: Int, _ count: Int, _ out: UnsafeMutableRawPointer) -> Int {
    out.storeBytes(of: Int32(row).littleEndian, as: Int32.self)
    (out + 4).storeBytes(of: Int32(count).littleEndian, as: Int32.self)
    return 8 + count
  }

  /// Compresses `size` bytes and returns the size of the zlib stream; 0: the stream is not smaller.
  ///
  /// Level 2 of ISA-L: 12 megapixels of two photographs take 0.17 s instead of 0.75 to 0.87 s of libdeflate's level 4,
  /// and 5 to 11 % more bytes.
  private func deflate(_ bytes: UnsafeMutablePointer<UInt8>, _ size: Int, _ out: UnsafeMutablePointer<UInt8>) -> Int {
    if let chunks {
      let count = chunks.stream(UnsafeRawBufferPointer(start: bytes, count: size), into: out)
      return count < size ? count : 0
    }
    stream.start(level: 2)
    stream.output(to: out, capacity: size - 1)
    // A stream that does not fit is not smaller.
    return stream.write(UnsafeRawBufferPointer(start: bytes, count: size), isLast: true) ? size - 1 - stream.room : 0
  }
}
