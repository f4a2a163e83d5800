import Threads

/// The requests that wait, of all clients, and the number of those that run.
package final class WorkQueue: Sendable {
  package struct Counts: Sendable, Equatable {
    package var running = 0
    package var waiting = 0
    package var done = 0
    package var failed = 0
    package var cancelled = 0
    package var refused = 0
  }

  private struct State {
    var waiting: [Job] = []
    /// The running requests of each client.
    var running: [Int: Int] = [:]
    var isClosed = false
    var counts = Counts()
  }

  private let limit: Int
  private let state = Monitor(State())

  /// - Parameter limit: the most requests that wait.
  package init(limit: Int) { self.limit = limit }

  package var counts: Counts {
    state.change { state in
      var counts = state.counts
      (counts.running, counts.waiting) = (state.running.values.reduce(0, +), state.waiting.count)
      return counts
    }
  }

  /// Adds a request.
  ///
  /// - Throws: `RequestFault` if the queue is full or closed.
  package func add(_ job: Job) throws(RequestFault) {
    let fault = state.change { state -> RequestFault? in
      let fault: RequestFault? = state.isClosed ? .draining : state.waiting.count >= limit ? .busy : nil
      if fault == nil { state.waiting.append(job) } else { state.counts.refused += 1 }
      return fault
    }
    if let fault { throw fault }
  }

  /// Waits for a request: the first one of a client of which the fewest run.
  ///
  /// - Returns: `nil` once the queue is closed and empty.
  package func next() -> Job? {
    state.wait { state -> Job?? in
      let least = state.waiting.indices.min { a, b in
        let (left, right) = (state.running[state.waiting[a].client] ?? 0, state.running[state.waiting[b].client] ?? 0)
        return left != right ? left < right : a < b
      }
      guard let least else { return state.isClosed ? .some(nil) : nil }
      let job = state.waiting.remove(at: least)
      state.running[job.client, default: 0] += 1
      return .some(job)
    }
  }

  /// Counts a request that `next` gave as answered.
  package func finished(_ job: Job, _ outcome: Outcome) {
    state.change { state in
      let left = (state.running[job.client] ?? 1) - 1
      state.running[job.client] = left > 0 ? left : nil
      Self.count(outcome, in: &state.counts)
    }
  }

  private static func count(_ outcome: Outcome, in counts: inout Counts) {
    switch outcome.result {
    case .success: counts.done += 1
    case .failure(let fault):
      if fault.code == RequestFault.cancelled.code { counts.cancelled += 1 } else { counts.failed += 1 }
    }
  }

  /// Cancels a request: one that waits is answered now, one that runs ends between two phases.
  package func cancel(_ job: Job) {
    job.cancel()
    let waited = state.change { state in
      guard let index = state.waiting.firstIndex(where: { $0 === job }) else { return false }
      state.waiting.remove(at: index)
      state.counts.cancelled += 1
      return true
    }
    if waited { job.finish(Outcome(.failure(.cancelled))) }
  }

  /// Takes no more requests; what waits is still done.
  package func close() { state.change { $0.isClosed = true } }

  /// Waits until nothing waits or runs.
  package func waitUntilIdle() {
    state.wait { $0.waiting.isEmpty && $0.running.isEmpty ? () : nil }
  }
}
