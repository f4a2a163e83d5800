import HDRCore
import HDRRender
import PlainData
import Synchronization
import VideoStreams

/// Frames that ffmpeg decodes: NUT with raw video through a pipe.
package final class FFmpegSource: FrameSource {
  /// The part of a clip that is decoded.
  enum Part: Sendable {
    case all
    case firstFrame
    /// Frames that are shown at this time, in seconds behind the start of the file, and later.
    case from(Double)
    /// Frames are those of `from`, and their times count from the start of the file.
    case since(Double)
  }

  package let shape: FrameShape
  package let timeBase: TimeBase
  private let program: LockedProgram
  private let stream: PipeStream
  private let reader: Mutex<NUTReader<PipeStream>>
  private let count = Mutex(0)
  private let hardware: HardwareDecoder

  /// Starts to decode a stream.
  ///
  /// - Parameters:
  ///   - format: FFmpeg's name of a planar format, the clip's own unless that has no planes.
  ///   - video: the stream of pictures, counted from 0.
  ///   - decoder: the words that name the decoder; none where FFmpeg finds it.
  ///   - hardware: the graphics that decode, if they can this format.
  ///   - takesDamaged: true to go on behind damaged packets.
  /// - Throws: `HDRError` if nothing is decoded.
  init(
    _ ffmpeg: FFmpeg, _ clip: InputFile, format: String, video: Int = 0, decoder: [String] = [], part: Part = .all,
    hardware: HardwareDecoder = .none, takesDamaged: Bool = false
  ) throws(HDRError) {
    let seek: [String] =
      switch part {
      case .from(let seconds): ["-ss", decimals(seconds, 6)]
      case .since(let seconds): ["-copyts", "-start_at_zero", "-ss", decimals(seconds, 6)]
      default: []
      }
    let limit: [String] = if case .firstFrame = part { ["-frames:v", "1"] } else { [] }
    let graphics = hardware.words(for: format)
    self.hardware = graphics == nil ? .none : hardware
    let strict = takesDamaged ? [] : ["-xerror", "-err_detect", "explode"]
    program = try LockedProgram(
      ffmpeg.path,
      FFmpeg.start("error") + strict + ffmpeg.keepsShape + decoder + (graphics?.input ?? []) + seek
        + FFmpeg.input
        + FFmpeg.pictures(video) + ffmpeg.keepsTimes + limit + (graphics?.filter ?? []) + [
          "-c:v", "rawvideo", "-pix_fmt", format, "-f", "nut", "-",
        ],
      input: clip.descriptor, givesResults: true, usesDevices: graphics != nil, ffmpeg.isolation)
    guard let results = program.results else { preconditionFailure("it was asked for") }
    stream = PipeStream(results)
    let reader: NUTReader<PipeStream>
    do throws(DecodeError) {
      reader = try NUTReader(stream)
    } catch {
      throw Self.failure(program, stream, error, frame: 0, self.hardware)
    }
    guard let video = reader.streams.first, let planes = PlanarFormat(code: video.codec) else {
      throw HDRError(clip: "codec", "\(format): frames come as something else")
    }
    shape = FrameShape(planes, width: video.width, height: video.height)
    timeBase = video.timeBase
    self.reader = Mutex(reader)
    guard max(video.width, video.height) <= Self.maxSide else {
      throw HDRError(clip: "limit", "a frame of \(video.width)x\(video.height) is larger than \(Self.maxSide) a side")
    }
  }

  /// The longest side of a frame.
  static let maxSide = 16_384

  package func next() throws(HDRError) -> VideoFrame? {
    let found = try reader.withLock { reader throws(HDRError) -> VideoFrame? in
      let number = count.withLock { $0 }
      do throws(DecodeError) {
        guard let packet = try reader.next() else { return nil }
        guard packet.byteCount == shape.byteCount else { throw .malformed(where: "frame", what: Self.otherSize) }
        let samples = PixelBuffer(uninitializedByteCount: packet.byteCount)
        try reader.readPayload(
          into: UnsafeMutableRawBufferPointer(start: samples.base, count: samples.byteCount))
        count.withLock { $0 += 1 }
        return VideoFrame(samples, pts: packet.pts)
      } catch {
        if case .malformed(_, Self.otherSize) = error {
          throw HDRError(
            clip: "size-change",
            "frame \(number) has another size or format than those before; \(setting: "size-change") segment "
              + "makes an output of each part, or cut the clip there first")
        }
        throw Self.failure(program, stream, error, frame: number, hardware)
      }
    }
    if let found { return found }
    let outcome = program.end(within: Pipe.patience)
    guard outcome.isSuccess else { throw Self.failure(outcome, frame: count.withLock { $0 }, hardware) }
    guard !Self.isCut(outcome.text) else {
      throw HDRError(clip: "truncated", "the file ends in the middle, behind frame \(count.withLock { $0 - 1 })")
    }
    return nil
  }

  private static let otherSize = "another size"

  /// Returns true if a reader of containers says that the file is shorter than it states. FFmpeg ends with 0 then.
  static func isCut(_ text: String) -> Bool {
    ["ended prematurely", "partial file", "truncated"].contains { text.contains($0) }
  }

  private static func failure(
    _ program: LockedProgram, _ stream: PipeStream, _ error: DecodeError, frame: Int,
    _ hardware: HardwareDecoder
  ) -> HDRError {
    if let fault = stream.fault, let error = HDRError(fault, of: "ffmpeg at frame \(frame)") {
      _ = program.end(within: 0)
      return error
    }
    // A stream that ends in a frame is the consequence of what ffmpeg says.
    let outcome = program.end(within: 10)
    return outcome.isSuccess ? HDRError(error) : failure(outcome, frame: frame, hardware)
  }

  private static func failure(
    _ outcome: LockedProgram.Outcome, frame: Int, _ hardware: HardwareDecoder
  ) -> HDRError {
    guard ProgramFailure.didStart(outcome) else { return ProgramFailure.error(outcome) }
    if frame == 0, let error = hardware.failure(outcome) { return error }
    return HDRError(
      clip: "truncated",
      "frame \(frame) cannot be decoded: \(printable(outcome.reason)); \(setting: "damaged") keep takes what can be")
  }
}
