import FileParts
import HDRCore
import Testing
import VideoStreams

@Suite struct NUTReaderTests {
  /// Time stamps, sizes and flags are those that ffprobe 5.1.9 prints for these files.
  @Test func streamsAndPacketsAreThoseOfFFmpeg() throws {
    let raw = try NUTReader(PieceStream(NUTFiles.raw))
    #expect(raw.streams.count == 1)
    let video = raw.streams[0]
    #expect(video.kind == .video && video.timeBase == TimeBase(1, 90_000) && video.width == 4 && video.height == 2)
    #expect(PlanarFormat(code: video.codec) == PlanarFormat(.s420, bitDepth: 10))
    let frames = try WholePacket.all(NUTFiles.raw)
    #expect(frames.map(\.pts) == [0, 9000, 12_000] && frames.allSatisfy { $0.isKey && $0.payload.count == 24 })

    let two = try NUTReader(PieceStream(NUTFiles.two)).streams
    #expect(two.map(\.kind) == [.video, .audio] && two[0].codec == "FMP4" && two[0].extradata.count == 31)
    #expect(two.map(\.timeBase) == [TimeBase(1, 51_200), TimeBase(1, 16_000)] && two[0].decodeDelay == 1)
    #expect(two[0].sampleAspect == SampleAspect.square && two[1].width == 0)
    let packets = try WholePacket.all(NUTFiles.two)
    #expect(packets.map(\.stream) == [0, 1, 0, 0, 1, 0, 1, 0])
    #expect(packets.map(\.pts) == [2048, 159, 8192, 4096, 1311, 6144, 2463, 10_240])
    #expect(packets.map(\.payload.count) == [79, 72, 8, 8, 72, 8, 72, 8])
    #expect(packets.map(\.isKey) == [true, true, false, false, true, false, true, false])
    // CRC of FFmpeg's own payloads, computed without this reader.
    let sums = packets.map { NUTChecksum($0.payload).value }
    #expect(sums[0] == 0x56A9_053E && sums[1] == 0x0E9B_3802 && sums[7] == 0xAB36_261E)
  }

  @Test(arguments: [[1], [7], [1, 200], [3, 1, 64]]) func piecesDoNotMatter(sizes: [Int]) throws {
    for file in [NUTFiles.raw, NUTFiles.two] {
      #expect(try WholePacket.all(file, sizes: sizes) == WholePacket.all(file))
    }
  }

  @Test func payloadsThatAreNotReadArePassedOver() throws {
    var reader = try NUTReader(PieceStream(NUTFiles.two, sizes: [5])), stamps: [Int] = []
    while let packet = try reader.next() { stamps.append(packet.pts) }
    #expect(stamps == [2048, 159, 8192, 4096, 1311, 6144, 2463, 10_240])
  }

