import HDRCore
import HDRRender
import PlainData
import VideoStreams

/// A file into which ffmpeg copies packets of coded video that come as NUT through a pipe.
final class PacketSink {
  private let program: FedProgram
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
    program = try FedProgram(
      ffmpeg,
      FFmpeg.start("error") + ["-copyts", "-f", "nut", "-i", "-", "-map", "0:v:0", "-c", "copy"] + words
        + ["-y", FFmpeg.output],
      into: file, name: "ffmpeg, which writes packets", failing: "packets cannot be written", patience: Self.lastBytes)
    writer = NUTWriter(stream, rate: rate.map { ($0.numerator, $0.denominator) })
    let head = writer.head()
    try program.send { pipe throws(Pipe.Fault) in try pipe.write(head) }
  }

  /// - Parameter pts: the time at which the packet is shown, in the clock of the stream.
  func write(_ bytes: [UInt8], pts: Int, isKey: Bool) throws(HDRError) {
    let head = writer.frameHead(pts: pts, isKey: isKey, byteCount: bytes.count)
    try program.send { pipe throws(Pipe.Fault) in
      try pipe.write(head)
      try pipe.write(bytes)
    }
  }

  /// Ends the file.
  func finish() throws(HDRError) { try program.finish() }
}
