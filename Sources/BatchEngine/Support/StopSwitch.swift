import Synchronization

/// The reason why a batch ends before its last item.
package enum StopReason: Int, Sendable, Hashable {
  /// Ctrl-C.
  case interrupted = 1
  /// SIGTERM or SIGUSR1: a farm wants the machine back.
  case terminated = 2
  /// An output could not be written for a reason that the next one would meet too.
  case outputBroken = 3
  /// `--fail-fast` or `--max-failures`.
  case tooManyFailures = 4
  /// A device that was demanded is lost.
  case deviceLost = 5
  /// A device that was demanded computes wrongly.
  case deviceWrong = 6
  /// Codec processes can no longer be started.
  case nothingStarts = 7
  /// The program of codec processes cannot be used.
  case codecMissing = 8

  /// The text for the records of items that were not started, and for messages.
  package var message: String {
    switch self {
    case .interrupted: "stopped by Ctrl-C"
    case .terminated: "asked to stop"
    case .outputBroken: "stopped because outputs cannot be written"
    case .tooManyFailures: "stopped after too many failures"
    case .deviceLost: "stopped because the device is lost"
    case .deviceWrong: "stopped because the device computes wrongly"
    case .nothingStarts: "stopped because no codec process can be started any more"
    case .codecMissing: "stopped because the codec program cannot be used"
    }
  }
}

/// Tells all threads of a batch to start nothing new. The first reason stays.
package final class StopSwitch: Sendable {
  private let value = Atomic<Int>(0)

  package init() {}

  package var reason: StopReason? { StopReason(rawValue: value.load(ordering: .sequentiallyConsistent)) }

  package func stop(_ reason: StopReason) {
    _ = value.compareExchange(expected: 0, desired: reason.rawValue, ordering: .sequentiallyConsistent)
  }
}
