import Glibc
import HDRRender

/// Part files of runs that were killed.
package enum StaleParts {
  /// Part files below folders that were not written for some seconds, sorted.
  ///
  /// - Parameter removes: they are gone when this returns.
  /// - Throws: `UsageError` for a folder that cannot be listed, `RecordError` for a part that cannot be removed.
  package static func find(
    in folders: [FilePath], olderThan seconds: Double, removes: Bool = false,
    _ files: any FileSystem = LinuxFileSystem()
  ) throws -> [FilePath] {
    let now = Double(time(nil))
    var found: Set<FilePath> = []
    func walk(_ folder: OpenFolder) throws {
      for name in try files.names(in: folder) {
        guard let status = files.status(name, in: folder) else { continue }
        if status.isFolder { try walk(try files.folder(FilePath(bytes: name), in: folder)) }
        guard status.isRegularFile, isPart(name), now - Double(status.st_mtim.tv_sec) >= seconds else { continue }
        found.insert(folder.path.appending(name))
        if removes { try remove(name, folder, files) }
      }
    }
    for folder in folders {
      do {
        try walk(try files.folder(folder))
      } catch let fault as FileFault {
        throw UsageError(fault.message)
      }
    }
    return found.sorted()
  }

  private static func remove(_ name: [UInt8], _ folder: OpenFolder, _ files: any FileSystem) throws(RecordError) {
    do throws(FileFault) {
      try files.remove(name, in: folder)
    } catch {
      if error.number != ENOENT { throw RecordError(description: error.message) }
    }
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
}
