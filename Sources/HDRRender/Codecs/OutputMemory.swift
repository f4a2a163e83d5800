import CPlatform
import CodecService
import Glibc
import HDRCore

/// Memory that a codec process writes a file into, kept for the next one. The process never holds the file itself:
/// what is read from here once is hashed and written, so that what it does afterwards changes nothing.
final class OutputMemory: Sendable {
  let file: OpenFile

  private static let partBytes = 1 << 18

  /// - Throws: an error number.
  init() throws(FileFault) {
    let number = hdr_plain_memory("hdrbatch output", 0)
    guard number >= 0 else { throw FileFault(call: "memfd_create", number: errno, path: FilePath("memory")) }
    file = OpenFile(number)
  }

  /// Makes the next write the first.
  func rewind() {
    _ = lseek(file.descriptor, 0, SEEK_SET)
  }

  /// Holds nothing afterwards.
  func clear() {
    while ftruncate(file.descriptor, 0) != 0 && errno == EINTR {}
  }

  /// Writes its first bytes to an empty file.
  ///
  /// - Returns: their SHA-256; `nil` when there are fewer.
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
