import Synchronization

/// Part files that exist now, so that they can be removed if the process ends early.
///
/// Once closed no part can be made and none can reach its final name: a stopped batch leaves whole files only.
package final class PartFiles: Sendable {
  private struct State {
    /// By their names, of which this process makes none twice.
    var live: [[UInt8]: OpenFolder] = [:]
    var isClosed = false
  }
  package let files: any FileSystem
  private let state = Mutex(State())

  package init(_ files: any FileSystem = LinuxFileSystem()) { self.files = files }

  /// `false` when closed.
  package func add(_ name: [UInt8], in folder: OpenFolder) -> Bool {
    state.withLock { state in
      if !state.isClosed { state.live[name] = folder }
      return !state.isClosed
    }
  }

  /// Runs `body` and forgets the part; `nil` when closed. Held under the lock: a rename is either done or never begins.
  package func finish<R>(_ name: [UInt8], in folder: OpenFolder, _ body: () -> R) -> R? {
    state.withLock { state in
      if state.isClosed { return nil }
      state.live[name] = nil
      return body()
    }
  }

  /// Unlinks all parts for good.
  package func close() {
    state.withLock { state in
      state.isClosed = true
      for (name, folder) in state.live { try? files.remove(name, in: folder) }
      state.live = [:]
    }
  }
}
