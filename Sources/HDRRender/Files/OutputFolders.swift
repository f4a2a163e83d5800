import Glibc
import Synchronization

/// Folders that outputs of a run go into: made on the way, and never through a link that leads out of the folder that the
/// user named (docs/reliability.md#promises).
package final class OutputFolders: Sendable {
  private struct State {
    /// Folders that the user named, opened once a run: what is put in their place later gets nothing.
    var roots: [FilePath: OpenFolder] = [:]
    /// Folders below them that are there, with their names on the disk.
    var known: Set<FilePath> = []
  }

  private let state = Mutex(State())

  package init() {}

  /// The folder of an output, made if it is not there.
  ///
  /// - Parameters:
  ///   - relative: the output's end below the folder that the user named.
  ///   - isDurable: the folder's name and those above it are on the disk when this returns.
  func folder(
    of path: FilePath, relative: FilePath, _ files: any FileSystem, isDurable: Bool
  ) throws(FileFault) -> OpenFolder {
    let place = Self.root(of: path, relative: relative), parent = relative.parent
    let root: OpenFolder
    if let known = state.withLock({ $0.roots[place] }) {
      root = known
    } else {
      root = try files.makeFolders(place, isDurable: isDurable)
      state.withLock { $0.roots[place] = root }
    }
    if parent == FilePath(".") { return root }
    if state.withLock({ $0.known.contains(path.parent) }) { return try files.folder(parent, in: root) }
    let folder = try files.makeFolders(parent, in: root, isDurable: isDurable)
    state.withLock { _ = $0.known.insert(path.parent) }
    return folder
  }

  private static func root(of path: FilePath, relative: FilePath) -> FilePath {
    var root = path.parent
    for _ in 0..<relative.bytes.count(where: { $0 == UInt8(ascii: "/") }) { root = root.parent }
    return root
  }

  /// The first symbolic link below the folder that the user named; `nil` for none. A plan is refused by it; a link that
  /// comes later is met by `folder`.
  package static func link(above path: FilePath, relative: FilePath) -> FilePath? {
    var folders = [path.parent]
    for _ in 0..<relative.bytes.count(where: { $0 == UInt8(ascii: "/") }) {
      folders.append(folders[folders.count - 1].parent)
    }
    return folders.reversed().dropFirst().first { folder in
      var status = stat()
      return folder.withCString { lstat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFLNK
    }
  }
}
