import CPlatform
import Glibc
import HDRRender
import Synchronization

/// A file system of one request, whose files are memory that clients map.
final class MemoryFiles: FileSystem {
  private let files = Mutex<[[UInt8]: OpenFile]>([:])

  /// Takes a finished file out.
  func take(_ name: [UInt8]) -> OpenFile? { files.withLock { $0.removeValue(forKey: name) } }

  /// Takes the other files out, in the order of their names.
  func takeAll() -> [(name: [UInt8], file: OpenFile)] {
    files.withLock { files in
      defer { files = [:] }
      return files.map { ($0, $1) }.sorted { $0.0.lexicographicallyPrecedes($1.0) }
    }
  }

  func folder(_ path: FilePath) throws(FileFault) -> OpenFolder {
    let number = open("/", hdr_path_only | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw FileFault(call: "open", number: errno, path: path) }
    return OpenFolder(number, path)
  }

  func folder(_ relative: FilePath, in folder: OpenFolder) throws(FileFault) -> OpenFolder {
    try self.folder(folder.path.appending(relative.bytes))
  }

  func makeFolder(_ name: [UInt8], in folder: OpenFolder) throws(FileFault) {}

  func create(_ name: [UInt8], in folder: OpenFolder) throws(FileFault) -> OpenFile {
    let number = hdr_plain_memory("hdrbatch output", 0)
    guard number >= 0 else {
      throw FileFault(call: "memfd_create", number: errno, path: folder.path.appending(name))
    }
    let file = OpenFile(number)
    files.withLock { $0[name] = file }
    return file
  }

  func replace(_ path: FilePath) throws(FileFault) -> OpenFile { try create(path.name, in: try folder(path.parent)) }

  func write(_ bytes: [UInt8], to file: OpenFile, _ path: FilePath) throws(FileFault) {
    try LinuxFileSystem().write(bytes, to: file, path)
  }

  func size(of file: OpenFile, _ path: FilePath) throws(FileFault) -> Int {
    try LinuxFileSystem().size(of: file, path)
  }

  func sync(_ file: OpenFile, _ path: FilePath) throws(FileFault) {}
  func sync(_ folder: OpenFolder) throws(FileFault) {}
  func syncAll(_ folder: OpenFolder) throws(FileFault) {}

  func rename(
    _ name: [UInt8], to target: [UInt8], in folder: OpenFolder, existing: ExistingFile
  ) throws(FileFault) {
    files.withLock { $0[target] = $0.removeValue(forKey: name) }
  }

  func remove(_ name: [UInt8], in folder: OpenFolder) throws(FileFault) { _ = take(name) }
  func removeFolder(_ name: [UInt8], in folder: OpenFolder) throws(FileFault) {}
  func status(_ name: [UInt8], in folder: OpenFolder) -> stat? { nil }
  func names(in folder: OpenFolder) throws(FileFault) -> [[UInt8]] { files.withLock { Array($0.keys) } }
}
