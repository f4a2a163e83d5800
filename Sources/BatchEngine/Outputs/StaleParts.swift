import Glibc
import HDRRender

/// Part files of runs that were killed.
package enum StaleParts {
  /// Part files below folders that were not written for some seconds, sorted.
  ///
  /// - Throws: `UsageError` for a folder that cannot be listed.
  package static func find(in folders: [FilePath], olderThan seconds: Double) throws(UsageError) -> [FilePath] {
    let now = Double(time(nil))
    var found: Set<FilePath> = []
    var open = folders
    do throws(FileFault) {
      while let folder = open.popLast() {
        for name in try namesInFolder(folder) {
          let path = folder.appending(name)
          var status = stat()
          guard path.withCString({ lstat($0, &status) }) == 0 else { continue }
          if status.isFolder { open.append(path) }
          if status.isRegularFile, isPart(name), now - Double(status.st_mtim.tv_sec) >= seconds { found.insert(path) }
        }
      }
    } catch {
      throw UsageError(error.message)
    }
    return found.sorted()
  }

  /// `.NAME.HOST.PID.N.part`, as `AtomicWriter` calls them.
  static func isPart(_ name: [UInt8]) -> Bool {
    let pieces = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    func isNumber(_ piece: ArraySlice<UInt8>) -> Bool {
      !piece.isEmpty && piece.allSatisfy { (0x30...0x39).contains($0) }
    }
    return pieces.count >= 6 && pieces[0].isEmpty && pieces[pieces.count - 1].elementsEqual("part".utf8)
      && isNumber(pieces[pieces.count - 2]) && isNumber(pieces[pieces.count - 3])
  }

  /// - Throws: `RecordError` for one that cannot be removed.
  package static func remove(_ parts: [FilePath]) throws(RecordError) {
    for part in parts where part.withCString({ unlink($0) }) != 0 && errno != ENOENT {
      throw RecordError(description: FileFault(call: "removal", number: errno, path: part).message)
    }
  }
}
