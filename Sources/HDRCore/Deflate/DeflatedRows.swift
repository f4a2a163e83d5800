/// The rows of a picture as a zlib stream that a device has made.
package struct DeflatedRows: Sendable {
  package var line: PNGLine
  /// The bytes of the stream, all of the block.
  package var stream: PixelBuffer

  /// - Parameter memory: allocates a block of the given size.
  package init(
    _ line: PNGLine, _ stream: [UInt8], memory: (Int) -> PixelBuffer = { PixelBuffer(uninitializedByteCount: $0) }
  ) {
    (self.line, self.stream) = (line, memory(stream.count))
    stream.withUnsafeBytes { bytes in
      if let from = bytes.baseAddress { self.stream.base.copyMemory(from: from, byteCount: bytes.count) }
    }
  }

  /// A copy of the stream.
  package var bytes: [UInt8] {
    withExtendedLifetime(stream) { Array(UnsafeRawBufferPointer(start: stream.base, count: stream.byteCount)) }
  }
}

extension DeflatedRows: Equatable {
  package static func == (a: DeflatedRows, b: DeflatedRows) -> Bool { a.line == b.line && a.bytes == b.bytes }
}
