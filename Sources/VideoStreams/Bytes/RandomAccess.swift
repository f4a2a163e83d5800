import FileParts
import Glibc
import HDRCore

/// Bytes any part of which can be read: an open file, or memory. Files may be larger than memory.
package protocol RandomAccess: Sendable {
  var byteCount: Int { get }
  /// Reads bytes that lie within the file.
  ///
  /// - Throws: `DecodeError.io`, and `.truncated` if the file has become shorter.
  func read(at offset: Int, count: Int) throws(DecodeError) -> [UInt8]
}

extension RandomAccess {
  /// Returns a reader of a part; one that is larger than `limit` or leaves the file is refused.
  func reader(_ range: Range<Int>, atMost limit: Int, place: String) throws(DecodeError) -> ByteReader {
    guard range.upperBound <= byteCount else { throw .truncated(where: place) }
    guard range.count <= limit else { throw .limit(what: "bytes of the \(place)", found: range.count, allowed: limit) }
    return ByteReader(try read(at: range.lowerBound, count: range.count), place: place)
  }
}

/// The bytes of an open file, whose descriptor stays the caller's and whose offset is not moved.
package struct FileAccess: RandomAccess {
  package let byteCount: Int
  private let descriptor: Int32

  /// - Throws: `DecodeError.io` for a descriptor that is not open.
  package init(_ descriptor: Int32) throws(DecodeError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .io("a file could not be read: \(Self.reason)") }
    (self.descriptor, byteCount) = (descriptor, Int(status.st_size))
  }

  private static var reason: String { String(cString: strerror(errno)) }

  package func read(at offset: Int, count: Int) throws(DecodeError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count), filled = 0
    while filled < count {
      let part = bytes.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress! + filled, count - filled, offset + filled)
      }
      if part < 0, errno == EINTR { continue }
      guard part >= 0 else { throw .io("a file could not be read: \(Self.reason)") }
      guard part > 0 else { throw .truncated(where: "file") }
      filled += part
    }
    return bytes
  }
}

/// The bytes of memory.
package struct MemoryAccess: RandomAccess {
  private let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var byteCount: Int { bytes.count }

  package func read(at offset: Int, count: Int) throws(DecodeError) -> [UInt8] {
    guard offset >= 0, count >= 0, offset + count <= bytes.count else { throw .truncated(where: "file") }
    return Array(bytes[offset..<offset + count])
  }
}
