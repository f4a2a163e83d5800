import FileParts
import HDRCore
import Testing
import VideoStreams

/// Matroska by elements that are made here (RFC 9559).
@Suite struct MatroskaTests {
  private static func element(_ id: Int, _ content: [UInt8]) -> [UInt8] {
    var sink = ByteSink()
    sink.integer(id, bytes: id < 0x100 ? 1 : id < 0x1_0000 ? 2 : id < 0x100_0000 ? 3 : 4)
    sink.integer(1 << 28 | content.count, bytes: 4)
    return sink.bytes + content
  }

  private static func number(_ id: Int, _ value: Int) -> [UInt8] {
    var sink = ByteSink()
    sink.integer(value, bytes: 4)
    return element(id, sink.bytes)
  }

  private static func float(_ id: Int, _ value: Double) -> [UInt8] {
    element(id, (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (56 - 8 * UInt64($0))) })
  }

  private static func text(_ id: Int, _ value: String) -> [UInt8] { element(id, Array(value.utf8)) }

  private static let header = element(0x1A45_DFA3, text(0x4282, "matroska"))
  private static let size = number(0xB0, 1920) + number(0xBA, 1080)

  /// A list of tracks with one of pictures.
  private static func tracks(_ video: [UInt8], _ more: [UInt8] = []) -> [UInt8] {
    let entry = number(0xD7, 1) + number(0x83, 1) + text(0x86, "V_AV1") + more + element(0xE0, video)
    return element(0x1654_AE6B, element(0xAE, entry))
  }

  private static func file(_ parts: [UInt8]) throws -> ContainerFile {
    try #require(try ContainerFile.read(MemoryAccess(header + element(0x1853_8067, parts))))
  }

  private static func video(_ more: [UInt8]) throws -> ContainerVideo {
    try #require(try file(tracks(size + more)).videoTrack?.video)
  }

  @Test func cropsAndShapesComeFromSizes() throws {
    let cropped = try Self.video(Self.number(0x54BB, 140) + Self.number(0x54AA, 140) + Self.number(0x54CC, 2))
    #expect(cropped.crop == PixelRect(x: 2, y: 140, width: 1918, height: 800) && cropped.sampleAspect == nil)
    let wide = try Self.video(Self.number(0x54B0, 2560) + Self.number(0x54BA, 1080))
    #expect(wide.crop == nil && wide.sampleAspect == SampleAspect(4, 3))
    // Shape by the shown part, in centimetres; an unknown unit states none.
    let shown = try Self.video(
      Self.number(0x54BB, 140) + Self.number(0x54AA, 140) + Self.number(0x54B0, 48) + Self.number(0x54BA, 20)
        + Self.number(0x54B2, 1))
    #expect(shown.sampleAspect == SampleAspect.square)
    #expect(
      try Self.video(Self.number(0x54B0, 4) + Self.number(0x54BA, 3) + Self.number(0x54B2, 4)).sampleAspect == nil)
    let all = try Self.file(Self.tracks(Self.size + Self.number(0x54CC, 1920)))
    #expect(all.videoTrack?.video?.crop == nil && all.warnings.map(\.code) == ["video.box"])
  }

  /// Rolls are those that FFmpeg 9.0.2 writes for its display rotations.
  @Test func posesAreOrientations() throws {
    func orientation(_ angles: [(Int, Double)]) throws -> Orientation? {
      try Self.video(Self.element(0x7670, angles.flatMap { Self.float($0.0, $0.1) })).orientation
    }
    #expect(try orientation([(0x7675, 90)]) == .left && orientation([(0x7675, -90)]) == .right)
    #expect(try orientation([(0x7675, 180)]) == .down && orientation([(0x7673, 180)]) == .upMirrored)
    #expect(try orientation([(0x7674, 180)]) == .downMirrored && orientation([]) == .up)
    #expect(try orientation([(0x7675, 45)]) == nil && orientation([(0x7673, 90)]) == nil)
  }

  @Test func colourAndLightAreRead() throws {
    let mastering = zip(0x55D1..., [0.708, 0.292, 0.17, 0.797, 0.131, 0.046, 0.3127, 0.329, 4000, 0.005])
      .flatMap { Self.float($0, $1) }
    let colour =
      Self.number(0x55B1, 9) + Self.number(0x55BA, 16) + Self.number(0x55BB, 9) + Self.number(0x55B9, 2)
      + Self.number(0x55B2, 10) + Self.number(0x55B7, 1) + Self.number(0x55B8, 1) + Self.number(0x55BC, 1000)
      + Self.number(0x55BD, 400) + Self.element(0x55D0, mastering)
    let video = try Self.video(Self.element(0x55B0, colour) + Self.number(0x53C0, 1) + Self.number(0x53B8, 1))
    #expect(TrackColor.text(video.color) == "9/16/9 full" && video.bitDepth == 10 && video.chromaLocation == 2)
    #expect(video.light.clli == ContentLightLevel(maxCLL: 1000, maxFALL: 400) && video.light.mdcv?.maxLuminance == 4000)
    #expect(video.light.mdcv?.primaries?[2] == Chromaticity(0.131, 0.046) && video.hasAlpha && video.hasViews)
    // Light that cannot be is left out, and said.
    let wrong = try Self.file(
      Self.tracks(
        Self.size
          + Self.element(0x55B0, Self.number(0x55BC, 100) + Self.number(0x55BD, 400) + Self.element(0x55D0, []))))
    #expect(wrong.warnings.map(\.code).sorted() == ["light.clli", "light.mdcv"])
    #expect(wrong.videoTrack?.video?.light.clli == nil && wrong.videoTrack?.video?.light.mdcv == nil)
  }

  @Test func tracksSayWhatElseTheyAre() throws {
    let encryption = Self.element(0x6D80, Self.element(0x6240, Self.number(0x5033, 1)))
    let dolby: [UInt8] = [1, 0, 0x10, 0x35, 0x10] + [UInt8](repeating: 0, count: 19)
    let mapping = Self.element(0x41E4, Self.number(0x41E7, 0x6476_7643) + Self.element(0x41ED, dolby))
    let file = try Self.file(
      Self.element(0x1549_A966, Self.number(0x2AD7B1, 500_000) + Self.float(0x4489, 3000))
        + Self.tracks(Self.size + Self.number(0x9A, 1), encryption + mapping + Self.text(0x22B59C, "ger"))
        + Self.element(0x1F43_B675, [1, 2, 3]))
    let track = try #require(file.videoTrack)
    #expect(track.isEncrypted && track.language == "ger" && track.codec == .av1 && track.video?.isInterlaced == true)
    #expect(track.timeBase == TimeBase(1, 2000) && track.duration == 3000 && !file.isCut)
    #expect(track.video?.dolby?.profile == 8 && track.video?.dolby?.compatibility == 1)
    #expect(try Self.file(Self.tracks(Self.size)).videoTrack?.language == "eng")
  }

  @Test func listsOfTracksBehindClustersAreFound() throws {
    let tracks = Self.tracks(Self.size), cluster = Self.element(0x1F43_B675, [UInt8](repeating: 7, count: 90))
    func seek(_ position: Int) -> [UInt8] {
      Self.element(
        0x114D_9B74, Self.element(0x4DBB, Self.number(0x53AB, 0x1654_AE6B) + Self.number(0x53AC, position)))
    }
    let index = seek(seek(0).count + cluster.count)
    #expect(try Self.file(index + cluster + tracks).tracks.count == 1)
    // A segment of unknown size reaches to the end of the file.
    let open = Self.header + [0x18, 0x53, 0x80, 0x67, 0xFF] + tracks + cluster
    #expect(try ContainerFile.read(MemoryAccess(open))?.tracks.count == 1)
    #expect(throws: DecodeError.malformed(where: "Matroska segment", what: "it has no list of tracks")) {
      try Self.file(seek(1 << 30) + cluster)
    }
  }

  @Test func impossibleElementsAreRefused() {
    let faults: [[UInt8]] = [
      Self.element(0x1A45_DFA3, Self.text(0x4282, "other")), Self.header, Self.header + [0x00],
      Self.header + Self.element(0x1234, []),
      // No size, a side of 0, a track inside that is longer than the list, a number of 9 bytes, one that is not finite.
      Self.header + Self.element(0x1853_8067, Self.tracks([])),
      Self.header + Self.element(0x1853_8067, Self.tracks(Self.number(0xB0, 0) + Self.number(0xBA, 4))),
      Self.header + Self.element(0x1853_8067, Self.element(0x1654_AE6B, [0xAE, 0x88, 1])),
      Self.header
        + Self.element(0x1853_8067, Self.tracks(Self.element(0xB0, [UInt8](repeating: 1, count: 9)))),
      Self.header
        + Self.element(
          0x1853_8067, Self.element(0x1549_A966, Self.float(0x4489, .nan)) + Self.tracks(Self.size)),
      Self.header + Self.element(0x1853_8067, (0..<300).flatMap { _ in Self.element(0xEC, []) }),
    ]
    for (index, bytes) in faults.enumerated() {
      #expect(throws: DecodeError.self, "file \(index)") { try ContainerFile.read(MemoryAccess(bytes)) }
    }
  }
}
