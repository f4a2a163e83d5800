import Glibc
import HDRCore

/// Bytes that come in their order and in pieces, as from a pipe. Nothing can be read twice.
package protocol ByteStream: Sendable {
  /// Reads at least one byte and at most as many as `memory` holds.
  ///
  /// - Returns: the number of bytes; 0 at the end of the stream.
  /// - Throws: `DecodeError.io`.
  mutating func read(into memory: UnsafeMutableRawBufferPointer) throws(DecodeError) -> Int
}

/// The stream of an open descriptor, which stays the caller's.
package struct DescriptorStream: ByteStream {
  private let descriptor: Int32

  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  package mutating func read(into memory: UnsafeMutableRawBufferPointer) throws(DecodeError) -> Int {
    while true {
      let count = Glibc.read(descriptor, memory.baseAddress, memory.count)
      if count >= 0 { return count }
      if errno != EINTR { throw .io("a stream could not be read: \(String(cString: strerror(errno)))") }
    }
  }
}
