import HDRCore

/// Collects the streams of a picture whose chunks come one after another.
///
/// They lie in one block, which is kept for the next picture (`PictureMemory`): an array that grows is copied several
/// times, each time into pages that the kernel clears.
struct DeflateStreams {
  private let line: DeflateLine
  private var block: PixelBuffer
  /// The bytes of the streams that have ended.
  private var counts: [Int] = []
  /// The first byte of the stream that has not ended, and the end of all.
  private var start = 0, end = 0
  private var checksum = AdlerSum()

  init(_ layout: DeflateLayout) {
    line = layout.line
    // Deflated rows are shorter, but for noise. Pages that nothing is written to cost nothing.
    block = PixelBuffer(uninitializedByteCount: line.byteCount * layout.height + 32 * layout.chunkCount)
  }

  /// Appends a chunk that `DeflateChunkCoder` has made.
  ///
  /// - Parameter next: the checksum of the bytes that it is made of.
  mutating func append(_ chunk: UnsafeRawBufferPointer, _ next: AdlerSum) {
    beginStream()
    put(chunk)
    endChunk(next)
  }

  /// Appends a chunk that kernels have made.
  ///
  /// - Parameters:
  ///   - words: the chunk without its end, whole words; bits behind the last are 0.
  ///   - next: the checksum of the bytes that it is made of.
  mutating func append(_ words: UnsafeRawBufferPointer, bits: Int, _ next: AdlerSum) {
    beginStream()
    // The three bits of the stored block are 0, too.
    let count = (bits + 3 + 7) / 8
    put(UnsafeRawBufferPointer(rebasing: words.prefix(count)))
    if count > words.count { put([0]) }
    put(ChunkedStream.chunkEnd)
    endChunk(next)
  }

  /// Returns all streams.
  ///
  /// - Parameter memory: allocates a block of the given size.
  consuming func finished(memory: (Int) -> PixelBuffer) -> DeflatedRows {
    if line.joinsChunks {
      beginStream()
      endStream()
    }
    return withExtendedLifetime(block) {
      DeflatedRows(line, UnsafeRawBufferPointer(start: block.base, count: end), counts: counts, memory: memory)
    }
  }

  private mutating func beginStream() {
    if start == end { put(ChunkedStream.head) }
  }

  private mutating func endChunk(_ next: AdlerSum) {
    checksum.append(next)
    if !line.joinsChunks { endStream() }
  }

  private mutating func endStream() {
    put(ChunkedStream.tail(checksum))
    counts.append(end - start)
    (start, checksum) = (end, AdlerSum())
  }

  private mutating func put(_ bytes: [UInt8]) { bytes.withUnsafeBytes { put($0) } }

  private mutating func put(_ bytes: UnsafeRawBufferPointer) {
    guard let from = bytes.baseAddress else { return }
    if end + bytes.count > block.byteCount {
      let larger = PixelBuffer(uninitializedByteCount: 2 * block.byteCount + bytes.count)
      larger.base.copyMemory(from: block.base, byteCount: end)
      block = larger
    }
    (block.base + end).copyMemory(from: from, byteCount: bytes.count)
    end += bytes.count
  }
}
