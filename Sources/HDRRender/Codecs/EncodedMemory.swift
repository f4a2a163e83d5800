import CPlatform
import CodecService
import Glibc
import HDRCore

/// Memory that a codec process writes a file into, kept for the next one. The process never has the file itself: the
/// bytes are read from here once, hashed and written, so that later changes have no effect.
final class EncodedMemory: Sendable {
  let file: OpenFile

  private static let partBytes = 1 << 18

  /// Makes the memory; throws an error number.
  init() throws(FileFault) {
    let number = hdr_plain_memory("hdrbatch output", 0)
    guard number >= 0 else { throw FileFault(call: "memfd_create", number: errno, path: FilePath("memory")) }
    file = OpenFile(number)
  }

  /// Moves back to the start for the next write.
  func rewind() {
    _ = lseek(file.descriptor, 0, SEEK_SET)
  }

  /// Empties the memory.
  func clear() {
    while ftruncate(file.descriptor, 0) != 0 && errno == EINTR {}
  }

  /// Writes the memory's first bytes to an empty file.
  ///
  /// - Returns: their SHA-256; `nil` if there are fewer.
  /// - Throws: `CodecError.write`.
  func copy(_ byteCount: Int, to target: OpenFile, isSidecar: Bool) throws(CodecError) -> Digest? {
    defer { if byteCount > MemoryNeed.keptOutput { clear() } }
    var hasher = Digest.Hasher()
    var offset = 0
    var part = [UInt8](repeating: 0, count: min(Self.partBytes, max(byteCount, 1)))
    while offset < byteCount {
      let most = min(part.count, byteCount - offset)
      let count = part.withUnsafeMutableBytes { pread(file.descriptor, $0.baseAddress, most, offset) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return nil }
      part.withUnsafeBufferPointer { hasher.add($0.prefix(count)) }
      try CodecJobs.writeAll(part[..<count], target.descriptor, isSidecar: isSidecar)
      offset += count
    }
    return hasher.finish()
  }
}
