import CPlatform
import CodecService
import Glibc
import Synchronization

/// An open descriptor with one owner.
package final class OpenFile: Sendable {
  package let descriptor: Int32
  package init(_ descriptor: Int32) { self.descriptor = descriptor }
  deinit { close(descriptor) }
}

/// The size and times of a file.
struct FileVersion: Equatable {
  private let size: Int
  private let times: [Int]

  init(_ status: stat) {
    size = Int(status.st_size)
    times = [status.st_mtim, status.st_ctim].flatMap { [$0.tv_sec, $0.tv_nsec] }
  }
}

/// A regular file that is open for reading and not yet read.
package final class InputFile: Sendable {
  package let path: FilePath
  package let byteCount: Int
  /// A number that no other open file of this process has.
  package let identity: Int
  private static let opened = Atomic<Int>(0)
  private let file: OpenFile
  /// The item that was opened; `nil` for bytes in memory.
  let item: InputReference?
  private let known = Mutex<(bytes: [UInt8], digest: Digest)?>(nil)
  private let knownDigest = Mutex<Digest?>(nil)

  package var descriptor: Int32 { file.descriptor }

  /// Opens a file that was given directly.
  package convenience init(_ path: FilePath, maxBytes: Int) throws(FileFault) {
    try self.init(InputReference(path), maxBytes: maxBytes)
  }

  /// Opens an input. Throws `FileFault`: `EFBIG` for files larger than `maxBytes`, `EINVAL` for anything but a regular
  /// file, `EXDEV` for a link that leads out of the given folders.
  package convenience init(_ item: InputReference, maxBytes: Int) throws(FileFault) {
    try self.init(OpenFile(try item.open()), path: item.file, item: item, maxBytes: maxBytes)
  }

  /// Takes a file that the caller has open for reading, and that stays the caller's. Throws as `init(_:maxBytes:)` does,
  /// and `EBADF`.
  ///
  /// - Parameter name: its path in messages.
  package convenience init(descriptor: Int32, name: FilePath, maxBytes: Int) throws(FileFault) {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw FileFault(call: "dup", number: errno, path: name) }
    try self.init(OpenFile(copy), path: name, item: nil, maxBytes: maxBytes)
  }

  private init(_ file: OpenFile, path: FilePath, item: InputReference?, maxBytes: Int) throws(FileFault) {
    func fault(_ call: String, _ number: Int32) -> FileFault { FileFault(call: call, number: number, path: path) }
    (self.file, self.path, self.item) = (file, path, item)
    identity = Self.opened.wrappingAdd(1, ordering: .relaxed).newValue
    var status = stat()
    guard fstat(file.descriptor, &status) == 0 else { throw fault("stat", errno) }
    if status.isFolder { throw fault("read", EISDIR) }
    guard status.isRegularFile else { throw fault("read", EINVAL) }
    guard status.st_size <= maxBytes else { throw fault("read", EFBIG) }
    byteCount = Int(status.st_size)
  }

  /// Makes a file in memory that nothing can write any more.
  ///
  /// - Parameter name: its path in messages.
  /// - Throws: `FileFault`.
  package init(bytes: [UInt8], name: FilePath) throws(FileFault) {
    func fault(_ call: String) -> FileFault { FileFault(call: call, number: errno, path: name) }
    let number = hdr_plain_memory("hdrbatch input", 1)
    guard number >= 0 else { throw fault("memfd_create") }
    file = OpenFile(number)
    do throws(CodecError) {
      try CodecJobs.writeAll(bytes, number, isSidecar: false)
    } catch {
      throw FileFault(call: "writing", number: EIO, path: name)
    }
    guard hdr_seal_memory(number) == 0 else { throw fault("fcntl") }
    path = name
    item = nil
    identity = Self.opened.wrappingAdd(1, ordering: .relaxed).newValue
    byteCount = bytes.count
  }

  /// Returns at most so many first bytes; fewer if they cannot be read.
  func start(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, found in
      found = max(0, pread(descriptor, buffer.baseAddress, count, 0))
    }
  }

  /// Returns the bytes in this process, and their digest; kept for later calls.
  package func content() throws(CodecError) -> (bytes: [UInt8], digest: Digest) {
    if let known = known.withLock({ $0 }) { return known }
    let bytes = try CodecJobs.read(descriptor, byteCount: byteCount)
    let content = (bytes, Digest(of: bytes))
    known.withLock { $0 = content }
    return content
  }

  /// Returns the digest alone, and reads the file in parts.
  ///
  /// - Throws: `FileFault`.
  package func digest() throws(FileFault) -> Digest {
    if let digest = known.withLock({ $0?.digest }) ?? knownDigest.withLock({ $0 }) { return digest }
    var hasher = Digest.Hasher()
    // It stays in a core's cache.
    var part = [UInt8](repeating: 0, count: 1 << 16)
    var offset = 0
    while true {
      let count = part.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, offset) }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw FileFault(call: "read", number: errno, path: path) }
      if count == 0 { break }
      part.withUnsafeBufferPointer { hasher.add($0.prefix(count)) }
      offset += count
    }
    let digest = hasher.finish()
    knownDigest.withLock { $0 = digest }
    return digest
  }

  /// The status of the open file; `nil` and `errno` if the system reports none.
  package var status: stat? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? status : nil
  }

  /// The size and times, which change after a write, within the precision of the kernel's clock.
  var version: FileVersion? { status.map { FileVersion($0) } }
}