  @Test func payloadsFillTheMemoryOfTheCaller() throws {
    var reader = try NUTReader(PieceStream(NUTFiles.raw, sizes: [9])), found: [[UInt8]] = []
    while let packet = try reader.next() {
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: packet.byteCount, alignment: 64)
      defer { memory.deallocate() }
      try reader.readPayload(into: memory)
      found.append([UInt8](memory))
    }
    #expect(try WholePacket.all(NUTFiles.raw).map(\.payload) == found)
  }

  @Test func aFileThatIsCutEndsWithAnError() throws {
    for file in [NUTFiles.raw, NUTFiles.two] {
      let whole = try WholePacket.all(file)
      var ends = 0
      for count in 0..<file.count {
        do throws(DecodeError) {
          // Between two packets nothing tells that more should come.
          let packets = try WholePacket.all(Array(file.prefix(count)))
          #expect(packets == Array(whole.prefix(packets.count)))
          ends += 1
        } catch {
          guard case .truncated = error else {
            Issue.record("\(count) bytes: \(error)")
            continue
          }
        }
      }
      #expect(ends > whole.count && ends < whole.count * 4)
    }
  }

  // MARK: Frame codes

  /// Code 1: key frames with a whole time stamp and a size. Code 2: the next millisecond, 3 bytes behind "xy". Codes 3
  /// to 6: 0 to 3 bytes more than 4 times a number. Then those with flags of their own.
  private static func built() -> NUTBuilder {
    var file = NUTBuilder()
    file.main(
      codes: [
        [8192, 0, 1, 0, 0, 0, 1], [1 | 8 | 32 | 64, 0, 1, 0, 0, 0, 1], [0, 1, 4, 0, 5, 0, 1, 0, 1],
        [32, 3, 4, 0, 0, 2, 4, 0, 0], [4096, 0, 1, 0, 0, 0, 248, 0, 0],
      ], elided: [[0x78, 0x79]])
    file.stream()
    file.syncpoint(5)
    return file
  }

  @Test func frameCodesSayWhatFramesLeaveOut() throws {
    var file = Self.built()
    file.bytes += [2, 1, 2, 3]
    // 4 * 1 + 2, with two reserved numbers; 2 units later.
    file.bytes += [5, 1, 0, 0x81, 0x00] + [9, 8, 7, 6, 5, 4]
    // Flags: an own time stamp with low bits alone, 8 units around the last.
    file.bytes += [7, 8, 1]
    file.bytes += [7, 8, 0]
    // An end of relevance, which is no packet.
    file.bytes += [7, 2 | 8, 2]
    let packets = try WholePacket.all(file.bytes)
    #expect(packets.map(\.pts) == [6, 8, 9, 8])
    #expect(packets.map(\.payload) == [[0x78, 0x79, 1, 2, 3], [9, 8, 7, 6, 5, 4], [], []])
  }

  @Test func headersMayBeRepeatedAndMayNotChange() throws {
    let head = Self.built()
    var same = head, other = head, fewer = head
    same.bytes += head.bytes.dropFirst(NUTPacketCode.fileID.count) + [2, 1, 2, 3]
    #expect(try WholePacket.all(same.bytes).map(\.pts) == [6])
    other.stream(ptsBits: 4)
    #expect(
      throws: DecodeError.malformed(where: "NUT stream header", what: "a later one of stream 0 differs from the first")
    ) {
      try WholePacket.all(other.bytes)
    }
    fewer.main(codes: [[8192, 0, 1, 0, 0, 0, 255]])
    #expect(throws: DecodeError.self) { try WholePacket.all(fewer.bytes) }
  }

  @Test func syncpointsAreInTheClockOfAnyStream() throws {
    var file = NUTBuilder()
    file.main(streams: 2, bases: [(1, 1000), (1001, 30_000)], codes: [[16, 0, 1, 0, 2, 0, 255]])
    file.stream(0, base: 0)
    file.stream(1, base: 1)
    // 100 in the second clock is 3336.66 ms; frames add nothing.
    file.syncpoint(100 * 2 + 1)
    file.bytes += [0, 0, 0xAA, 0xBB, 0, 1, 0xCC, 0xDD]
    #expect(try WholePacket.all(file.bytes).map(\.pts) == [3336, 100])
  }

  // MARK: Hostile files

  private func error(_ bytes: [UInt8]) -> DecodeError? {
    do throws(DecodeError) {
      _ = try WholePacket.all(bytes)
      return nil
    } catch {
      return error
    }
  }

  @Test func impossibleHeadersAreRefused() {
    func main(_ change: (inout NUTBuilder) -> Void) -> [UInt8] {
      var file = NUTBuilder()
      change(&file)
      return file.bytes
    }
    let row = [1 | 8 | 32, 0, 1, 0, 0, 0, 255]
    let faults: [[UInt8]] = [
      Array("not a multimedia container".utf8), NUTPacketCode.fileID + NUTPacketCode.info.bytes + [4, 0, 0, 0, 0],
      NUTPacketCode.fileID + [0x4E, 0, 0, 0, 0, 0, 0, 0, 0],
      main { $0.main(version: 4, codes: [row]) }, main { $0.main(streams: 0, codes: [row]) },
      main { $0.main(streams: 65, codes: [row]) }, main { $0.main(bases: [(1, 0)], codes: [row]) },
      main { $0.main(bases: [(1 << 31, 1)], codes: [row]) }, main { $0.main(bases: [], codes: [row]) },
      // More codes than there are, none, and a stream that is not there.
      main { $0.main(codes: [[1, 0, 1, 0, 0, 0, 256]]) }, main { $0.main(codes: [[1, 0, 1, 0, 0, 0, 0]]) },
      main { $0.main(codes: [[1, 0, 1, 1, 0, 0, 255]]) }, main { $0.main(codes: [[1, 0, 1]]) },
      main { $0.main(codes: [row], elided: [[UInt8]](repeating: [1], count: 128)) },
      main { $0.main(codes: [row], elided: [[UInt8]](repeating: [UInt8](repeating: 0, count: 255), count: 5)) },
      // Streams out of order, clocks that are not there, more low bits than are allowed, extradata beyond the header.
      main {
        $0.main(streams: 2, codes: [row])
        $0.stream(1)
      },
      main {
        $0.main(codes: [row])
        $0.stream(base: 1)
      },
      main {
        $0.main(codes: [row])
        $0.stream(ptsBits: 16)
      },
      main {
        $0.main(codes: [row])
        $0.packet(.stream, NUTBuilder.numbers([0, 0, 4, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1 << 40]))
      },
      // Wrong checksums, and a header of a TiB.
      main { $0.packet(.main, [3], sum: 1) },
      NUTPacketCode.fileID + NUTPacketCode.main.bytes + [0xC0, 0x80, 0x80, 0x80, 0x80, 0],
    ]
    for (index, bytes) in faults.enumerated() {
      #expect(error(bytes) != nil, "file \(index)")
      #expect(error(bytes)?.message.text(dashes: false).contains("\n") == false)
    }
  }

  @Test func impossibleFramesAreRefused() {
    let built = Self.built()
    func frame(_ bytes: [UInt8]) -> DecodeError? { error(built.bytes + bytes) }
    // No frame at all, the code of none, side data, a stream that is not there.
    #expect(
      frame([0]) != nil && frame([7, 0xC0, 0]) != nil && frame([7, 0x82, 0]) != nil && frame([7, 16, 1]) != nil)
    // A large frame without a checksum, one with a wrong checksum, a time that is far away.
    #expect(
      frame([7, 32, 0x90, 0x00]) != nil && frame([1, 9, 0, 0, 0, 0, 0]) != nil && frame([7, 8, 0x82, 0]) != nil)
    // An elision header that is none, or longer than the frame; more reserved numbers than are read.
    #expect(frame([7, 0x88, 0, 2]) != nil && frame([7, 0x88, 0, 1]) != nil && frame([7, 0x81, 0, 0x82, 1]) != nil)
    // Numbers that do not end.
    #expect(frame([7, 8] + [UInt8](repeating: 0x80, count: 40)) != nil)
    #expect(frame([7, 8] + [UInt8](repeating: 0xFF, count: 40)) != nil)
    var early = NUTBuilder()
    early.main(codes: [[1, 0, 1, 0, 0, 0, 255]])
    early.stream()
    early.bytes += [1]
    #expect(error(early.bytes)?.message.text(dashes: false) == "NUT frame: it comes before the first syncpoint")
  }

  @Test func sizesThatNothingFollowsTakeNoMemory() throws {
    var file = Self.built()
    var head = ByteSink()
    // A frame of an eighth of an EiB.
    head.append([1] + NUTBuilder.numbers([5 + 8, 1 << 57]))
    file.bytes += head.bytes + (0..<4).map { UInt8(truncatingIfNeeded: NUTChecksum(head.bytes).value >> (24 - 8 * $0)) }
    var reader = try NUTReader(PieceStream(file.bytes)), again = reader
    #expect(try reader.next()?.byteCount == 1 << 57)
    #expect(throws: DecodeError.limit(what: "bytes of a packet", found: 1 << 57, allowed: 1 << 20)) {
      try reader.payload(atMost: 1 << 20)
    }
    again = try NUTReader(PieceStream(file.bytes))
    _ = try again.next()
    #expect(throws: DecodeError.truncated(where: "NUT frame")) { try again.payload(atMost: 1 << 60) }
  }

  @Test func numbersAreThoseOfTheSpecification() throws {
    func read(_ bytes: [UInt8]) throws(DecodeError) -> Int {
      var reader = ByteReader(bytes, place: "test")
      return try reader.nutNumber()
    }
    for (value, bytes) in [
      (0, [0]), (127, [127]), (128, [0x81, 0]), (16_383, [0xFF, 0x7F]), (16_384, [0x81, 0x80, 0]),
    ] {
      let bytes = bytes.map { UInt8($0) }
      #expect(try read(bytes) == value && NUTBuilder.numbers([value]) == bytes)
    }
    #expect(try read(NUTBuilder.numbers([1 << 62 - 1])) == 1 << 62 - 1)
    #expect(throws: DecodeError.self) { try read(NUTBuilder.numbers([1 << 62])) }
    for (code, value) in [(0, 0), (1, 1), (2, -1), (3, 2), (4, -2), (255, 128)] {
      var reader = ByteReader(NUTBuilder.numbers([code]), place: "test")
      #expect(try reader.nutSigned() == value)
    }
    // The remainder of "123456789" by this polynomial from 0 is a known value (CRC-32/POSIX before its end).
    #expect(NUTChecksum(Array("123456789".utf8)).value == 0x89A1_897F)
  }
}
