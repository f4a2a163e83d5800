import CPlatform
import Synchronization
import Threads

/// Threads that share the bands of pictures. The calling thread works too, so a pool of n uses n - 1 threads of its
/// own.
///
/// Several callers may run jobs at once; helpers take the oldest job that has bands left. Which thread does which band
/// changes no pixel.
package final class BandPool: Sendable {
  /// A job for one pass of one picture; a counter hands out its bands.
  private final class Job: Sendable {
    let count: Int
    let next = Atomic<Int>(0)
    /// The number of bands done, and CPU seconds of helpers.
    let done = Monitor((bands: 0, helperSeconds: 0.0))
    let makeWorker: @Sendable () -> (Int) -> Void

    init(count: Int, makeWorker: @escaping @Sendable () -> (Int) -> Void) {
      self.count = count
      self.makeWorker = makeWorker
    }

    var hasWork: Bool { next.load(ordering: .relaxed) < count }

    /// Works until no band is left.
    func work(asHelper: Bool) {
      let start = hdr_thread_cpu_seconds()
      var bands = 0
      var worker: ((Int) -> Void)?
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        if index >= count { break }
        // Made with the first band, so that a helper that finds no band left costs nothing.
        if worker == nil { worker = makeWorker() }
        worker?(index)
        bands += 1
      }
      let seconds = asHelper ? hdr_thread_cpu_seconds() - start : 0
      if bands > 0 {
        done.change {
          $0.bands += bands
          $0.helperSeconds += seconds
        }
      }
    }
  }

  private struct State {
    var jobs: [Job] = []
    var isClosed = false
  }

  private let state = Monitor(State())
  private let threads = Mutex<[WorkerThread]>([])

  /// - Parameter threads: threads that work on a picture, the calling one included; at least 1.
  package init(threads count: Int) {
    let state = state
    let helpers = (1..<max(1, count)).map { index in
      WorkerThread(name: "render \(index)", isService: true) {
        while true {
          let job: Job?? = state.wait { state in
            state.jobs.removeAll { !$0.hasWork }
            if let job = state.jobs.first { return .some(job) }
            return state.isClosed ? .some(nil) : nil
          }
          guard let job, let job else { return }
          job.work(asHelper: true)
        }
      }
    }
    threads.withLock { $0 = helpers }
  }

  /// Ends the threads. Call when no job runs.
  package func close() {
    state.change { $0.isClosed = true }
    let helpers = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    for helper in helpers { helper.join() }
  }

  /// Runs bands 0..<count, each once, and waits for all.
  ///
  /// - Parameter makeWorker: called once on every thread that takes part; what it returns runs that thread's bands.
  /// - Returns: CPU seconds of the other threads.
  @discardableResult
  package func run(count: Int, _ makeWorker: @escaping @Sendable () -> (Int) -> Void) -> Double {
    let job = Job(count: count, makeWorker: makeWorker)
    state.change { $0.jobs.append(job) }
    job.work(asHelper: false)
    let helperSeconds = job.done.wait { $0.bands == count ? $0.helperSeconds : nil }
    // Helpers drop finished jobs only when they look for work, and a job keeps its pictures in memory.
    state.change { $0.jobs.removeAll { $0 === job } }
    return helperSeconds
  }
}
