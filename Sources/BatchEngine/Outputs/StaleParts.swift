import Glibc
import HDRRecipe
import HDRRender

/// Part files of runs that were killed.
package enum StaleParts {
  /// Part files below folders that were not written for some seconds, sorted. Those of a process that runs on this
  /// machine are in use, however old they are.
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
        guard status.isRegularFile, let maker = Maker(part: name), !maker.isRunning,
          now - Double(status.st_mtim.tv_sec) >= seconds
        else { continue }
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
      if error.number != ENOENT { throw RecordError(error.message) }
    }
  }

  /// The process that made a part file.
  struct Maker {
    var host: String
    var pid: Int32

    /// - Parameter name: `.NAME.HOST.PID.N.part`, as `AtomicWriter` calls them; `nil` for others.
    init?(part name: [UInt8]) {
      let pieces = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      func number(_ piece: ArraySlice<UInt8>) -> Int? {
        piece.allSatisfy { (0x30...0x39).contains($0) } ? Int(String(decoding: piece, as: UTF8.self)) : nil
      }
      guard pieces.count >= 6, pieces[0].isEmpty, pieces[pieces.count - 1].elementsEqual("part".utf8),
        number(pieces[pieces.count - 2]) != nil, let pid = number(pieces[pieces.count - 3])
      else { return nil }
      host = String(decoding: pieces[pieces.count - 4], as: UTF8.self)
      self.pid = Int32(clamping: pid)
    }

    /// True if the process runs on this machine; nothing is known of other machines.
    var isRunning: Bool { host == hostName(forFiles: true) && pid > 0 && (kill(pid, 0) == 0 || errno == EPERM) }
  }
}
