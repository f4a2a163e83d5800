import CodecService
import HDRCore
import Synchronization

/// What an item has taken of its time (`--max-seconds`), which is for decoding, planning and rendering together. Encoding
/// has as much again, in the codec process (docs/reliability.md#time).
///
/// Time is counted from one look to the next, and of one such step at most `longestStep`: while a program is stopped
/// (SIGSTOP) it does not work.
final class ItemTime: Sendable {
  private static let longestStep = 2.0

  private struct State {
    var used = 0.0
    var seen = monotonicSeconds()
    var pixels = 0
  }
  private let state = Mutex(State())
  /// `nil`: the item may take as long as it likes.
  private let limits: WorkerLimits?

  init(_ limits: WorkerLimits?) { self.limits = limits }

  /// Adds the time for pixels that are decoded or made.
  func allow(pixels: Int) { state.withLock { $0.pixels += pixels } }

  /// Counts the time of an operation that was measured elsewhere.
  func add(seconds: Double) { state.withLock { $0.used += seconds } }

  /// Counts from now on.
  func resume() { state.withLock { $0.seen = monotonicSeconds() } }

  /// Seconds that the item may take.
  var allowed: Double { limits.map { limits in limits.seconds(pixels: state.withLock { $0.pixels }) } ?? .infinity }

  var isOver: Bool {
    let used = state.withLock { state in
      let now = monotonicSeconds()
      state.used += min(now - state.seen, Self.longestStep)
      state.seen = now
      return state.used
    }
    return used > allowed
  }
}
