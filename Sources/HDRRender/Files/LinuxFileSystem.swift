import CPlatform
import CodecService
import Glibc

/// The file system of this machine.
package struct LinuxFileSystem: FileSystem {
  package init() {}

  package func folder(_ path: FilePath) throws(FileFault) -> OpenFolder {
    try opened("open", path) { flags in path.withCString { open($0, flags) } }
  }

  package func folder(_ relative: FilePath, in folder: OpenFolder) throws(FileFault) -> OpenFolder {
    try opened("open", folder.path.appending(relative.bytes)) { flags in
      relative.withCString { hdr_open_beneath(folder.descriptor, $0, flags) }
    }
  }

  private func opened(_ call: String, _ path: FilePath, _ body: (Int32) -> Int32) throws(FileFault) -> OpenFolder {
    let flags = O_DIRECTORY | O_CLOEXEC
    var descriptor = body(flags | O_RDONLY)
    // Files may be put into a folder that may not be listed; it cannot be synced.
    if descriptor < 0 && errno == EACCES { descriptor = body(flags | hdr_path_only) }
    guard descriptor >= 0 else { throw FileFault(call: call, number: errno, path: path) }
    return OpenFolder(descriptor, path)
  }

  package func makeFolder(_ name: [UInt8], in folder: OpenFolder) throws(FileFault) {
    try demand("creation", name, folder) { mkdirat(folder.descriptor, $0, 0o777) }
  }

  package func create(_ name: [UInt8], in folder: OpenFolder) throws(FileFault) -> OpenFile {
    let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC
    return OpenFile(try demand("creation", name, folder) { openat(folder.descriptor, $0, flags, 0o666) })
  }

  package func replace(_ path: FilePath) throws(FileFault) -> OpenFile {
    let number = path.withCString { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o666) }
    guard number >= 0 else { throw FileFault(call: "creation", number: errno, path: path) }
    return OpenFile(number)
  }

  package func write(_ bytes: [UInt8], to file: OpenFile, _ path: FilePath) throws(FileFault) {
    do throws(CodecError) {
      try CodecJobs.writeAll(bytes, file.descriptor, isSidecar: false)
    } catch {
      var number = EIO
      if case .write(let found, _) = error { number = found }
      throw FileFault(call: "writing", number: number, path: path)
    }
  }

  package func size(of file: OpenFile, _ path: FilePath) throws(FileFault) -> Int {
    var status = stat()
    guard fstat(file.descriptor, &status) == 0 else { throw FileFault(call: "stat", number: errno, path: path) }
    return Int(status.st_size)
  }

  package func sync(_ file: OpenFile, _ path: FilePath) throws(FileFault) {
    let number = Self.uninterrupted { fdatasync(file.descriptor) }
    if number == 0 { return }
    // A pipe or device has nothing to sync.
    var status = stat()
    if number == EINVAL || number == EROFS, fstat(file.descriptor, &status) == 0, !status.isRegularFile { return }
    throw FileFault(call: "fsync", number: number, path: path)
  }

  package func sync(_ folder: OpenFolder) throws(FileFault) {
    // Some file systems cannot sync a folder.
    let number = Self.uninterrupted { fsync(folder.descriptor) }
    guard number == 0 || number == EINVAL else { throw FileFault(call: "fsync", number: number, path: folder.path) }
  }

  package func syncAll(_ folder: OpenFolder) throws(FileFault) {
    let number = Self.uninterrupted { hdr_syncfs(folder.descriptor) }
    guard number == 0 else { throw FileFault(call: "syncfs", number: number, path: folder.path) }
  }

  /// Repeats a call that a signal interrupted, which says nothing about the data; no other failed sync is repeated
  /// (docs/reliability.md#durability).
  ///
  /// - Returns: 0, or the error number.
  private static func uninterrupted(_ call: () -> Int32) -> Int32 {
    while call() != 0 {
      if errno != EINTR { return errno }
    }
    return 0
  }

  package func rename(
    _ name: [UInt8], to target: [UInt8], in folder: OpenFolder, existing: ExistingFile
  ) throws(FileFault) {
    let number = FilePath(bytes: name).withCString { from in
      FilePath(bytes: target).withCString { hdr_rename(folder.descriptor, from, $0, existing == .replace ? 1 : 0) }
    }
    if number != 0 { throw FileFault(call: "rename", number: number, path: folder.path.appending(target)) }
  }

  package func remove(_ name: [UInt8], in folder: OpenFolder) throws(FileFault) {
    try demand("removal", name, folder) { unlinkat(folder.descriptor, $0, 0) }
  }

  package func removeFolder(_ name: [UInt8], in folder: OpenFolder) throws(FileFault) {
    try demand("removal", name, folder) { unlinkat(folder.descriptor, $0, AT_REMOVEDIR) }
  }

  package func status(_ name: [UInt8], in folder: OpenFolder) -> stat? {
    var status = stat()
    let result = FilePath(bytes: name).withCString {
      fstatat(folder.descriptor, $0, &status, AT_SYMLINK_NOFOLLOW)
    }
    return result == 0 ? status : nil
  }

  package func names(in folder: OpenFolder) throws(FileFault) -> [[UInt8]] {
    func fault() -> FileFault { FileFault(call: "listing", number: errno, path: folder.path) }
    // A separate file description has its own position in the folder.
    let descriptor = openat(folder.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw fault() }
    guard let stream = fdopendir(descriptor) else {
      defer { close(descriptor) }
      throw fault()
    }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name != Array(".".utf8) && name != Array("..".utf8) { names.append(name) }
    }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Returns the call's result; throws if it is below 0.
  @discardableResult
  private func demand(
    _ call: String, _ name: [UInt8], _ folder: OpenFolder, _ body: (UnsafePointer<CChar>) -> Int32
  ) throws(FileFault) -> Int32 {
    let result = FilePath(bytes: name).withCString(body)
    guard result >= 0 else { throw FileFault(call: call, number: errno, path: folder.path.appending(name)) }
    return result
  }
}
