import HDRCore
import HDRRender
import PlainData
import VideoStreams

/// A file into which ffmpeg copies packets of coded video that come as NUT through a pipe.
final class PacketSink {
  private let program: LockedProgram
  private let feed: Pipe
  private var writer: NUTWriter

  /// The most seconds for what is behind the last packet: the description of a movie.
  private static let lastBytes = 120.0

  /// Starts to write.
  ///
  /// - Parameters:
  ///   - file: the part file.
  ///   - words: ffmpeg's, behind those of the input.
  ///   - rate: frames a second, if they are equally far apart.
  init(_ ffmpeg: FFmpeg, into file: OpenFile, _ stream: NUTStream, rate: FrameRate?, words: [String]) throws(HDRError) {
    program = try LockedProgram(
      ffmpeg.path,
      FFmpeg.start("error") + ["-copyts", "-f", "nut", "-i", "-", "-map", "0:v:0", "-c", "copy"] + words
        + ["-y", FFmpeg.output],
      output: file.descriptor, takesFeed: true, ffmpeg.isolation)
    guard let feed = program.feed else { preconditionFailure("it was asked for") }
    self.feed = feed
    writer = NUTWriter(stream, rate: rate.map { ($0.numerator, $0.denominator) })
    try send(writer.head())
  }

  /// - Parameter pts: the time at which the packet is shown, in the clock of the stream.
  func write(_ bytes: [UInt8], pts: Int, isKey: Bool) throws(HDRError) {
    try send(writer.frameHead(pts: pts, isKey: isKey, byteCount: bytes.count))
    try send(bytes)
  }

  /// Ends the file.
  func finish() throws(HDRError) {
    feed.close()
    let outcome = program.end(within: Self.lastBytes)
    guard outcome.isSuccess else { throw Self.failure(outcome) }
  }

  private func send(_ bytes: [UInt8]) throws(HDRError) {
    do throws(Pipe.Fault) {
      try feed.write(bytes)
    } catch {
      let fault = HDRError(error, of: "ffmpeg, which writes packets")
      let outcome = program.end(within: fault == nil ? 10 : 0)
      throw fault ?? Self.failure(outcome)
    }
  }

  private static func failure(_ outcome: LockedProgram.Outcome) -> HDRError {
    guard ProgramFailure.didStart(outcome) else { return ProgramFailure.error(outcome) }
    let reason = printable(outcome.reason)
    guard !outcome.text.contains("No space left on device") else {
      return HDRError(code: "io.write", message: "the disk is full: \(reason)", kind: .output, concernsAll: true)
    }
    return HDRError(clip: "encode", "packets cannot be written: \(reason)", kind: .encoder)
  }
}
