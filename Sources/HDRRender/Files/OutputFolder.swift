import Glibc

/// Folders below the output folder: made on the way, and never through a link that leads out of it
/// (docs/reliability.md#promises).
package enum OutputFolder {
  /// The folders between the output folder and an output, outermost first; the output folder itself comes first of all.
  private static func folders(of path: FilePath, relative: FilePath) -> [FilePath] {
    var folders = [path.parent]
    for _ in 0..<relative.bytes.count(where: { $0 == UInt8(ascii: "/") }) {
      folders.append(folders[folders.count - 1].parent)
    }
    return folders.reversed()
  }

  /// The first symbolic link below the output folder; `nil` for none. The folder itself may be a link: the user named
  /// it.
  package static func link(above path: FilePath, relative: FilePath) -> FilePath? {
    folders(of: path, relative: relative).dropFirst().first { folder in
      var status = stat()
      return folder.withCString { lstat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFLNK
    }
  }

  /// Makes the folder of an output and those above it.
  ///
  /// - Throws: `FileFault`, `ELOOP` for a symbolic link below the output folder.
  package static func make(for path: FilePath, relative: FilePath) throws(FileFault) {
    for folder in folders(of: path, relative: relative) { try makeFolder(folder) }
    // After they are there: a link put in a folder's place meanwhile is seen too.
    if let link = link(above: path, relative: relative) {
      throw FileFault(call: "creation", number: ELOOP, path: link)
    }
  }
}
