import FileParts
import CDeflate
import HDRCore

/// A writer of the strips of a TIFF file, each of which is a zlib stream.
struct TIFFStrips {
  private enum Source {
    case samples(TIFFPredictor)
    /// The streams that a device has made.
    case deflated(DeflatedRows)
  }

  let line: TIFFLine
  let height: Int
  private let source: Source
  private let method: DeflateMethod

  /// Throws `EncodeError.unsupported` for a picture in another layout than its kind's.
  init(_ request: EncodeRequest) throws(EncodeError) {
    line = TIFFLine(request)
    height = request.image.height
    method = request.coding.deflate
    if let deflated = request.image.deflated {
      let most = DeflateChunkCoder.mostStreamBytes(TIFFLine.stripRows * line.byteCount)
      guard deflated.line == .tiff(line), deflated.counts.count == (height - 1) / TIFFLine.stripRows + 1,
        method == .chunks, deflated.counts.allSatisfy({ $0 <= most })
      else {
        throw .unsupported(feature: "deflated rows for TIFF", found: "rows of \(deflated.line.byteCount) bytes")
      }
      source = .deflated(deflated)
    } else {
      source = .samples(try TIFFPredictor(request, line))
    }
  }

  private var count: Int { (height - 1) / TIFFLine.stripRows + 1 }
  private var stripBytes: Int { TIFFLine.stripRows * line.byteCount }

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
    let pieces = PackedPieces(count: count, maxBytes: slotBytes, alignment: 2), bytes: [UInt8], places: [Range<Int>]
    switch source {
    case .samples(let predictor):
      (bytes, places) = pieces.file(header, room: room, threads: threads) {
        TIFFDeflater(method, stripBytes: stripBytes, maxBytes: slotBytes).map { deflater in
          (deflater, PixelBuffer(uninitializedByteCount: stripBytes + 8))
        }
      } make: { index, tool, place in
        let (deflater, predicted) = tool
        let first = index * TIFFLine.stripRows, rows = min(TIFFLine.stripRows, height - first)
        predictor.predict(first..<first + rows, into: predicted.base)
        let raw = UnsafeRawBufferPointer(start: predicted.base, count: rows * line.byteCount)
        return deflater.deflate(raw, into: place, capacity: slotBytes)
      }
    case .deflated(let rows):
      let streams = rows.places
      (bytes, places) = pieces.file(header, room: room, threads: 1) {
        rows.stream
      } make: { index, memory, place in
        place.copyMemory(from: memory.base + streams[index].lowerBound, byteCount: streams[index].count)
        return streams[index].count
      }
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
