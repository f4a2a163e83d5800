import FileParts
import HDRCore

extension EXRFile {
  private struct Source: @unchecked Sendable {
    let bytes: UnsafeRawBufferPointer
  }

  /// Decodes chunks of a part on several threads; the memory of each is valid until `body` returns.
  func forEach(
    _ chunks: [Chunk], of part: Int, threads: Int, _ body: @Sendable (Chunk, UnsafePointer<UInt8>) -> Void
  ) throws(DecodeError) {
    let maxBytes = chunks.reduce(0) { max($0, $1.byteCount) }
    try decode(chunks.count, of: part, maxBytes: maxBytes, threads: threads) {
      (index, bytes, unpacker) throws(DecodeError) in
      let chunk = chunks[index]
      if chunk.byteCount == 0 { return }
      body(chunk, try unpacker.unpack(chunk, UnsafeRawBufferPointer(rebasing: bytes[chunk.data])))
    }
  }

  /// Calls `body` with the numbers of `count` chunks, the bytes of the file and a decoder, on several threads.
  ///
  /// - Parameter maxBytes: the largest size that the decoder makes.
  func decode(
    _ count: Int, of part: Int, maxBytes: Int, threads: Int,
    _ body: @Sendable (Int, UnsafeRawBufferPointer, EXRUnpacker) throws(DecodeError) -> Void
  ) throws(DecodeError) {
    let header = parts[part]
    let result = bytes.withUnsafeBytes { bytes in
      let source = Source(bytes: bytes)
      return Result { () throws(DecodeError) in
        try decodePieces(count, threads: threads) { () throws(DecodeError) in
          try EXRUnpacker(header, maxBytes: maxBytes)
        } decode: { (index, unpacker) throws(DecodeError) in
          try body(index, source.bytes, unpacker)
        }
      }
    }
    try result.get()
  }
}
