import CodecService
import Glibc
import HDRCore
import HDRRecipe
import HDRRender

/// A folder whose pictures are handed out when they have arrived: written to the end, and unchanged for two seconds.
///
/// The system says when something happens below the folder. Places that it does not tell of, as folders of other machines,
/// are looked at from time to time.
package final class FolderWatch {
  /// The size and time of a file, by which a change is seen.
  private struct Version: Hashable {
    var file: FileIdentity?
    var size: Int
    var seconds: Int, nanoseconds: Int

    init(_ path: FilePath, _ status: stat) {
      file = FileIdentity(path)
      size = Int(status.st_size)
      (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }
  }

  /// Seconds without a change, after which a file has arrived.
  package static let settling = 2.0
  /// Seconds between two looks at all files: where the system tells of each folder, and where it does not.
  private static let interval = 60.0, intervalUntold = 5.0
  /// Microseconds after which a stop or an event is seen.
  private static let pause: UInt32 = 500_000
  private static let maxDepth = 64

  private let folder: FilePath
  private let excluded: [FilePath]
  private let descriptor: Int32
  private var watched: Set<FileIdentity> = []
  private var isToldAll = true
  private var nextLook = 0.0
  /// Files that were handed out, and files that may still change, with the time since when they have not.
  private var known: [FilePath: Version] = [:]
  private var pending: [FilePath: (version: Version, since: Double)] = [:]

  /// - Parameters:
  ///   - folder: with all folders below it.
  ///   - excluded: folders whose files are not taken.
  /// - Throws: `UsageError` if there is no such folder.
  package init(_ folder: FilePath, excluding excluded: [FilePath]) throws(UsageError) {
    guard fileStatus(folder)?.isFolder == true else { throw UsageError("\(folder.display): no such folder") }
    self.folder = folder
    self.excluded = excluded
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    isToldAll = descriptor >= 0
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Waits for pictures that have arrived.
  ///
  /// - Parameter isOver: asked often; true ends the wait.
  /// - Returns: the pictures in the order of their paths; an empty list at the end.
  /// - Throws: `UsageError` for a folder that cannot be read any more.
  package func next(isOver: () -> Bool) throws(UsageError) -> [InputReference] {
    while !isOver() {
      let now = monotonicSeconds()
      if hasEvents() || now >= nextLook {
        let found = try look(now)
        if !found.isEmpty { return found }
      }
      // Events of a file that is being copied come without end: they wait until the next turn.
      usleep(Self.pause)
    }
    return []
  }

  /// Looks at all files, and returns those that have arrived.
  private func look(_ now: Double) throws(UsageError) -> [InputReference] {
    watch(folder, depth: 0)
    let files = try InputCollector.pictures(below: folder, excluding: excluded)
    var arrived: [InputReference] = [], open = pending
    var versions: [FilePath: Version] = [:]
    pending = [:]
    for file in files {
      guard let status = fileStatus(file.path), status.isRegularFile else { continue }
      let version = Version(file.path, status)
      if known[file.path] == version {
        versions[file.path] = version
      } else if let earlier = open.removeValue(forKey: file.path), earlier.version == version {
        if now - earlier.since >= Self.settling {
          arrived.append(file)
          versions[file.path] = version
        } else {
          pending[file.path] = earlier
        }
      } else {
        pending[file.path] = (version, now)
      }
    }
    known = versions
    let due = pending.values.map { $0.since + Self.settling }.min() ?? .infinity
    nextLook = min(due, now + (isToldAll ? Self.interval : Self.intervalUntold))
    return arrived
  }

  /// Has the system tell of a folder and of those below it.
  private func watch(_ folder: FilePath, depth: Int) {
    guard descriptor >= 0, depth <= Self.maxDepth, let identity = FileIdentity(folder),
      !excluded.contains(where: { FileIdentity($0) == identity })
    else { return }
    if watched.insert(identity).inserted {
      let events = IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_MODIFY
      if folder.withCString({ inotify_add_watch(descriptor, $0, UInt32(events)) }) < 0 { isToldAll = false }
    }
    for name in (try? namesInFolder(folder)) ?? [] where name.first != UInt8(ascii: ".") {
      let path = folder.appending(name)
      var status = stat()
      // Links to folders are not followed, as elsewhere.
      guard path.withCString({ lstat($0, &status) }) == 0, status.isFolder else { continue }
      watch(path, depth: depth + 1)
    }
  }

  /// Returns true if something has happened below the folder.
  private func hasEvents() -> Bool {
    guard descriptor >= 0 else { return false }
    var part = [UInt8](repeating: 0, count: 1 << 14), isAny = false
    while part.withUnsafeMutableBytes({ read(descriptor, $0.baseAddress, $0.count) }) > 0 { isAny = true }
    return isAny
  }
}
