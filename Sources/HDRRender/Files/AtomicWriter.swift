import CPlatform
import CodecService
import Glibc
import Synchronization

/// Part files that exist now, so that they can be removed if the process ends early.
///
/// Once closed no part can be made and none can reach its final name: a stopped batch leaves whole files only.
package final class PartFiles: Sendable {
  private struct State {
    var live: Set<FilePath> = []
    var isClosed = false
  }
  private let state = Mutex(State())

  package init() {}

  /// `false` when closed.
  package func add(_ path: FilePath) -> Bool {
    state.withLock { state in
      if !state.isClosed { state.live.insert(path) }
      return !state.isClosed
    }
  }

  /// Runs `body` and forgets the part; `nil` when closed. Held under the lock: a rename is either done or never begins.
  package func finish<R>(_ path: FilePath, _ body: () -> R) -> R? {
    state.withLock { state in
      if state.isClosed { return nil }
      state.live.remove(path)
      return body()
    }
  }

  /// Unlinks all parts for good.
  package func close() {
    state.withLock { state in
      state.isClosed = true
      for path in state.live { _ = path.withCString { unlink($0) } }
      state.live = []
    }
  }
}

/// What to do if the target of a write exists.
public enum ExistingFile: Sendable, Hashable {
  case replace, refuse
}

/// Writes files whole or not at all (docs/reliability.md#durability): a temporary name beside the target, fsync,
/// rename, fsync of the folder. A reader never sees half a file, and a file that is reported is on the disk.
package struct AtomicWriter: Sendable {
  package let parts: PartFiles
  package let durability: Durability
  private let host = hostName(forFiles: true)
  private let pid = getpid()

  package init(parts: PartFiles, durability: Durability = .file) {
    self.parts = parts
    self.durability = durability
  }

  /// Counts temporary names of this process: two writes never share one.
  private static let attempts = Atomic<Int>(0)

  /// The temporary name of a target: hidden, in the same folder, with host, process and attempt in it.
  package func partPath(for target: FilePath) -> FilePath {
    let attempt = Self.attempts.wrappingAdd(1, ordering: .relaxed).newValue
    let tail = Array(".\(host).\(pid).\(attempt).part".utf8)
    // A name has 255 bytes at most.
    let head = target.name.prefix(max(0, 254 - tail.count))
    return target.parent.appending([UInt8(ascii: ".")] + head + tail)
  }

  /// A file under its temporary name, waiting for `commit` or `discard`.
  package struct Staged: Sendable {
    package var part: FilePath
    package var target: FilePath
    /// Open for reading and writing.
    package var file: OpenFile
  }

  /// Makes an empty file under a temporary name, to be written by the caller.
  ///
  /// - Throws: `FileFault`, `EINTR` when the batch was abandoned.
  package func begin(_ target: FilePath) throws(FileFault) -> Staged {
    let part = partPath(for: target)
    guard parts.add(part) else { throw FileFault(call: "writing", number: EINTR, path: target) }
    let descriptor = part.withCString { open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
    guard descriptor >= 0 else {
      let number = errno
      _ = parts.finish(part) {}
      throw FileFault(call: "creation", number: number, path: part)
    }
    return Staged(part: part, target: target, file: OpenFile(descriptor))
  }

  /// Syncs the file, if it has the given size.
  ///
  /// - Throws: `FileFault`. The part file is gone then.
  package func sync(_ staged: Staged, byteCount: Int) throws(FileFault) {
    do throws(FileFault) {
      func fault(_ call: String) -> FileFault { FileFault(call: call, number: errno, path: staged.part) }
      // A failed fsync is never tried again: the kernel may have dropped the pages (docs/reliability.md#faults).
      if durability == .file { guard fsync(staged.file.descriptor) == 0 else { throw fault("fsync") } }
      var status = stat()
      guard fstat(staged.file.descriptor, &status) == 0 else { throw fault("stat") }
      guard status.st_size == byteCount else { throw FileFault(call: "writing", number: EIO, path: staged.part) }
    } catch {
      discard(staged)
      throw error
    }
  }

  /// Writes the bytes under a temporary name and syncs them.
  ///
  /// - Throws: `FileFault`, `EINTR` when the batch was abandoned. The part file is gone then.
  package func stage(_ bytes: [UInt8], for target: FilePath) throws(FileFault) -> Staged {
    let staged = try begin(target)
    do throws(CodecError) {
      try CodecJobs.writeAll(bytes, staged.file.descriptor, isSidecar: false)
    } catch {
      discard(staged)
      var number = EIO
      if case .write(let found, _) = error { number = found }
      throw FileFault(call: "writing", number: number, path: staged.part)
    }
    try sync(staged, byteCount: bytes.count)
    return staged
  }

  /// Gives a staged file its name and makes the name durable.
  ///
  /// - Throws: `FileFault`; `EEXIST` for a target that is there when `existing` is `.refuse`, `EINTR` when the batch
  ///   was abandoned. The part file is gone then.
  package func commit(_ staged: Staged, existing: ExistingFile) throws(FileFault) {
    var number: Int32 = 0
    let wasAllowed: Void? = parts.finish(staged.part) {
      number = staged.part.withCString { from in
        staged.target.withCString { to in
          existing == .replace ? (rename(from, to) == 0 ? 0 : errno) : hdr_rename_noreplace(from, to)
        }
      }
      if number != 0 { _ = staged.part.withCString { unlink($0) } }
    }
    if wasAllowed == nil { throw FileFault(call: "writing", number: EINTR, path: staged.target) }
    if number != 0 { throw FileFault(call: "rename", number: number, path: staged.target) }
    if durability == .file { try syncFolder(staged.target.parent) }
  }

  /// Removes a staged file.
  package func discard(_ staged: Staged) {
    _ = parts.finish(staged.part) { staged.part.withCString { unlink($0) } }
  }

  /// `stage` and `commit` in one.
  package func write(_ bytes: [UInt8], to target: FilePath, existing: ExistingFile) throws(FileFault) {
    try commit(try stage(bytes, for: target), existing: existing)
  }
}
