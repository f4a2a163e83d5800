import FileParts
import CDeflate
import HDRCore

/// A writer of the strips of a TIFF file, each of which is a zlib stream.
struct TIFFStrips {
  private let predictor: TIFFPredictor
  private let method: DeflateMethod
  private let height: Int

  init(_ predictor: TIFFPredictor, method: DeflateMethod) {
    (self.predictor, self.method) = (predictor, method)
    height = predictor.height
  }

  private var count: Int { (height - 1) / TIFFWriter.stripRows + 1 }
  private var stripBytes: Int { TIFFWriter.stripRows * predictor.rowBytes }

  /// The room for an incompressible strip, with the spare bytes that encoders need.
  private var slotBytes: Int {
    method == .chunks ? DeflateChunkCoder.mostStreamBytes(stripBytes) : stripBytes + stripBytes / 64 + 1024
  }

  /// The largest size of all strips together.
  var maxBytes: Int { count * slotBytes }

  /// Returns a file of a header and all strips, with spare room, and the places of the strips, which are even.
  func file(
    _ header: [UInt8], room: Int, threads: Int
  ) throws(EncodeError) -> (bytes: [UInt8], places: [Range<Int>]) {
    let pieces = PackedPieces(count: count, maxBytes: slotBytes, alignment: 2)
    let (bytes, places) = pieces.file(header, room: room, threads: threads) {
      TIFFDeflater(method, stripBytes: stripBytes, maxBytes: slotBytes).map { deflater in
        (
          deflater, PixelBuffer(uninitializedByteCount: stripBytes + 8),
          scratch: PixelBuffer(uninitializedByteCount: predictor.rowBytes + 8)
        )
      }
    } make: { index, tool, place in
      let (deflater, predicted, scratch) = tool
      let first = index * TIFFWriter.stripRows, rows = min(TIFFWriter.stripRows, height - first)
      predictor.predict(first..<first + rows, into: predicted.base, scratch: scratch.base)
      let raw = UnsafeRawBufferPointer(start: predicted.base, count: rows * predictor.rowBytes)
      return deflater.deflate(raw, into: place, capacity: slotBytes)
    }
    guard places.count == count, places.allSatisfy({ !$0.isEmpty }) else {
      throw .library(name: "Deflate", code: 0, message: "a strip could not be compressed")
    }
    return (bytes, places)
  }
}

/// A compressor of zlib streams, one after another. For one thread.
private final class TIFFDeflater {
  private let method: DeflateMethod
  private let stream = ISALStream()
  private var compressors: [OpaquePointer] = []
  private let other: PixelBuffer
  private let chunks: DeflateChunkCoder?

  init?(_ method: DeflateMethod, stripBytes: Int, maxBytes: Int) {
    self.method = method
    chunks = method == .chunks ? DeflateChunkCoder(chunkBytes: stripBytes) : nil
    guard case .small(let levels) = method else {
      other = PixelBuffer(byteCount: 0)
      return
    }
    other = PixelBuffer(uninitializedByteCount: maxBytes)
    compressors = levels.compactMap { libdeflate_alloc_compressor(Int32($0)) }
    if compressors.count < levels.count { return nil }
  }

  deinit { for compressor in compressors { libdeflate_free_compressor(compressor) } }

  /// Compresses a strip and returns the size of the stream; 0 if it did not fit.
  func deflate(_ bytes: UnsafeRawBufferPointer, into out: UnsafeMutableRawPointer, capacity: Int) -> Int {
    if let chunks { return chunks.stream(bytes, into: out) }
    guard case .fast(let level) = method else { return smallest(bytes, into: out, capacity: capacity) }
    stream.start(level: level)
    stream.output(to: out, capacity: capacity)
    guard stream.write(bytes, isLast: true) else { return 0 }
    return capacity - stream.room
  }

  private func smallest(_ bytes: UnsafeRawBufferPointer, into out: UnsafeMutableRawPointer, capacity: Int) -> Int {
    var best = 0
    for compressor in compressors {
      let place = best == 0 ? out : other.base
      let count = libdeflate_zlib_compress(compressor, bytes.baseAddress, bytes.count, place, capacity)
      if best == 0 {
        best = count
      } else if count > 0, count < best {
        out.copyMemory(from: other.base, byteCount: count)
        best = count
      }
    }
    return best
  }
}
