import FileParts
import HDRCore
import Testing
import VideoStreams

@Suite struct NUTWriterTests {
  private static func stream(_ format: PlanarFormat) -> NUTStream {
    NUTStream(
      codec: format.code, timeBase: TimeBase(1001, 30_000), width: 6, height: 4, sampleAspect: SampleAspect(4, 3))
  }

  private static func file(_ writer: NUTWriter, _ frames: [(pts: Int, bytes: [UInt8])]) -> [UInt8] {
    var writer = writer
    return frames.reduce(writer.head()) { $0 + writer.frameHead(pts: $1.pts, byteCount: $1.bytes.count) + $1.bytes }
  }

  @Test func writtenFilesAreReadAgain() throws {
    let format = PlanarFormat(.s422, bitDepth: 12), stream = Self.stream(format)
    // Irregular times, one beyond 32 bits; a frame whose bytes look like a syncpoint; one of another size.
    let frames: [(pts: Int, bytes: [UInt8])] = [
      (0, [UInt8](repeating: 0x4E, count: 96)), (3, (NUTPacketCode.syncpoint.bytes + NUTPacketCode.fileID)),
      (1 << 40, (0..<96).map { UInt8($0) }), (1 << 40 + 1, []), (1 << 41, [UInt8](repeating: 9, count: 70_000)),
    ]
    for rate in [nil, (numerator: 30_000, denominator: 1001)] {
      let bytes = Self.file(NUTWriter(stream, rate: rate), frames)
      let reader = try NUTReader(PieceStream(bytes))
      #expect(reader.streams == [stream])
      let packets = try WholePacket.all(bytes, sizes: [1000])
      #expect(packets.map(\.pts) == frames.map(\.pts) && packets.map(\.payload) == frames.map(\.bytes))
      #expect(packets.allSatisfy { $0.isKey })
      #expect(bytes.count < frames.reduce(300) { $0 + $1.bytes.count + 48 })
    }
  }

  /// Raw frames of FFmpeg, written again, differ in nothing that is read.
  @Test func framesOfFFmpegStayTheSame() throws {
    let source = try NUTReader(PieceStream(NUTFiles.raw)).streams[0], packets = try WholePacket.all(NUTFiles.raw)
    let written = Self.file(NUTWriter(source), packets.map { ($0.pts, $0.payload) })
    #expect(try WholePacket.all(written) == packets)
    #expect(try NUTReader(PieceStream(written)).streams == [source])
  }

  @Test("coded packets keep their order, times and kind when pictures are shown in another order")
  func codedPacketsAreWritten() throws {
    var stream = Self.stream(PlanarFormat(.s420, bitDepth: 8))
    (stream.codec, stream.extradata, stream.decodeDelay) = ("HEVC", [1, 2, 3], 2)
    let times = [0, 4, 2, 1, 3, 8, 6, 5, 7]
    var writer = NUTWriter(stream), bytes = writer.head()
    for (number, pts) in times.enumerated() {
      bytes += writer.frameHead(pts: pts, isKey: number % 5 == 0, byteCount: number)
      bytes += [UInt8](repeating: 9, count: number)
    }
    let packets = try WholePacket.all(bytes)
    #expect(packets.map(\.pts) == times && packets.map(\.payload.count) == Array(0..<9))
    #expect(packets.map(\.isKey) == times.indices.map { $0 % 5 == 0 })
    #expect(try NUTReader(PieceStream(bytes)).streams == [stream])
  }

  /// Small frames of FFmpeg have no checksum; ours do.
  @Test func aFlippedBitIsFoundOrHarmsOnePayload() throws {
    let frames = (0..<3).map { (pts: 5 * $0, bytes: [UInt8](repeating: 0x55, count: 24)) }
    let file = Self.file(NUTWriter(Self.stream(PlanarFormat(.s420, bitDepth: 8))), frames)
    var survivors = 0
    for bit in 0..<8 * file.count {
      var bytes = file
      bytes[bit >> 3] ^= 1 << UInt8(bit & 7)
      guard let packets = try? WholePacket.all(bytes) else { continue }
      survivors += 1
      #expect(packets.map(\.pts) == [0, 5, 10] && packets.map(\.payload.count) == [24, 24, 24])
      #expect(packets.flatMap(\.payload).filter { $0 != 0x55 }.count == 1)
    }
    #expect(survivors == 8 * 72)
  }

