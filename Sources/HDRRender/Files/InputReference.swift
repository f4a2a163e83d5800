import CPlatform
import Glibc

/// A reference to a source: its path, the picture of the file that is meant, and the folders that links may lead to.
package struct InputReference: Sendable, Hashable {
  /// The path to open it by.
  package var path: FilePath
  /// The path below the folder given on the command line, e.g. `day1/a.jpg`; the bare name for a file given directly.
  /// Output names are made from this, never from the folder's place.
  package var relative: FilePath
  /// The given folders, which links must not leave. Empty for a file given directly: its link may lead anywhere.
  package var roots: [FilePath]
  /// The frame of a sequence that was given by its pattern.
  package var frame: SequenceFrame?
  /// The picture of a file whose pictures are separate inputs; `nil`: its main one.
  package var picture: InputPicture?

  package init(path: FilePath, relative: FilePath, roots: [FilePath] = []) {
    self.path = path
    self.relative = relative
    self.roots = roots
  }

  /// Makes a reference to a file given directly.
  package init(_ path: FilePath) { self.init(path: path, relative: FilePath(bytes: path.name)) }

  /// The file to read.
  package var file: FilePath { frame?.held ?? path }

  /// The file, and the number of its picture, for messages.
  package var display: String { path.display + (picture.map { ", image \($0.number)" } ?? "") }

  /// The folder that `relative` starts from.
  package var root: FilePath {
    let rest = path.bytes.dropLast(relative.bytes.count)
    let trimmed = rest.count > 1 && rest.last == UInt8(ascii: "/") ? rest.dropLast() : rest
    return trimmed.isEmpty ? FilePath(".") : FilePath(bytes: Array(trimmed))
  }

  /// Opens it for reading, without blocking: a FIFO in the file's place cannot block the batch.
  ///
  /// - Throws: `FileFault`: `EXDEV` for a link that leads out of `roots`.
  func open() throws(FileFault) -> Int32 {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    func fault() -> FileFault { FileFault(call: "open", number: errno, path: path) }
    if roots.isEmpty {
      let descriptor = file.withCString { Glibc.open($0, flags) }
      guard descriptor >= 0 else { throw fault() }
      return descriptor
    }
    // A name that changes between two steps is resolved again.
    for _ in 0..<Self.attempts {
      if let descriptor = try openBeneathRoots(flags) { return descriptor }
    }
    throw FileFault(call: "open", number: EXDEV, path: path)
  }

  private static let attempts = 16

  /// Opens it below the roots; returns `nil` if a link has taken the place of the file meanwhile.
  /// - Throws: `FileFault`: `EXDEV` for a link that leads out of `roots`.
  private func openBeneathRoots(_ flags: Int32) throws(FileFault) -> Int32? {
    func fault() -> FileFault { FileFault(call: "open", number: errno, path: path) }
    let files = LinuxFileSystem()
    let folder = try files.folder(root)
    let descriptor = relative.withCString { hdr_open_beneath(folder.descriptor, $0, flags) }
    if descriptor >= 0 { return descriptor }
    guard errno == ELOOP || errno == EXDEV else { throw fault() }
    // Resolves the link's target, without reading there.
    let target = path.withCString { Glibc.open($0, hdr_path_only | O_CLOEXEC) }
    guard target >= 0 else { throw fault() }
    let place = Self.realPath(OpenFile(target))
    for path in roots {
      guard let root = try? files.folder(path), let place, let real = Self.realPath(root.file) else { continue }
      let above = real.bytes == [UInt8(ascii: "/")] ? real.bytes : real.bytes + [UInt8(ascii: "/")]
      guard place.bytes.starts(with: above) else { continue }
      // Only names are used from there: the opened file is below this root, even if the link changes.
      let rest = FilePath(bytes: Array(place.bytes.dropFirst(above.count)))
      let descriptor = rest.withCString { hdr_open_beneath(root.descriptor, $0, flags) }
      if descriptor < 0, errno == ELOOP { return nil }
      guard descriptor >= 0 else { throw fault() }
      return descriptor
    }
    throw FileFault(call: "open", number: EXDEV, path: path)
  }

  /// Tells the system that the file will be read soon. This is only advice: it does not block, and errors are ignored.
  package func adviseReading() {
    guard let descriptor = try? open() else { return }
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_WILLNEED)
    close(descriptor)
  }

  /// Returns the path of an open file, without links.
  private static func realPath(_ file: OpenFile) -> FilePath? {
    let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      buffer.withMemoryRebound(to: CChar.self) {
        count = max(0, readlink("/proc/self/fd/\(file.descriptor)", $0.baseAddress!, $0.count))
      }
    }
    return bytes.isEmpty || bytes.count == 4096 ? nil : FilePath(bytes: bytes)
  }
}
