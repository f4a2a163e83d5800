import HDRCore
import HDRRender
import PlainData
import VideoStreams

/// The packets of the shown stream of a file, which ffmpeg copies into NUT through a pipe, in the order of decoding.
final class PacketSource {
  /// The stream, with the record that its decoder needs.
  let stream: NUTStream
  /// The form of its packets; `nil` for codecs without metadata of frames.
  let coding: PacketCoding?
  private let program: LockedProgram
  private let pipe: PipeStream
  private var reader: NUTReader<PipeStream>

  /// The most bytes of a packet that is kept.
  private static let packetBytes = 1 << 28

  /// - Parameters:
  ///   - descriptor: an open file, whose place is not moved.
  ///   - video: the stream of pictures, counted from 0.
  ///   - isOfKeys: true if key frames are enough: some readers of containers leave out the rest.
  init(_ ffmpeg: FFmpeg, _ descriptor: Int32, video: Int = 0, isOfKeys: Bool = false) throws(HDRError) {
    program = try LockedProgram(
      ffmpeg.path,
      FFmpeg.start("error") + ["-noautorotate"] + (isOfKeys ? ["-discard", "nokey"] : []) + FFmpeg.input
        + FFmpeg.pictures(video)
        + ["-c", "copy", "-f", "nut", "-"],
      input: descriptor, givesResults: true, ffmpeg.isolation)
    guard let results = program.results else { preconditionFailure("it was asked for") }
    pipe = PipeStream(results)
    do throws(DecodeError) {
      reader = try NUTReader(pipe)
      guard let stream = reader.streams.first else { throw .malformed(where: "NUT file", what: "there is no stream") }
      (self.stream, coding) = (stream, try PacketCoding(stream))
    } catch {
      throw Self.failure(program, pipe, error)
    }
  }

  /// Goes on to the next packet; `nil` behind the last one.
  func next() throws(HDRError) -> NUTPacket? {
    do throws(DecodeError) {
      if let packet = try reader.next() { return packet }
    } catch {
      throw Self.failure(program, pipe, error)
    }
    let outcome = program.end(within: Pipe.patience)
    guard outcome.isSuccess else { throw Self.failure(outcome) }
    return nil
  }

  /// Returns the bytes of the packet that `next` returned, once.
  func bytes() throws(HDRError) -> [UInt8] {
    do throws(DecodeError) {
      return try reader.payload(atMost: Self.packetBytes)
    } catch {
      throw Self.failure(program, pipe, error)
    }
  }

  private static func failure(_ program: LockedProgram, _ pipe: PipeStream, _ error: DecodeError) -> HDRError {
    if let fault = pipe.fault, let error = HDRError(fault, of: "ffmpeg, which copies packets") {
      _ = program.end(within: 0)
      return error
    }
    let outcome = program.end(within: 10)
    return outcome.isSuccess ? HDRError(error) : failure(outcome)
  }

  private static func failure(_ outcome: LockedProgram.Outcome) -> HDRError {
    guard ProgramFailure.didStart(outcome) else { return ProgramFailure.error(outcome) }
    return HDRError(clip: "truncated", "packets cannot be copied: \(printable(outcome.reason)); take another copy")
  }
}
