import Glibc
import HDRRender

/// A folder of its own below `TMPDIR` or a given one, for temporary files.
package struct ScratchFolder: Sendable {
  package let path: FilePath
  private let folder: OpenFolder
  private let files = LinuxFileSystem()

  /// - Throws: `RecordError`.
  package init(in folder: FilePath? = nil) throws(RecordError) {
    let place = folder ?? FilePath(Environment.value("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp")
    var name = place.appending("hdrbatch.XXXXXX").bytes.map { CChar(bitPattern: $0) } + [0]
    guard mkdtemp(&name) != nil else {
      throw RecordError("no folder can be made in \(place.display): \(errorText(errno))")
    }
    path = FilePath(bytes: name.dropLast().map { UInt8(bitPattern: $0) })
    do throws(FileFault) {
      self.folder = try files.folder(path)
    } catch {
      throw RecordError(error.message)
    }
  }

  /// Removes the folder and its contents. No link is followed.
  package func remove() {
    try? files.removeAll(in: folder)
    _ = path.withCString { rmdir($0) }
  }
}
