import Synchronization

/// The part files that exist now, so that they can be removed if the process ends early.
///
/// After `close` no part can be made and none can get its final name: a stopped batch leaves complete files only.
package final class PartFiles: Sendable {
  private struct State {
    /// The live parts by name; this process never makes a name twice.
    var live: [[UInt8]: OpenFolder] = [:]
    var isClosed = false
  }
  package let files: any FileSystem
  private let state = Mutex(State())

  package init(_ files: any FileSystem = LinuxFileSystem()) { self.files = files }

  /// Adds a part; returns false if closed.
  package func add(_ name: [UInt8], in folder: OpenFolder) -> Bool {
    state.withLock { state in
      if !state.isClosed { state.live[name] = folder }
      return !state.isClosed
    }
  }

  /// Runs `body` and forgets the part; `nil` if closed. The lock is held: a rename is either done or never begins.
  package func finish<R>(_ name: [UInt8], in folder: OpenFolder, _ body: () -> R) -> R? {
    state.withLock { state in
      if state.isClosed { return nil }
      state.live[name] = nil
      return body()
    }
  }

  /// Removes all parts and refuses new ones.
  package func close() {
    state.withLock { state in
      state.isClosed = true
      for (name, folder) in state.live { try? files.remove(name, in: folder) }
      state.live = [:]
    }
  }
}
