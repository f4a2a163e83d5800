import FileParts
import HDRCore
@testable import VideoStreams

/// The parts of clips: packets of NUT, descriptions of tracks, parameter sets.
extension Target {
  static let nut = Target("nut", maxLength: 2048, mutate: NUTGrammar.mutate) { bytes in
    let whole = read(bytes, piece: 1 << 16), pieces = read(bytes, piece: 3)
    demand(whole.packets == pieces.packets && whole.error == pieces.error, "pieces that change what is read")
    // Elided bytes are the only ones that a file need not hold.
    let count = whole.packets.reduce(0) { $0 + $1.payload.count }
    demand(count <= bytes.count + NUTLimits.elisionBytes * whole.packets.count, "more bytes than the file has")
    guard let stream = whole.streams.first, stream.kind == .video, stream.codec.rawValue > 0xFF_FFFF else { return }
    var last = -1
    let frames = whole.packets.filter { packet in
      guard packet.stream == 0, packet.pts > last else { return false }
      last = packet.pts
      return true
    }
    var own = NUTStream(
      codec: stream.codec, timeBase: stream.timeBase, width: stream.width, height: stream.height,
      sampleAspect: stream.sampleAspect)
    own.extradata = stream.extradata
    var writer = NUTWriter(own, rate: (25, 1)), file = writer.head()
    for frame in frames { file += writer.frameHead(pts: frame.pts, byteCount: frame.payload.count) + frame.payload }
    let again = read(file, piece: 4096)
    demand(again.error == nil && again.streams == [own], "what is written is not read")
    demand(again.packets.map(\.payload) == frames.map(\.payload), "other payloads than were written")
    demand(again.packets.map(\.pts) == frames.map(\.pts), "other times than were written")
  }

  private struct Packet: Equatable {
    var stream: Int
    var pts: Int
    var payload: [UInt8]
  }

  private struct Pieces: ByteStream {
    var bytes: ArraySlice<UInt8>
    let piece: Int

    mutating func read(into memory: UnsafeMutableRawBufferPointer) throws(DecodeError) -> Int {
      let part = bytes.prefix(min(piece, memory.count))
      memory.copyBytes(from: part)
      bytes = bytes.dropFirst(part.count)
      return part.count
    }
  }

  private static func read(
    _ bytes: [UInt8], piece: Int
  ) -> (streams: [NUTStream], packets: [Packet], error: DecodeError?) {
    var streams: [NUTStream] = [], packets: [Packet] = []
    do throws(DecodeError) {
      var reader = try NUTReader(Pieces(bytes: bytes[...], piece: piece))
      streams = reader.streams
      while let packet = try reader.next() {
        let payload = try reader.payload(atMost: 1 << 20)
        demand(payload.count == packet.byteCount, "a payload of another size")
        packets.append(Packet(stream: packet.stream, pts: packet.pts, payload: payload))
      }
      return (streams, packets, nil)
    } catch {
      demand(!"\(error)".contains("\n"), "an error of two lines")
      return (streams, packets, error)
    }
  }

  /// Descriptions of tracks: boxes of movies, and elements of Matroska.
  static let ebml = Target("ebml", maxLength: 4096) { bytes in
    if let messages = try? MessageTrack.messages(MemoryAccess(bytes), for: 1) {
      demand(messages.allSatisfy { $0.bytes.count < 1 << 15 }, "a message larger than messages may be")
    }
    guard let file = try? ContainerFile.read(MemoryAccess(bytes)) else { return }
    demand(file.tracks.count <= ContainerLimits.tracks, "too many tracks")
    demand(!file.warnings.contains { "\($0.message)".contains("\n") }, "a warning of two lines")
    for track in file.tracks {
      demand(track.configuration.count <= bytes.count, "a configuration that the file does not hold")
      demand(track.timeBase.map { $0.numerator > 0 && $0.denominator > 0 } ?? true, "an impossible clock")
      guard let video = track.video else { continue }
      demand(video.sampleAspect?.isPossible ?? true, "a sample without a side")
      if let crop = video.crop {
        demand(
          crop.x >= 0 && crop.y >= 0 && crop.width > 0 && crop.height > 0 && crop.x + crop.width <= video.width
            && crop.y + crop.height <= video.height, "a crop that leaves the picture")
      }
      check(try? CodedVideo(track.codec, configuration: track.configuration))
    }
    // What is added to a description takes nothing from it.
    guard let change = try? MovieBoxes.change(MemoryAccess(bytes), adding: [free], orientation: .right) else { return }
    let after = try? ContainerFile.read(MemoryAccess(bytes[..<change.offset] + change.bytes))
    demand(after?.tracks.count == file.tracks.count, "a track that an added box has hidden")
  }

  /// A box that nobody reads.
  private static let free: [UInt8] = [0, 0, 0, 8] + Array("free".utf8)

  /// Records of decoders and first packets; the first byte says which.
  static let hvcc = Target("hvcc", maxLength: 2048) { bytes in
    guard let kind = bytes.first else { return }
    let codecs: [TrackCodec] = [.hevc, .h264, .av1, .vp9, .prores]
    let codec = codecs[Int(kind) % codecs.count], body = bytes.dropFirst()
    var warnings: [Warning] = []
    let stream = NUTStream(codec: "HEVC", timeBase: TimeBase(1, 25), width: 16, height: 16)
    if let light = try? LightMetadata(stream, firstPacket: body, transfer: 16, warnings: &warnings) {
      demand(light.fields.allSatisfy { light.places[$0] == .message }, "light without a place")
    }
    switch Int(kind) / codecs.count % 4 {
    case 0: check(try? CodedVideo(codec, configuration: Array(body)))
    case 1: check(try? CodedVideo(codec, packet: body, lengthSize: nil))
    case 2: check(try? CodedVideo(codec, packet: body, lengthSize: 4))
    default: check(try? CodedVideo(codec, packet: body, lengthSize: 1))
    }
  }

  private static func check(_ coded: CodedVideo??) {
    guard let coded = coded ?? nil else { return }
    demand(coded.width >= 0 && coded.codedWidth >= coded.width, "a picture wider than it is coded")
    demand(coded.height >= 0 && coded.codedHeight >= coded.height, "a picture higher than it is coded")
    demand(coded.bitDepth.map { (1...16).contains($0) } ?? true, "a depth of \(coded.bitDepth ?? 0)")
    demand(coded.chromaLocation.map { (0...5).contains($0) } ?? true, "a place of chroma that is none")
    demand(coded.sampleAspect?.isPossible ?? true, "a sample without a side")
  }
}

/// Blind changes whose checksums are right again.
enum NUTGrammar {
  static func mutate(_ bytes: [UInt8], maxSize: Int, random: inout Random) -> [UInt8] {
    var file = blindly(bytes, maxSize: maxSize)
    guard !random.one(in: 8) else { return file }
    let codes: [NUTPacketCode] = [.main, .stream, .syncpoint, .index, .info]
    for start in file.indices {
      guard file[start] == NUTPacketCode.firstByte,
        let code = codes.first(where: { file[start...].starts(with: $0.bytes) })
      else { continue }
      var reader = ByteReader(file[(start + code.bytes.count)...], place: "fuzz")
      guard let count = try? reader.nutNumber(), count >= 4, count <= reader.remaining else { continue }
      if count > 4096 { continue }
      let body = reader.position..<reader.position + count - 4
      file.replaceSubrange(body.upperBound..<body.upperBound + 4, with: u32(Int(NUTChecksum(file[body]).value)))
    }
    return file
  }
}
