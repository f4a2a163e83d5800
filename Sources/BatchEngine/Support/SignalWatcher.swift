import Glibc

/// Turns SIGINT, SIGTERM and SIGUSR1 into a stop of the batch (docs/farm.md#exit-codes).
///
/// A batch must be safe without this, because SIGKILL cannot be caught. It saves time and removes part files.
public enum SignalWatcher {
  /// Seconds that items in flight get to finish; the process ends within three.
  static let grace = 2

  /// Blocks the signals in this thread and all it starts from here on, and answers them on a thread of its own.
  ///
  /// - Parameters:
  ///   - stop: set at the first signal.
  ///   - abandon: called when the grace is over, or at a second SIGINT: removes part files, closes records. The process
  ///     then ends with 130 after SIGINT, else with 75.
  public static func start(_ stop: StopSwitch, abandon: @escaping @Sendable () -> Void) {
    signal(SIGPIPE, SIG_IGN)
    var set = sigset_t()
    sigemptyset(&set)
    for number in [SIGINT, SIGTERM, SIGUSR1] { sigaddset(&set, number) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    let watched = set
    WorkerThread(name: "signals") {
      var set = watched
      var first: Int32 = 0
      while sigwait(&set, &first) != 0 {}
      let status: ExitStatus = first == SIGINT ? .interrupted : .stoppedEarly
      stop.stop(first == SIGINT ? .interrupted : .terminated)
      var left = timespec(tv_sec: grace, tv_nsec: 0)
      // A second SIGTERM does not change the deadline. A second SIGINT (Ctrl-C) ends the process at once.
      while true {
        let next = sigtimedwait(&set, nil, &left)
        if next < 0 && errno == EINTR { continue }
        if next == SIGTERM || next == SIGUSR1 { continue }
        break
      }
      abandon()
      _exit(status.code)
    }.detach()
  }
}
