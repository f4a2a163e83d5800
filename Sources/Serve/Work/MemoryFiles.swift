import CPlatform
import Glibc
import HDRCore
import HDRRender
import Synchronization
import Threads

/// A file system of one request, whose files are memory that clients map.
final class MemoryFiles: FileSystem {
  private let files = Mutex<[[UInt8]: OpenFile]>([:])
  /// The memory of the first file, with its pages; `nil` once it is taken.
  private let first: Mutex<Later<OpenFile?>?>

  /// The least bytes of a file whose pages are made ahead, and the most: what is expected may not come.
  private static let ahead = 1 << 20...64 << 20

  /// - Parameter bytes: the likely size of the first file, whose pages are made beside the work on its picture.
  init(expecting bytes: Int) {
    let isMade = bytes >= Self.ahead.lowerBound, bytes = min(bytes, Self.ahead.upperBound)
    first = Mutex(
      isMade
        ? Later(name: "memory") {
          let number = Self.memory()
          guard number >= 0 else { return nil }
          // Without pages they are made as they are written.
          _ = hdr_make_pages(number, UInt64(bytes))
          return OpenFile(number)
        } : nil)
  }

  private static func memory() -> Int32 { hdr_plain_memory("hdrbatch output", 0) }

  /// Takes a finished file out, without pages that it has not filled.
  func take(_ name: [UInt8]) -> OpenFile? {
    let file = files.withLock { $0.removeValue(forKey: name) }
    var status = stat()
    if let file, fstat(file.descriptor, &status) == 0 {
      let end = HostBlock.wholePages(Int(status.st_size)), most = Self.ahead.upperBound
      if end < most { _ = hdr_forget_memory(file.descriptor, UInt64(end), UInt64(most - end)) }
    }
    return file
  }

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
    let ahead = first.withLock { $0.take() }?.value
    let number = ahead == nil ? Self.memory() : -1
    guard ahead != nil || number >= 0 else {
      throw FileFault(call: "memfd_create", number: errno, path: folder.path.appending(name))
    }
    let file = ahead ?? OpenFile(number)
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
