import Glibc

/// Every call by which a run changes a disk, and those whose answers it writes by: outputs, part files, journals,
/// records, reports. Tests put a file system in its place whose calls fail, or that knows what a power cut would leave.
///
/// Names are single components in open folders. Only what a user named is opened by its path.
package protocol FileSystem: Sendable {
  /// A folder that the user named: links are followed.
  func folder(_ path: FilePath) throws(FileFault) -> OpenFolder
  /// A folder below another. `ELOOP` for a link on the way, `EXDEV` for a path that leads out.
  func folder(_ relative: FilePath, in folder: OpenFolder) throws(FileFault) -> OpenFolder
  /// `EEXIST` where there is something.
  func makeFolder(_ name: [UInt8], in folder: OpenFolder) throws(FileFault)
  /// A new file, open for reading and writing. `EEXIST` where there is something.
  func create(_ name: [UInt8], in folder: OpenFolder) throws(FileFault) -> OpenFile
  /// A file that the user named, open for writing, and empty.
  func replace(_ path: FilePath) throws(FileFault) -> OpenFile
  /// Writes all bytes behind those written before.
  func write(_ bytes: [UInt8], to file: OpenFile, _ path: FilePath) throws(FileFault)
  /// Bytes in the file.
  func size(of file: OpenFile, _ path: FilePath) throws(FileFault) -> Int
  /// Puts what was written on the disk.
  ///
  /// A failed sync is never tried again: the kernel may have dropped the pages (docs/reliability.md#durability).
  func sync(_ file: OpenFile, _ path: FilePath) throws(FileFault)
  /// Puts the names in a folder on the disk.
  func sync(_ folder: OpenFolder) throws(FileFault)
  /// Puts all of the folder's file system on the disk. Fails for what failed since the folder was opened.
  func syncAll(_ folder: OpenFolder) throws(FileFault)
  /// `EEXIST` where there is something and `existing` is `.refuse`.
  func rename(_ name: [UInt8], to target: [UInt8], in folder: OpenFolder, existing: ExistingFile) throws(FileFault)
  /// Removes a file or a link.
  func remove(_ name: [UInt8], in folder: OpenFolder) throws(FileFault)
  /// Removes an empty folder.
  func removeFolder(_ name: [UInt8], in folder: OpenFolder) throws(FileFault)
  /// Of a name itself, not of what a link leads to; `nil` where there is nothing.
  func status(_ name: [UInt8], in folder: OpenFolder) -> stat?
  /// The names in a folder, without `.` and `..`, sorted by their bytes.
  func names(in folder: OpenFolder) throws(FileFault) -> [[UInt8]]
}

/// What to do if the target of a write exists.
public enum ExistingFile: Sendable, Hashable {
  case replace, refuse
}

extension FileSystem {
  /// A folder that the user named, made with those above it.
  ///
  /// - Parameter isDurable: the names of folders that are made are on the disk when this returns.
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

  /// A folder below another, made with those above it.
  ///
  /// - Parameter isDurable: the names on the way are on the disk when this returns, whoever made them.
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

  /// Another thread or process may be faster.
  private func makeFolderIfNone(_ name: [UInt8], in folder: OpenFolder) throws(FileFault) {
    do throws(FileFault) {
      try makeFolder(name, in: folder)
    } catch {
      if error.number != EEXIST { throw error }
    }
  }

  /// Removes what is in a folder. No link is followed.
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
