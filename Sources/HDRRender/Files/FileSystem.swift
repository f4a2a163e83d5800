import Glibc

/// All calls by which a run changes a disk, and the reads that these depend on: outputs, part files, journals, records,
/// reports. Tests replace it by a file system whose calls fail, or that models a power cut.
///
/// Names are single components in open folders. Only paths from the user are opened as paths.
package protocol FileSystem: Sendable {
  /// Opens a folder that the user named; links are followed.
  func folder(_ path: FilePath) throws(FileFault) -> OpenFolder
  /// Opens a folder below another. `ELOOP` for a link on the way, `EXDEV` for a path that leads out.
  func folder(_ relative: FilePath, in folder: OpenFolder) throws(FileFault) -> OpenFolder
  /// Makes a folder. `EEXIST` if something exists there.
  func makeFolder(_ name: [UInt8], in folder: OpenFolder) throws(FileFault)
  /// Makes a new file, open for reading and writing. `EEXIST` if something exists there.
  func create(_ name: [UInt8], in folder: OpenFolder) throws(FileFault) -> OpenFile
  /// Opens a file that the user named for writing, and empties it.
  func replace(_ path: FilePath) throws(FileFault) -> OpenFile
  /// Appends all bytes to the file.
  func write(_ bytes: [UInt8], to file: OpenFile, _ path: FilePath) throws(FileFault)
  /// Returns the number of bytes in the file.
  func size(of file: OpenFile, _ path: FilePath) throws(FileFault) -> Int
  /// Forces the file's data to the disk.
  ///
  /// A failed sync is never tried again: the kernel may have dropped the pages (docs/reliability.md#durability).
  func sync(_ file: OpenFile, _ path: FilePath) throws(FileFault)
  /// Forces the names in a folder to the disk.
  func sync(_ folder: OpenFolder) throws(FileFault)
  /// Forces the folder's whole file system to the disk. Fails if a write has failed since the folder was opened.
  func syncAll(_ folder: OpenFolder) throws(FileFault)
  /// Renames a file. `EEXIST` if the target exists and `existing` is `.refuse`.
  func rename(_ name: [UInt8], to target: [UInt8], in folder: OpenFolder, existing: ExistingFile) throws(FileFault)
  /// Removes a file or a link.
  func remove(_ name: [UInt8], in folder: OpenFolder) throws(FileFault)
  /// Removes an empty folder.
  func removeFolder(_ name: [UInt8], in folder: OpenFolder) throws(FileFault)
  /// Returns the status of a name itself, not of a link's target; `nil` if nothing exists there.
  func status(_ name: [UInt8], in folder: OpenFolder) -> stat?
  /// Returns the names in a folder, without `.` and `..`, sorted by their bytes.
  func names(in folder: OpenFolder) throws(FileFault) -> [[UInt8]]
}

/// The action if the target of a write exists.
public enum ExistingFile: Sendable, Hashable {
  case replace, refuse
}

extension FileSystem {
  /// Opens a folder that the user named, and makes it and its parents if necessary.
  ///
  /// - Parameter isDurable: true if the names of new folders must be on the disk when this returns.
  package func makeFolders(_ path: FilePath, isDurable: Bool) throws(FileFault) -> OpenFolder {
    do throws(FileFault) {
      return try folder(path)
    } catch {
      let parent = path.parent
      guard error.number == ENOENT, parent != path, !path.bytes.isEmpty else { throw error }
      let above = try makeFolders(parent, isDurable: isDurable)
      try makeFolderIfNone(path.name, in: above)
      if isDurable { try sync(above) }
      return try folder(path)
    }
  }

  /// Opens a folder below another, and makes it and its parents if necessary.
  ///
  /// - Parameter isDurable: true if the names on the way must be on the disk when this returns, even old ones.
  package func makeFolders(
    _ relative: FilePath, in root: OpenFolder, isDurable: Bool
  ) throws(FileFault) -> OpenFolder {
    var here = root
    for name in relative.bytes.split(separator: UInt8(ascii: "/")) {
      try makeFolderIfNone(Array(name), in: here)
      if isDurable { try sync(here) }
      here = try folder(FilePath(bytes: Array(name)), in: here)
    }
    return here
  }

  /// Makes a folder; another thread or process may have made it first.
  private func makeFolderIfNone(_ name: [UInt8], in folder: OpenFolder) throws(FileFault) {
    do throws(FileFault) {
      try makeFolder(name, in: folder)
    } catch {
      if error.number != EEXIST { throw error }
    }
  }

  /// Removes the contents of a folder. Links are not followed.
  package func removeAll(in folder: OpenFolder) throws(FileFault) {
    for name in try names(in: folder) {
      if status(name, in: folder)?.isFolder == true {
        try removeAll(in: try self.folder(FilePath(bytes: name), in: folder))
        try removeFolder(name, in: folder)
      } else {
        try remove(name, in: folder)
      }
    }
  }
}
