import FileParts
import HDRCore
import HDRRender
import PlainData
import Synchronization
import VideoStreams

/// A clip that ffmpeg encodes: raw video as NUT through a pipe into a part file.
final class FFmpegSink: FrameSink {
  private let program: FedProgram
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
    program = try FedProgram(
      ffmpeg,
      FFmpeg.start("error") + ["-copyts", "-f", "nut", "-i", "-", "-map", "0:v:0", "-vf", tags.filter]
        + ffmpeg.keepsTimes + codec.words(shape, color, light, container) + tags.options + further
        + container.words(timeBase) + ["-y", FFmpeg.output],
      into: file, name: "ffmpeg, which encodes", failing: "the encoder failed", patience: Self.lastFrames)
    var writer = NUTWriter(
      NUTStream(
        codec: shape.format.code, timeBase: timeBase, width: shape.width, height: shape.height,
        sampleAspect: sampleAspect), rate: rate.map { ($0.numerator, $0.denominator) })
    let head = writer.head()
    self.writer = Mutex(writer)
    try program.send { pipe throws(Pipe.Fault) in try pipe.write(head) }
  }

  func write(_ frame: VideoFrame) throws(HDRError) {
    let head = writer.withLock { $0.frameHead(pts: frame.pts, byteCount: frame.samples.byteCount) }
    try program.send { pipe throws(Pipe.Fault) in
      try pipe.write(head)
      try pipe.write(UnsafeRawBufferPointer(start: frame.samples.base, count: frame.samples.byteCount))
    }
  }

  func finish() throws(HDRError) { try program.finish() }
}