  /// Syncpoints point back to the one before, at most 15 bytes before its start (NUT specification, "back_ptr_div16").
  @Test func syncpointsFindTheLastOne() throws {
    var writer = NUTWriter(Self.stream(PlanarFormat(.s444, bitDepth: 8)))
    var position = writer.head().count, last = 0
    for pts in 0..<20 {
      let head = writer.frameHead(pts: pts, byteCount: pts * 37)
      var reader = ByteReader(head, place: "test")
      #expect(try reader.take(8).elementsEqual(NUTPacketCode.syncpoint.bytes))
      _ = try reader.nutNumber()
      #expect(try reader.nutNumber() == pts)
      let distance = try reader.nutNumber() * 16 + 15
      if pts > 0 { #expect((position - last...position - last + 15).contains(distance)) }
      last = position
      position += head.count + pts * 37
    }
  }

  /// The codes are those that FFmpeg 5.1.9 and 9.0.2 write for these names, and read.
  @Test func layoutsHaveTheCodesOfFFmpeg() {
    let known = [
      "yuv420p": "49343230", "yuv422p": "59343242", "yuv444p": "34343450", "gray": "59383030",
      "yuv420p10le": "59330b0a", "yuv422p10le": "59330a0a", "yuv444p10le": "5933000a", "gray10le": "5931000a",
      "yuv420p12le": "59330b0c", "yuv422p12le": "59330a0c", "yuv444p12le": "5933000c", "gray12le": "5931000c",
      "yuv420p16le": "59330b10", "yuv422p16le": "59330a10", "yuv444p16le": "59330010", "gray16le": "59310010",
      "yuva420p": "59340b08", "yuva422p": "59340a08", "yuva444p": "59340008", "yuva420p10le": "59340b0a",
      "yuva422p10le": "59340a0a", "yuva444p10le": "5934000a", "yuva422p12le": "59340a0c", "yuva444p12le": "5934000c",
      "yuva420p16le": "59340b10", "yuva422p16le": "59340a10", "yuva444p16le": "59340010", "gbrp": "47330008",
      "gbrp10le": "4733000a", "gbrp12le": "4733000c", "gbrp16le": "47330010", "gbrap": "47340008",
      "gbrap10le": "4734000a", "gbrap12le": "4734000c", "gbrap16le": "47340010",
    ]
    #expect(Set(PlanarFormat.all.map(\.name)) == Set(known.keys) && PlanarFormat.all.count == known.count)
    for format in PlanarFormat.all {
      #expect(format.code.rawValue == known[format.name].flatMap { UInt32($0, radix: 16) }, "\(format.name)")
      #expect(PlanarFormat(code: format.code) == format && PlanarFormat(named: format.name) == format)
    }
    #expect(PlanarFormat(named: "yuvj420p") == PlanarFormat(.s420, bitDepth: 8))
    // What FFmpeg would read back as something else.
    #expect(PlanarFormat(named: "p010le") == nil && PlanarFormat(code: "RGB0") == nil)
  }

  /// Sizes that FFmpeg 5.1.9 writes for a picture of 33x17.
  @Test func picturesHaveTheSizesOfFFmpeg() {
    for (name, bytes) in [
      ("yuv420p", 867), ("yuv422p10le", 2278), ("yuv444p12le", 3366), ("gray16le", 1122), ("yuva420p16le", 2856),
      ("gbrap10le", 4488), ("yuva422p", 1700),
    ] {
      #expect(PlanarFormat(named: name)?.byteCount(width: 33, height: 17) == bytes, "\(name)")
    }
  }
}
