import CodecService
import HDRCore
import Synchronization

/// The time that an item has used (`--max-seconds`), for decoding, planning and rendering together. Encoding has the
/// same time again, in the codec process (docs/reliability.md#time).
///
/// Time is counted between two checks, and at most `longestStep` of each interval: a stopped program (SIGSTOP) does not
/// work.
final class ItemTime: Sendable {
  static let longestStep = 2.0

  private struct State {
    var used = 0.0
    var seen = monotonicSeconds()
    var pixels = 0
  }
  private let state = Mutex(State())
  /// The limits; `nil` if the item has no time limit.
  private let limits: CodecLimits?

  init(_ limits: CodecLimits?) { self.limits = limits }

  /// Adds the time for decoded or generated pixels.
  func allow(pixels: Int) { state.withLock { $0.pixels += pixels } }

  /// Adds the time of an operation that was measured elsewhere.
  func add(seconds: Double) { state.withLock { $0.used += seconds } }

  /// Starts counting from now.
  func resume() { state.withLock { $0.seen = monotonicSeconds() } }

  /// The seconds that the item may take.
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
