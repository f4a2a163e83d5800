/// A coder of chunks, one after another: the twin of the kernels that deflate. For one thread.
///
/// A chunk is a block with codes of its own and, to end at a byte, an empty stored block. So chunks are joined as they are.
package final class DeflateChunkCoder {
  private let tokens: PixelBuffer
  private let counts = PixelBuffer(byteCount: 4 * DeflateCodes.count)

  /// - Parameter chunkBytes: the most bytes of a chunk.
  package init(chunkBytes: Int) {
    tokens = PixelBuffer(uninitializedByteCount: 2 * (chunkBytes + 1))
  }

  /// The room for a chunk of so many bytes.
  ///
  /// Codes of 9 bits for literals and lengths, and of 5 for distances, would need 9 bits a byte at most. The best codes need no
  /// more. Halving counts, which are those of 2500 symbols at least where a code would have 16 bits, adds less than a third.
  package static func mostBytes(_ byteCount: Int) -> Int { byteCount + byteCount / 2 + 1024 }

  /// Codes a chunk.
  ///
  /// - Parameter out: has room for `mostBytes`.
  /// - Returns: the number of bytes written.
  package func code(_ bytes: UnsafeRawBufferPointer, into out: UnsafeMutableRawPointer) -> Int {
    let counts = counts.base.assumingMemoryBound(to: UInt32.self)
    counts.update(repeating: 0, count: DeflateCodes.count)
    let tokens = tokens.base.assumingMemoryBound(to: UInt16.self)
    var tokenCount = 0
    for first in stride(from: 0, to: bytes.count, by: DeflateLayout.segmentBytes) {
      let start = bytes.baseAddress!.assumingMemoryBound(to: UInt8.self) + first
      tokenCount +=
        DeflateSegment(
          start, count: min(DeflateLayout.segmentBytes, bytes.count - first), tokens: tokens + tokenCount,
          counts: counts
        ).tokenCount
    }
    let words = DeflateCodes(counts: UnsafeBufferPointer(start: counts, count: DeflateCodes.count)).words
    var bits = DeflateBits(out)
    bits.putHead(words)
    // Codes as they are written, the first bit the lowest.
    let codes = words.map { word in
      let count = Int(word >> 16)
      return (bits: UInt64(DeflateBits.reversed(word & 0xFFFF, count)), count: count)
    }
    codes.withUnsafeBufferPointer { codes in
      func put(_ part: (symbol: Int, extra: Int, bits: Int)) {
        let code = codes[part.symbol]
        bits.put(code.bits | UInt64(part.extra) &<< UInt64(code.count), code.count &+ part.bits)
      }
      var at = 0
      while at < tokenCount {
        let token = tokens[at]
        at &+= 1
        if token & DeflateSegment.matchFlag == 0 {
          put((Int(token), 0, 0))
        } else {
          put(DeflateSegment.symbol(length: Int(token & ~DeflateSegment.matchFlag)))
          put(DeflateSegment.symbol(distance: Int(tokens[at])))
          at &+= 1
        }
      }
      put((DeflateCodes.endOfBlock, 0, 0))
    }
    return bits.finish()
  }
}
