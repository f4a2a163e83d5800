/// Exit codes of the program (docs/farm.md#exit-codes): from sysexits, clear of every value a render farm gives a
/// meaning to.
package enum ExitStatus: Int32, Sendable, Hashable, CaseIterable {
  case success = 0
  /// A bug in hdrbatch.
  case bug = 1
  /// Bad usage, bad recipe, colliding outputs.
  case usage = 64
  /// The batch was finished; at least one input failed for good.
  case failedItems = 65
  /// A device or codec was demanded that is not here.
  case unavailable = 69
  /// Reading or writing failed: disk full, stale mount.
  case inputOutput = 74
  /// Stopped early with work left: a signal to stop, or a demanded device lost.
  case stoppedEarly = 75
  /// Ctrl-C.
  case interrupted = 130

  package var code: Int32 { rawValue }

  /// The order of precedence: when several apply, the first wins (docs/cli.md#exit-codes).
  static let precedence: [ExitStatus] = [
    .bug, .usage, .inputOutput, .interrupted, .stoppedEarly, .unavailable, .failedItems, .success,
  ]

  /// The worst of several outcomes; does not depend on their order.
  package static func worst(_ all: some Sequence<ExitStatus>) -> ExitStatus {
    let present = Set(all)
    return precedence.first(where: present.contains) ?? .success
  }
}
