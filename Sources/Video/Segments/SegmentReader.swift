import HDRCore
import HDRRender
import VideoStreams

/// The packets of a segment, in the order of its file, each with the number of its frame: every frame once.
struct SegmentReader {
  let stream: NUTStream
  /// The most packets with later times before one.
  private(set) var delay: Int
  private var reader: NUTReader<DescriptorStream>
  /// Frames by their times behind the first one.
  private let numbers: [Int: Int]
  private let name: String
  private var first: Int?
  private var isSeen: [Bool]
  /// The times of the last packets.
  private var recent: [Int] = []

  /// More packets than encoders hold back.
  private static let maxDelay = 64

  /// Begins to read.
  ///
  /// - Parameters:
  ///   - descriptor: of a NUT file, at its start.
  ///   - frames: what the encoder got.
  init(_ descriptor: Int32, _ frames: EncodedFrames, name: String) throws(HDRError) {
    self.name = name
    do throws(DecodeError) {
      reader = try NUTReader(DescriptorStream(descriptor))
    } catch {
      throw HDRError(clip: "frames", "\(name): \(error)", kind: .encoder)
    }
    guard let stream = reader.streams.first, reader.streams.count == 1 else {
      throw HDRError(clip: "frames", "\(name) has \(reader.streams.count) streams", kind: .encoder)
    }
    self.stream = stream
    delay = stream.decodeDelay
    // Ticks of the file in one of the encoder's clock; FFmpeg takes a clock that holds all times.
    let up = Int128(frames.base.numerator) * Int128(stream.timeBase.denominator)
    let down = Int128(frames.base.denominator) * Int128(stream.timeBase.numerator)
    var numbers: [Int: Int] = [:]
    for (number, time) in frames.times.enumerated() {
      let ticks = Int128(time - frames.times[0]) * up
      guard ticks % down == 0 else {
        throw HDRError(clip: "times", "\(name) has a coarser clock than the clip", kind: .encoder)
      }
      numbers[Int(clamping: ticks / down)] = number
    }
    self.numbers = numbers
    isSeen = [Bool](repeating: false, count: frames.times.count)
  }

  /// Returns the next packet; `nil` behind the last one.
  ///
  /// - Throws: `HDRError`, `video.frames` for a frame that is missing, comes twice, or at another time.
  mutating func next() throws(HDRError) -> (number: Int, packet: NUTPacket)? {
    let packet: NUTPacket?
    do throws(DecodeError) {
      packet = try reader.next()
    } catch {
      throw HDRError(clip: "frames", "\(name): \(error)", kind: .encoder)
    }
    guard let packet else {
      let count = isSeen.count(where: \.self)
      guard count == isSeen.count else {
        throw HDRError(clip: "frames", "\(name) has \(count) of \(isSeen.count) frames", kind: .encoder)
      }
      return nil
    }
    guard first != nil || packet.isKey else {
      throw HDRError(clip: "frames", "\(name) does not begin with a key frame", kind: .encoder)
    }
    let start = first ?? packet.pts
    first = start
    guard let number = numbers[packet.pts - start], !isSeen[number] else {
      throw HDRError(clip: "frames", "\(name) has a frame at another time than was encoded", kind: .encoder)
    }
    isSeen[number] = true
    delay = max(delay, recent.count { $0 > packet.pts })
    recent.append(packet.pts)
    if recent.count > Self.maxDelay { recent.removeFirst() }
    return (number, packet)
  }

  /// Returns the bytes of the packet that `next` returned, once.
  mutating func payload(atMost limit: Int) throws(HDRError) -> [UInt8] {
    do throws(DecodeError) {
      return try reader.payload(atMost: limit)
    } catch {
      throw HDRError(clip: "frames", "\(name): \(error)", kind: .encoder)
    }
  }
}
