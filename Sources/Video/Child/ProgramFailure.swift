import CodecService
import HDRCore
import HDRRender
import PlainData

/// The end of a program that did not start, in its own exit codes (`ProgramProtocol`).
enum ProgramFailure {
  static func didStart(_ outcome: LockedProgram.Outcome) -> Bool {
    outcome.code != ProgramProtocol.isNotLocked && outcome.code != ProgramProtocol.isNotStarted
  }

  /// Returns the error of a program that was not locked in or not started.
  static func error(_ outcome: LockedProgram.Outcome) -> HDRError {
    outcome.code == ProgramProtocol.isNotLocked
      ? HDRError(
        code: "codec.sandbox",
        message: "ffmpeg is not started, as it cannot be locked in: \(printable(outcome.reason)); "
          + "\(setting: "isolation") rlimit runs it with limits alone", kind: .unavailable, concernsAll: true)
      : HDRError(
        code: "video.ffmpeg",
        message: "ffmpeg cannot be started: \(printable(outcome.reason)); it is a file of machine code, no script",
        kind: .unavailable, concernsAll: true)
  }
}
