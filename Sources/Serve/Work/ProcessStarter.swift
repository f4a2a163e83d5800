import HDRRender
import Threads

/// Starts codec processes in place of those that files have cost, beside the requests that follow.
final class ProcessStarter: Sendable {
  private struct State {
    var isWanted = false
    var isOver = false
  }

  private let state: Monitor<State>
  private let thread: WorkerThread

  init(_ codecs: IsolatedCodecs) {
    let state = Monitor(State())
    self.state = state
    thread = WorkerThread(name: "starts", isService: true) {
      while state.wait(until: { state -> Bool? in
        guard state.isWanted || state.isOver else { return nil }
        state.isWanted = false
        return !state.isOver
      }) {
        // An operation that finds no process starts one itself, and reports why it cannot.
        _ = try? codecs.startEnded()
      }
    }
  }

  /// Begins to start what is missing.
  func start() { state.change { $0.isWanted = true } }

  /// Ends after the start that goes on.
  func close() {
    state.change { $0.isOver = true }
    if thread.isRunning { thread.join() }
  }
}
