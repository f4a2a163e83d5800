import CPlatform
import CodecService
import Glibc
import HDRCore

/// Memory that a codec process writes a file into, kept for the next one. The process never has the file itself: the
/// bytes are read from here once, hashed and written, so that later changes have no effect. One thread at a time uses it.
final class EncodedMemory: @unchecked Sendable {
  let file: OpenFile

  /// The copy of a part of it, which the process cannot change, and which stays in a core's cache.
  private let part = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 4096)

  /// Makes the memory; throws an error number.
  init() throws(FileFault) {
    let number = hdr_plain_memory("hdrbatch output", 0)
    guard number >= 0 else { throw FileFault(call: "memfd_create", number: errno, path: FilePath("memory")) }
    file = OpenFile(number)
  }

  deinit { part.deallocate() }

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
    while offset < byteCount {
      let most = min(part.count, byteCount - offset)
      let count = pread(file.descriptor, part.baseAddress, most, offset)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return nil }
      let bytes = UnsafeRawBufferPointer(rebasing: part[..<count])
      hasher.add(bytes)
      let failure = CodecJobs.write(bytes, target.descriptor)
      if failure != 0 { throw .write(failure, isSidecar: isSidecar) }
      offset += count
    }
    return hasher.finish()
  }
}
