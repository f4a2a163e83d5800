import FileParts
import HDRCore
import Synchronization
import Testing
import VideoStreams

/// Movies by boxes that are made here (ISO/IEC 14496-12).
@Suite struct MovieTests {
  static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    words([8 + content.count]) + Array(type.utf8) + content
  }

  static func words(_ values: [Int]) -> [UInt8] {
    var sink = ByteSink()
    for value in values { sink.u32(value) }
    return sink.bytes
  }

  static func halves(_ values: [Int]) -> [UInt8] {
    var sink = ByteSink()
    for value in values { sink.u16(value) }
    return sink.bytes
  }

  static let unit = 1 << 16
  static let zeros = [UInt8](repeating: 0, count: 64)

  /// A sample entry of 1920x1080 with boxes.
  static func entry(_ type: String, _ boxes: [UInt8], depth: Int = 24) -> [UInt8] {
    box(
      type,
      Array(zeros.prefix(24)) + halves([1920, 1080]) + zeros.prefix(14 + 32) + halves([depth, 0xFFFF]) + boxes)
  }

  static func movie(
    _ entry: [UInt8], matrix: [Int] = [unit, 0, 0, unit], sizes: [UInt8] = box("stsz", words([0, 100, 7])),
    mediaHeader: [UInt8] = words([0, 0, 0, 600, 1200, 0x15C7_0000])
  ) -> [UInt8] {
    let turn = words([matrix[0], matrix[1], 0, matrix[2], matrix[3], 0, 0, 0, 1 << 30, 1920 << 16, 1080 << 16])
    let header = box("tkhd", words([1, 0, 0, 5, 0, 100, 0, 0, 0, 0]) + turn)
    let table = box("stsd", words([0, 1]) + entry) + sizes
    let media =
      box("mdhd", mediaHeader) + box("hdlr", words([0, 0]) + Array("vide".utf8) + zeros.prefix(13))
      + box("minf", box("stbl", table))
    return box("moov", box("trak", header + box("mdia", media)))
  }

  private static func file(_ movie: [UInt8], brand: String = "isom") throws -> ContainerFile {
    try #require(try ContainerFile.read(MemoryAccess(box("ftyp", Array(brand.utf8) + words([0])) + movie)))
  }

  private static func video(_ boxes: [UInt8], _ type: String = "hvc1") throws -> ContainerVideo {
    try #require(try file(movie(entry(type, boxes))).videoTrack?.video)
  }

  @Test func headersSayClockLengthAndLanguage() throws {
    let file = try Self.file(Self.movie(Self.entry("av01", [])))
    let track = try #require(file.videoTrack)
    #expect(file.kind == .mp4 && track.id == 5 && track.timeBase == TimeBase(1, 600) && track.duration == 1200)
    #expect(track.language == "eng" && track.sampleCount == 7 && track.codec == .av1)
    let long = try Self.file(
      Self.movie(
        Self.entry("av01", []), mediaHeader: Self.words([1 << 24, 0, 0, 0, 0, 90_000, 1, 0, 0x7FFF_0000])),
      brand: "qt  ")
    #expect(long.videoTrack?.duration == 1 << 32 && long.videoTrack?.language == nil && long.kind == .quickTime)
    let halves = Self.box("stz2", Self.words([0, 4, 5]) + [1, 2, 3])
    #expect(try Self.file(Self.movie(Self.entry("av01", []), sizes: halves)).videoTrack?.sampleCount == 5)
    #expect(throws: DecodeError.self) {
      try Self.file(Self.movie(Self.entry("av01", []), sizes: Self.box("stz2", Self.words([0, 4, 7]) + [1, 2, 3])))
    }
  }

  /// A matrix shows a stored pixel (x, y) at (a·x + c·y, b·x + d·y); the geometry of stills says the inverse.
  @Test func matricesAreOrientations() throws {
    for orientation in Orientation.allCases {
      let map = Geometry(width: 1, height: 1, orientation: orientation).mapping
      // Of an output column and row to stored steps: the transposed turn.
      let matrix = [map.columnX, map.rowX, map.columnY, map.rowY].map { $0 * Self.unit }
      let file = try Self.file(Self.movie(Self.entry("hvc1", []), matrix: matrix))
      #expect(file.videoTrack?.video?.orientation == orientation, "\(orientation)")
    }
    let odd = try Self.file(Self.movie(Self.entry("hvc1", []), matrix: [46_341, 46_341, -46_341, 46_341]))
    #expect(odd.videoTrack?.video != nil && odd.videoTrack?.video?.orientation == nil)
  }

  @Test func sampleEntriesSayShapeColourAndLight() throws {
    let clap = Self.box("clap", Self.words([1440, 1, 1080, 1, 0, 1, 0, 1]))
    let colour = Self.box("colr", Array("nclx".utf8) + Self.halves([9, 16, 9]) + [0x80])
    let second = Self.box("colr", Array("nclc".utf8) + Self.halves([1, 1, 1]))
    let video = try Self.video(
      clap + Self.box("pasp", Self.words([4, 3])) + colour + second + Self.box("fiel", [2, 1])
        + Self.box("clli", Self.halves([1000, 400]))
        + Self.box("amve", Self.words([3_140_000]) + Self.halves([15_635, 16_450]))
        + Self.box("vexu", []) + [0, 0, 0, 0])
    #expect(video.crop == PixelRect(x: 240, y: 0, width: 1440, height: 1080))
    #expect(video.sampleAspect == SampleAspect(4, 3) && TrackColor.text(video.color) == "9/16/9 full")
    #expect(video.isInterlaced == true && video.hasViews && video.light.clli?.maxCLL == 1000)
    #expect(video.light.amve?.illuminance == 314)
    let unstated = try Self.video(Self.box("colr", Array("nclc".utf8) + Self.halves([2, 2, 2])))
    #expect(unstated.color == BitstreamColor() && unstated.isInterlaced == nil)
    // VP9's record has the colour that its stream lacks.
    let vp9 = try Self.video(Self.box("vpcC", [1, 0, 0, 0, 2, 10, 0xA2, 9, 16, 9, 0, 0]), "vp09")
    #expect(TrackColor.text(vp9.color) == "9/16/9 limited")
    // What cannot be read is left out, and said.
    let wrong = try Self.file(
      Self.movie(
        Self.entry("hvc1", Self.box("clap", Self.words([4000, 1, 1080, 1, 0, 1, 0, 1])) + Self.box("dvcC", [1]))))
    #expect(wrong.videoTrack?.video?.crop == nil && wrong.warnings.map(\.code) == ["video.box", "video.box"])
  }

  @Test func encryptedTracksNameTheirCodec() throws {
    let scheme = Self.box("sinf", Self.box("frma", Array("avc1".utf8)))
    let track = try #require(try Self.file(Self.movie(Self.entry("encv", scheme))).videoTrack)
    #expect(track.isEncrypted && track.codec == .h264)
    let alpha = try Self.file(Self.movie(Self.entry("ap4h", [], depth: 32))).videoTrack
    #expect(alpha?.codec == .prores && alpha?.video?.hasAlpha == true)
  }

  // MARK: Large files

  /// A file whose middle is zeros that nobody keeps; counts what is read.
  private final class SparseFile: RandomAccess {
    let head: [UInt8], tail: [UInt8], byteCount: Int
    let readBytes = Atomic(0)

    init(_ head: [UInt8], gap: Int, _ tail: [UInt8]) {
      (self.head, self.tail, byteCount) = (head, tail, head.count + gap + tail.count)
    }

    func read(at offset: Int, count: Int) throws(DecodeError) -> [UInt8] {
      readBytes.add(count, ordering: .relaxed)
      return (offset..<offset + count).map { place in
        place < head.count ? head[place] : place < byteCount - tail.count ? 0 : tail[place - byteCount + tail.count]
      }
    }
  }

  @Test func largeFilesAreNotReadWhole() throws {
    let gap = 10 << 30, start = Self.box("ftyp", Array("isom".utf8) + Self.words([0]))
    let samples = Self.words([1]) + Array("mdat".utf8) + Self.words([(gap + 16) >> 32, (gap + 16) & 0xFFFF_FFFF])
    let movie = Self.movie(Self.entry("hvc1", []))
    let file = SparseFile(start + samples, gap: gap, movie)
    #expect(try ContainerFile.read(file)?.videoTrack?.sampleCount == 7)
    #expect(file.readBytes.load(ordering: .relaxed) < 4096)
    let many = (0..<20_000).flatMap { _ in Self.box("free", []) }
    #expect(throws: DecodeError.limit(what: "boxes of one level", found: 10_001, allowed: 10_000)) {
      try Self.file(many + movie)
    }
  }
}
