import HDRCore
import Synchronization

/// Makes a zlib stream of a picture's rows, whose chunks threads code in any order.
///
/// - Parameter row: returns the samples of a row of a plane.
package func chunkedStream(
  _ layout: DeflateLayout, threads: Int, row: @Sendable (Int, Int) -> UnsafeRawPointer
) -> [UInt8] {
  let chunkBytes = layout.chunkBytes, checksums = Mutex([AdlerSum](repeating: AdlerSum(), count: layout.chunkCount))
  let pieces = PackedPieces(count: layout.chunkCount, maxBytes: DeflateChunkCoder.mostBytes(chunkBytes))
  var (stream, _) = pieces.file(ChunkedStream.head, room: 8, threads: threads) {
    (DeflateChunkCoder(chunkBytes: chunkBytes), rows: PixelBuffer(uninitializedByteCount: chunkBytes + 8))
  } make: { chunk, tool, out in
    let (coder, rows) = tool
    layout.fill(chunk, into: rows.base, row: row)
    let bytes = UnsafeRawBufferPointer(start: rows.base, count: layout.bytes(ofChunk: chunk))
    checksums.withLock { [sum = AdlerSum(bytes)] in $0[chunk] = sum }
    return coder.code(bytes, into: out)
  }
  stream += ChunkedStream.tail(checksums.withLock { $0.reduce(into: AdlerSum()) { $0.append($1) } })
  return stream
}
