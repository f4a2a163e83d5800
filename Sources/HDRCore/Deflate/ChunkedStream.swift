/// The bytes of a zlib stream of chunks that are no chunk (RFC 1950).
package enum ChunkedStream {
  /// The bytes before the first chunk: Deflate, distances of at most 32 KiB, the fastest method.
  package static let head: [UInt8] = [0x78, 0x01]
  /// An empty stored block ends a chunk: these bytes, behind its three bits.
  package static let chunkEnd: [UInt8] = [0, 0, 0xFF, 0xFF]

  /// Returns the bytes after the last chunk: an empty last block with fixed codes, and the checksum.
  package static func tail(_ checksum: AdlerSum) -> [UInt8] {
    let value = checksum.value
    return [0x03, 0x00] + (0..<4).map { UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * $0)) }
  }
}

extension DeflateChunkCoder {
  /// The room for a stream of one chunk of so many bytes.
  package static func mostStreamBytes(_ byteCount: Int) -> Int { mostBytes(byteCount) + 8 }

  /// Codes a chunk as a stream of its own, and returns the number of bytes written.
  ///
  /// - Parameter out: has room for `mostStreamBytes`.
  package func stream(_ bytes: UnsafeRawBufferPointer, into out: UnsafeMutableRawPointer) -> Int {
    func put(_ bytes: [UInt8], at place: Int) -> Int {
      bytes.withUnsafeBytes { (out + place).copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
      return place + bytes.count
    }
    let start = put(ChunkedStream.head, at: 0)
    return put(ChunkedStream.tail(AdlerSum(bytes)), at: start + code(bytes, into: out + start))
  }
}
