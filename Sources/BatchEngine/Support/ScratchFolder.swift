import Glibc
import HDRRender

/// A folder of its own below `TMPDIR` or a given one, for temporary files.
package struct ScratchFolder: Sendable {
  package let path: FilePath

  /// - Throws: `RecordError`.
  package init(in folder: FilePath? = nil) throws(RecordError) {
    let place = folder ?? FilePath(Environment.value("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp")
    var name = place.appending("hdrbatch.XXXXXX").bytes.map { CChar(bitPattern: $0) } + [0]
    guard mkdtemp(&name) != nil else {
      throw RecordError(description: "no folder can be made in \(place.display): \(errorText(errno))")
    }
    path = FilePath(bytes: name.dropLast().map { UInt8(bitPattern: $0) })
  }

  /// Removes the folder and its contents. No link is followed.
  package func remove() { Self.remove(path) }

  private static func remove(_ path: FilePath) {
    if path.withCString({ unlink($0) }) == 0 { return }
    for name in (try? namesInFolder(path)) ?? [] { remove(path.appending(name)) }
    _ = path.withCString { rmdir($0) }
  }
}
