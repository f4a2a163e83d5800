import Glibc
import Synchronization

/// The folders for the outputs of a run: made if necessary, and never through a link that leads out of the folder that
/// the user named (docs/reliability.md#promises).
package final class OutputFolders: Sendable {
  private struct State {
    /// Folders that the user named, opened once per run: a later replacement gets nothing.
    var roots: [FilePath: OpenFolder] = [:]
    /// Folders below them that exist, with their names on the disk.
    var known: Set<FilePath> = []
  }

  private let state = Mutex(State())

  package init() {}

  /// Returns the folder of an output, and makes it if it does not exist.
  ///
  /// - Parameters:
  ///   - relative: the output's path below the folder that the user named.
  ///   - isDurable: true if the folder's name and those above it must be on the disk when this returns.
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

  /// Returns the first symbolic link below the folder that the user named; `nil` if none. A plan is refused because of
  /// it; `folder` finds a link that comes later.
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
