import HDRCore
import HDRRender
import PlainData

/// A child of ffmpeg that writes a file from what comes through a pipe.
final class FedProgram: Sendable {
  private let program: LockedProgram
  private let feed: Pipe
  /// The child in messages, and what has failed when it does.
  private let name: String
  private let failing: Message
  /// The most seconds for what is to be done behind the end of the pipe.
  private let patience: Double

  /// Starts the child.
  ///
  /// - Parameter words: ffmpeg's, all of them.
  init(
    _ ffmpeg: FFmpeg, _ words: [String], into file: OpenFile, name: String, failing: Message, patience: Double
  ) throws(HDRError) {
    program = try LockedProgram(
      ffmpeg.path, words, output: file.descriptor, takesFeed: true, ffmpeg.isolation)
    guard let feed = program.feed else { preconditionFailure("it was asked for") }
    (self.feed, self.name, self.failing, self.patience) = (feed, name, failing, patience)
  }

  /// Sends what a function writes.
  func send(_ write: (Pipe) throws(Pipe.Fault) -> Void) throws(HDRError) {
    do throws(Pipe.Fault) {
      try write(feed)
    } catch {
      let fault = HDRError(error, of: name)
      let outcome = program.end(within: fault == nil ? 10 : 0)
      throw fault ?? failure(outcome)
    }
  }

  /// Ends the pipe, and waits for the end of the child.
  func finish() throws(HDRError) {
    feed.close()
    let outcome = program.end(within: patience)
    guard outcome.isSuccess else { throw failure(outcome) }
  }

  private func failure(_ outcome: LockedProgram.Outcome) -> HDRError {
    guard ProgramFailure.didStart(outcome) else { return ProgramFailure.error(outcome) }
    let reason = printable(outcome.reason)
    if outcome.text.contains("No space left on device") {
      return HDRError(code: "io.write", message: "the disk is full: \(reason)", kind: .output, concernsAll: true)
    }
    if outcome.text.contains("Unknown encoder") {
      return HDRError(
        clip: "codec", "this ffmpeg has not been built with the encoder: \(reason); \(setting: "ffmpeg") names another",
        kind: .unavailable)
    }
    return HDRError(clip: "encode", failing + ": \(reason)", kind: .encoder)
  }
}
