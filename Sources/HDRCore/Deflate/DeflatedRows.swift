/// The rows of a picture as zlib streams that a device has made.
package struct DeflatedRows: Sendable {
  package var line: DeflateLine
  /// The streams, one after another, all of the block: one of all rows, or one a chunk (`DeflateLine.joinsChunks`).
  package var stream: PixelBuffer
  /// The bytes of each stream.
  package var counts: [Int]

  /// - Parameters:
  ///   - bytes: the streams, one after another.
  ///   - counts: the bytes of each.
  ///   - memory: allocates a block of the given size.
  package init(
    _ line: DeflateLine, _ bytes: UnsafeRawBufferPointer, counts: [Int],
    memory: (Int) -> PixelBuffer = { PixelBuffer(uninitializedByteCount: $0) }
  ) {
    (self.line, self.counts) = (line, counts)
    stream = memory(bytes.count)
    if let from = bytes.baseAddress { stream.base.copyMemory(from: from, byteCount: bytes.count) }
  }

  package init(_ line: DeflateLine, _ streams: [[UInt8]]) {
    let counts = streams.map(\.count)
    self = Array(streams.joined()).withUnsafeBytes { DeflatedRows(line, $0, counts: counts) }
  }

  package init(_ line: PNGLine, _ stream: [UInt8]) { self.init(.png(line), [stream]) }

  /// The places of the streams in the block.
  package var places: [Range<Int>] {
    var end = 0
    return counts.map { count in
      defer { end += count }
      return end..<end + count
    }
  }

  /// A copy of the streams.
  package var bytes: [UInt8] {
    withExtendedLifetime(stream) { Array(UnsafeRawBufferPointer(start: stream.base, count: stream.byteCount)) }
  }
}

extension DeflatedRows: Equatable {
  package static func == (a: DeflatedRows, b: DeflatedRows) -> Bool {
    a.line == b.line && a.counts == b.counts && a.bytes == b.bytes
  }
}
