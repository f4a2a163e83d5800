import FileParts
import HDRCore

/// A writer of NUT files with one stream of video, as bytes for a pipe: `head` first, then before the bytes of each frame
/// what `frameHead` returns. The bytes themselves, raw samples or a coded picture, go from their own memory.
///
/// Each frame has a syncpoint, a whole time stamp and a checksum, so that nothing depends on earlier frames. There is no
/// index: it would be read by a file that can be searched.
///
/// Source: "NUT Open Container Format" (FFmpeg and MPlayer, nut.txt).
package struct NUTWriter: Sendable {
  package let stream: NUTStream
  /// Frames a second, if they are equally far apart.
  package let rate: (numerator: Int, denominator: Int)?
  /// The bytes so far, and the place of the last syncpoint.
  private var position = 0
  private var lastSyncpoint: Int?
  /// The times of the last frames that wait for earlier ones, ascending: at most as many as the stream's decode delay.
  private var waiting: [Int] = []
  private var lastTime = -1

  /// The two frame codes that are used, behind one that stands for none.
  private static let keyCode: UInt8 = 1, otherCode: UInt8 = 2

  /// - Parameter rate: frames a second; FFmpeg gives the last frame its duration, and tells encoders.
  package init(_ stream: NUTStream, rate: (numerator: Int, denominator: Int)? = nil) {
    (self.stream, self.rate) = (stream, rate)
  }

  /// Returns the headers, which begin the file.
  package mutating func head() -> [UInt8] {
    var main = ByteSink()
    for number in [NUTMainHeader.version, 1, 32_767, 1, stream.timeBase.numerator, stream.timeBase.denominator] {
      main.nutNumber(number)
    }
    let flags: NUTFrameFlags = [.codedPTS, .sizeMSB, .checksum]
    // Runs of rows: flags, then six fields: pts_delta, data_size_mul, stream_id, data_size_lsb, reserved_count, count.
    // One of 256 rows is that of "N", which is not counted.
    for (flags, count) in [(NUTFrameFlags.invalid, 1), (flags.union(.key), 1), (flags, 1), (.invalid, 252)] {
      for number in [flags.rawValue, 6, 0, 1, 0, 0, 0, count] { main.nutNumber(number) }
    }
    // No elision headers.
    main.nutNumber(0)
    let bytes =
      NUTPacketCode.fileID + Self.packet(.main, main.bytes) + Self.packet(.stream, stream.body)
      + (rate.map { Self.packet(.info, Self.info("r_frame_rate", "\($0.numerator)/\($0.denominator)")) } ?? [])
    position = bytes.count
    return bytes
  }

  /// Returns the bytes before those of a frame.
  ///
  /// - Parameters:
  ///   - pts: at least 0; without a decode delay, more than that of the frame before.
  ///   - byteCount: the size of the frame, which follows.
  package mutating func frameHead(pts: Int, isKey: Bool = true, byteCount: Int) -> [UInt8] {
    precondition(pts >= 0 && pts < 1 << 61, "no time of a frame")
    waiting.insert(pts, at: waiting.firstIndex { $0 > pts } ?? waiting.count)
    // The time of decoding: no frame behind this one is shown earlier (NUT specification, "dts").
    let time = waiting.count > stream.decodeDelay ? waiting.removeFirst() : 0
    precondition(stream.decodeDelay > 0 || time > lastTime, "times must rise")
    lastTime = time
    var point = ByteSink()
    point.nutNumber(time)
    // The distance to the last syncpoint, in units of 16 bytes.
    point.nutNumber(lastSyncpoint.map { (position - $0) / 16 } ?? 0)
    lastSyncpoint = position
    var frame = ByteSink()
    frame.u8(Int(isKey ? Self.keyCode : Self.otherCode))
    // A number beyond the low bits is a whole time stamp.
    frame.nutNumber(pts + 1 << stream.ptsBits)
    frame.nutNumber(byteCount)
    frame.u32(Int(NUTChecksum(frame.bytes).value))
    let bytes = Self.packet(.syncpoint, point.bytes) + frame.bytes
    position += bytes.count + byteCount
    return bytes
  }

  /// Returns the body of an info packet with a text about the stream, as FFmpeg names it (NUT specification,
  /// "info_packet").
  private static func info(_ name: String, _ text: String) -> [UInt8] {
    var sink = ByteSink()
    // Stream 0 plus 1; no chapter with its start and length; one entry, whose type -1 is text.
    for number in [1, 0, 0, 0, 1] { sink.nutNumber(number) }
    sink.nutBytes(Array(name.utf8))
    sink.nutNumber(2)
    sink.nutBytes(Array(text.utf8))
    return sink.bytes
  }

  /// Returns a packet with its checksums.
  private static func packet(_ code: NUTPacketCode, _ body: [UInt8]) -> [UInt8] {
    var sink = ByteSink()
    sink.append(code.bytes)
    sink.nutNumber(body.count + 4)
    if body.count + 4 > 4096 { sink.u32(Int(NUTChecksum(sink.bytes).value)) }
    sink.append(body)
    sink.u32(Int(NUTChecksum(body).value))
    return sink.bytes
  }
}
