import FileParts
import HDRCore
import HDRRender
import PlainData
import Synchronization
import VideoStreams

/// A clip that ffmpeg encodes: raw video as NUT through a pipe into a part file.
final class FFmpegSink: FrameSink {
  private let program: LockedProgram
  private let feed: Pipe
  private let writer: Mutex<NUTWriter>

  /// An encoder may take so many seconds for the frames that it still holds after the last one was written.
  private static let lastFrames = 600.0

  /// Starts an encoder.
  ///
  /// - Parameters:
  ///   - file: the part file, empty.
  ///   - color: what the samples mean, which becomes the tags of the clip.
  ///   - light: the light metadata that go into the bitstream, where the codec has a place for them.
  ///   - rate: frames a second, if they are equally far apart.
  ///   - further: options of the caller for the encoder.
  init(
    _ ffmpeg: FFmpeg, into file: OpenFile, _ codec: VideoCodec, _ container: VideoContainer, _ shape: FrameShape,
    timeBase: TimeBase, sampleAspect: SampleAspect?, rate: FrameRate?, _ color: ClipColor,
    light: OutputLight = OutputLight(), further: [String] = []
  ) throws(HDRError) {
    let tags = color.tags()
    program = try LockedProgram(
      ffmpeg.path,
      FFmpeg.start("error") + ["-copyts", "-f", "nut", "-i", "-", "-map", "0:v:0", "-vf", tags.filter]
        + ffmpeg.keepsTimes + codec.words(shape.format, color, light, container) + tags.options + further
        + container.words(timeBase) + ["-y", FFmpeg.output],
      output: file.descriptor, takesFeed: true, ffmpeg.isolation)
    guard let feed = program.feed else { preconditionFailure("it was asked for") }
    self.feed = feed
    var writer = NUTWriter(
      NUTStream(
        codec: shape.format.code, timeBase: timeBase, width: shape.width, height: shape.height,
        sampleAspect: sampleAspect), rate: rate.map { ($0.numerator, $0.denominator) })
    let head = writer.head()
    self.writer = Mutex(writer)
    try send { () throws(Pipe.Fault) in try feed.write(head) }
  }

  func write(_ frame: VideoFrame) throws(HDRError) {
    let head = writer.withLock { $0.frameHead(pts: frame.pts, byteCount: frame.samples.byteCount) }
    try send { () throws(Pipe.Fault) in
      try feed.write(head)
      try feed.write(UnsafeRawBufferPointer(start: frame.samples.base, count: frame.samples.byteCount))
    }
  }

  func finish() throws(HDRError) {
    feed.close()
    let outcome = program.end(within: Self.lastFrames)
    guard outcome.isSuccess else { throw Self.failure(outcome) }
  }

  private func send(_ work: () throws(Pipe.Fault) -> Void) throws(HDRError) {
    do throws(Pipe.Fault) {
      try work()
    } catch {
      let fault = HDRError(error, of: "ffmpeg, which encodes")
      let outcome = program.end(within: fault == nil ? 10 : 0)
      throw fault ?? Self.failure(outcome)
    }
  }

  private static func failure(_ outcome: LockedProgram.Outcome) -> HDRError {
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
    return HDRError(clip: "encode", "the encoder failed: \(reason)", kind: .encoder)
  }
}
