import FileParts
import HDRCore
import TestSupport
import Testing
import VideoStreams

/// Tracks of messages beside pictures, and the box of Dolby Vision.
@Suite struct MessageTrackTests {
  private static func words(_ values: [Int]) -> [UInt8] {
    values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
  }

  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    words([8 + content.count]) + Array(type.utf8) + content
  }

  /// Five messages of 2, 0, 3, 1 and 4 bytes, in chunks of 2, 2 and 1 that lie in another order.
  private static func file(
    reference: Int = 7, sizes: [Int] = [2, 0, 3, 1, 4], runs: [Int] = [1, 2, 1, 3, 1, 1], offsets: [Int] = [17, 8, 12],
    isLong: Bool = false, chunks: Int? = nil
  ) -> [UInt8] {
    let media = box("mdat", (0..<12).map { UInt8($0) })
    let entry = box("it35", [0, 0, 0, 0, 0, 0, 0, 1, 2, 0xB5, 0x26])
    let places = isLong ? offsets.flatMap { [0, $0] } : offsets
    let table =
      box("stsd", words([0, 1]) + entry) + box("stsc", words([0, runs.count / 3] + runs))
      + box(isLong ? "co64" : "stco", words([0, chunks ?? offsets.count] + places))
      + box("stsz", words([0, 0, sizes.count] + sizes))
    let track = box(
      "trak", box("tref", box("rndr", words([reference]))) + box("mdia", box("minf", box("stbl", table))))
    return media + box("moov", box("trak", []) + track)
  }

  @Test("messages have the bytes of the sample entry and of their sample", arguments: [false, true])
  func messagesAreRead(isLong: Bool) throws {
    let found = try #require(try MessageTrack.messages(MemoryAccess(Self.file(isLong: isLong)), for: 7))
    let samples: [[UInt8]] = [[9, 10], [], [0, 1, 2], [3], [4, 5, 6, 7]]
    #expect(found.map(\.bytes) == samples.map { [0xB5, 0x26] + $0 })
    #expect(try MessageTrack.messages(MemoryAccess(Self.file(isLong: isLong)), for: 1) == nil)
    #expect(try MessageTrack.messages(MemoryAccess(Self.box("mdat", [1])), for: 1) == nil)
  }

  @Test("tables that contradict the file are refused")
  func tablesAreChecked() {
    for file in [
      Self.file(sizes: [2, 0, 3, 1, 400]), Self.file(runs: [1, 1, 1]),
      Self.file(offsets: [17, 8]), Self.file(offsets: [17, 8, 1 << 30]), Self.file(chunks: 0xFFFF_FFFF),
    ] {
      #expect(throws: DecodeError.self) { try MessageTrack.messages(MemoryAccess(file), for: 7) }
    }
    // Many samples of one byte, and of 2^32 - 1.
    for (size, count) in [(1, 0xFFFF_FFFF), (1, 1 << 24), (0xFFFF_FFFF, 0xFFFF_FFFF)] {
      let many = Self.box("stsz", Self.words([0, size, count]))
      let file = Self.file(), old = Self.box("stsz", Self.words([0, 0, 5, 2, 0, 3, 1, 4]))
      let changed = Array(file.dropLast(old.count)) + many + Self.box("free", Array(old.dropFirst(many.count + 8)))
      #expect(throws: DecodeError.self) { try MessageTrack.messages(MemoryAccess(changed), for: 7) }
    }
  }

  @Test(
    "a clip's track has one message of ST 2094-50 for each frame",
    .enabled(if: SharedData.url("data/video/MANIFEST.tsv") != nil, "skipped: no ../shared/data/video"))
  func clipsHaveMessages() throws {
    let bytes = try #require(SharedData.bytes("data/video/st2094-50-it35.mp4"))
    let found = try #require(try MessageTrack.messages(MemoryAccess(bytes), for: 1))
    #expect(found.count == 30 && Set(found).count == 30)
    #expect(found.allSatisfy { $0.kind == .headroomAdaptive && $0.isReadable && $0.bytes.count == 250 })
  }

  @Test("a configuration of Dolby Vision is read as it was written", arguments: [(5, 0), (8, 1), (8, 4), (10, 1)])
  func configurationsAreWritten(profile: Int, compatibility: Int) throws {
    let made = DolbyConfiguration(profile: profile, level: 6, compatibility: compatibility)
    #expect(made.bytes.count == 24 && made.box == (profile < 8 ? "dvcC" : "dvvC"))
    #expect(try DolbyConfiguration(made.bytes) == made)
  }
}
