/// A zlib stream of chunks (RFC 1950).
package struct ChunkedStream {
  /// The bytes before the first chunk: Deflate, distances of at most 32 KiB, the fastest method.
  package static let head: [UInt8] = [0x78, 0x01]
  /// What ends a chunk behind three bits: an empty stored block.
  static let chunkEnd: [UInt8] = [0, 0, 0xFF, 0xFF]

  private var bytes = head
  private var checksum = AdlerSum()

  package init() {}

  /// Appends a chunk that `DeflateChunkCoder` has made.
  ///
  /// - Parameter next: the checksum of the bytes that it is made of.
  package mutating func append(_ chunk: UnsafeRawBufferPointer, _ next: AdlerSum) {
    bytes += chunk
    checksum.append(next)
  }

  /// Appends a chunk that kernels have made.
  ///
  /// - Parameters:
  ///   - words: the chunk without its end, whole words; bits behind the last are 0.
  ///   - next: the checksum of the bytes that it is made of.
  package mutating func append(_ words: UnsafeRawBufferPointer, bits: Int, _ next: AdlerSum) {
    // The three bits of the stored block are 0, too.
    let count = (bits + 3 + 7) / 8
    bytes += words.prefix(count)
    if count > words.count { bytes.append(0) }
    bytes += Self.chunkEnd
    checksum.append(next)
  }

  /// The whole stream.
  package var finished: [UInt8] { bytes + Self.tail(checksum) }

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
