import Glibc
import Synchronization
import Threads

/// Turns SIGINT, SIGTERM and SIGUSR1 into a stop of the batch.
///
/// A signal for the process goes to any thread that does not block it, and ends the process there. So every thread blocks
/// these three: a thread inherits the mask of the thread that starts it, and `start` is called before there is a second
/// one, by this program or by a library. One thread waits for the signals.
///
/// A batch must not depend on this: SIGKILL gives no warning. It only saves time and keeps folders clean.
package enum SignalWatcher {
  /// Signals that end a batch early.
  package static let signals = [SIGINT, SIGTERM, SIGUSR1]

  /// Seconds that items in flight get to finish, and seconds that the end may take: a disk or a reader of the record
  /// that hangs would keep the process for ever. The process ends within three seconds.
  package static let gracePeriod = 2
  static let abandonTimeout = 0.8

  private struct Batch {
    var stop: StopSwitch
    var grace: Int
    var begun: @Sendable () -> Void
    var abandon: @Sendable () -> Void
  }

  /// The batch that the signals stop; without one they end the process as they do by default.
  private static let batch = Mutex<Batch?>(nil)

  /// Blocks the signals in all threads and handles them on one of its own. Call it first of all in `main`.
  package static func start() {
    signal(SIGPIPE, SIG_IGN)
    var set = sigset_t()
    sigemptyset(&set)
    for number in signals { sigaddset(&set, number) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    let watched = set
    let watcher = WorkerThread(name: "signals", isService: true) { wait(for: watched) }
    // Without a thread to handle them they end the process at once.
    if !watcher.isRunning { pthread_sigmask(SIG_UNBLOCK, &set, nil) }
    watcher.detach()
  }

  /// Has the signals stop a batch from now on.
  ///
  /// - Parameters:
  ///   - stop: set at the first signal.
  ///   - grace: the seconds that items in flight get to finish.
  ///   - begun: called at the first signal.
  ///   - abandon: called when the grace period is over, or at a second SIGINT: removes part files, closes records. The
  ///     process then ends with 130 after SIGINT, else with 75.
  package static func watch(
    _ stop: StopSwitch, grace: Int = 2, begun: @escaping @Sendable () -> Void = {},
    abandon: @escaping @Sendable () -> Void
  ) {
    batch.withLock { $0 = Batch(stop: stop, grace: grace, begun: begun, abandon: abandon) }
  }

  private static func wait(for watched: sigset_t) {
    var set = watched
    var first: Int32 = 0
    while sigwait(&set, &first) != 0 {}
    guard let batch = batch.withLock({ $0 }) else { return die(of: first) }
    let status: ExitStatus = first == SIGINT ? .interrupted : .stoppedEarly
    batch.stop.stop(first == SIGINT ? .interrupted : .terminated)
    batch.begun()
    var left = timespec(tv_sec: batch.grace, tv_nsec: 0)
    // Further signals of a farm do not move the deadline. A second SIGINT comes from a person who will not wait.
    while true {
      let next = sigtimedwait(&set, nil, &left)
      if next < 0 && errno == EINTR { continue }
      if next == SIGTERM || next == SIGUSR1 { continue }
      break
    }
    let isOver = Monitor(false)
    WorkerThread(name: "abandon") {
      batch.abandon()
      isOver.change { $0 = true }
    }.detach()
    _ = isOver.wait(seconds: abandonTimeout) { $0 ? $0 : nil }
    _exit(status.code)
  }

  /// Ends the process as the signal does by default.
  private static func die(of number: Int32) {
    signal(number, SIG_DFL)
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    kill(getpid(), number)
  }
}
