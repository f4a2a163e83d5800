import Glibc
import HDRRecipe
import Synchronization

/// Writes complete files or none (docs/reliability.md#durability): a temporary name beside the target, sync, rename,
/// sync of the folder. A reader never sees half a file, and a reported file is on the disk.
package struct AtomicWriter: Sendable {
  package let parts: PartFiles
  package let durability: Durability
  package let files: any FileSystem
  private let folders = OutputFolders()
  private let host = hostName(forFiles: true)
  private let pid = getpid()

  package init(parts: PartFiles, durability: Durability = .file) {
    self.parts = parts
    self.durability = durability
    files = parts.files
  }

  /// The number of temporary names of this process: two writes never share one.
  private static let attempts = Atomic<Int>(0)

  /// Returns a temporary name for a target: hidden, in the same folder, with host, process and attempt in it.
  package func partName(for target: [UInt8]) -> [UInt8] {
    let attempt = Self.attempts.wrappingAdd(1, ordering: .relaxed).newValue
    let tail = Array(".\(host).\(pid).\(attempt).part".utf8)
    // A name has 255 bytes at most.
    return [UInt8(ascii: ".")] + target.prefix(max(0, 254 - tail.count)) + tail
  }

  /// A file under its temporary name, which waits for `commit` or `discard`.
  package struct Staged: Sendable {
    package var folder: OpenFolder
    package var part: FilePath
    package var target: FilePath
    /// The file, open for reading and writing.
    package var file: OpenFile
  }

  /// Returns the folder of an output, and makes it if it is below a folder that the user named.
  ///
  /// - Parameter relative: the output's path below that folder; `nil` if the output's folder exists.
  /// - Throws: `FileFault`, `ELOOP` for a link below the folder that the user named.
  package func folder(of target: FilePath, relative: FilePath? = nil) throws(FileFault) -> OpenFolder {
    guard let relative else { return try files.folder(target.parent) }
    return try folders.folder(of: target, relative: relative, files, isDurable: durability == .file)
  }

  /// Makes an empty file under a temporary name, for the caller to write.
  ///
  /// - Parameter folder: the folder of the target.
  /// - Throws: `FileFault`, `EINTR` if the batch was abandoned.
  package func begin(_ target: FilePath, in folder: OpenFolder) throws(FileFault) -> Staged {
    let name = partName(for: target.name), part = folder.path.appending(name)
    guard parts.add(name, in: folder) else { throw FileFault(call: "writing", number: EINTR, path: target) }
    do throws(FileFault) {
      return Staged(folder: folder, part: part, target: target, file: try files.create(name, in: folder))
    } catch {
      _ = parts.finish(name, in: folder) {}
      throw error
    }
  }

  /// Syncs the file, if it has the given size.
  ///
  /// - Throws: `FileFault`. The part file is then removed.
  package func sync(_ staged: Staged, byteCount: Int) throws(FileFault) {
    do throws(FileFault) {
      if durability == .file { try files.sync(staged.file, staged.part) }
      guard try files.size(of: staged.file, staged.part) == byteCount else {
        throw FileFault(call: "writing", number: EIO, path: staged.part)
      }
    } catch {
      discard(staged)
      throw error
    }
  }

  /// Writes the bytes under a temporary name and syncs them.
  ///
  /// - Throws: `FileFault`, `EINTR` if the batch was abandoned. The part file is then removed.
  package func stage(_ bytes: [UInt8], for target: FilePath) throws(FileFault) -> Staged {
    let staged = try begin(target, in: try folder(of: target))
    do throws(FileFault) {
      try files.write(bytes, to: staged.file, staged.part)
    } catch {
      discard(staged)
      throw error
    }
    try sync(staged, byteCount: bytes.count)
    return staged
  }

  /// Gives a staged file its name and makes the name durable.
  ///
  /// - Throws: `FileFault`; `EEXIST` for an existing target if `existing` is `.refuse`, `EINTR` if the batch was
  ///   abandoned. The part file is then removed.
  package func commit(_ staged: Staged, existing: ExistingFile) throws(FileFault) {
    let result = parts.finish(staged.part.name, in: staged.folder) { () -> FileFault? in
      do throws(FileFault) {
        try files.rename(staged.part.name, to: staged.target.name, in: staged.folder, existing: existing)
        return nil
      } catch {
        try? files.remove(staged.part.name, in: staged.folder)
        return error
      }
    }
    guard let result else { throw FileFault(call: "writing", number: EINTR, path: staged.target) }
    if let fault = result { throw fault }
    if durability == .file { try files.sync(staged.folder) }
  }

  /// Removes a staged file.
  package func discard(_ staged: Staged) {
    _ = parts.finish(staged.part.name, in: staged.folder) {
      try? files.remove(staged.part.name, in: staged.folder)
    }
  }

  /// Stages and commits a file.
  package func write(_ bytes: [UInt8], to target: FilePath, existing: ExistingFile) throws(FileFault) {
    try commit(try stage(bytes, for: target), existing: existing)
  }
}
