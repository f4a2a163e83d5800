import FileParts
import HDRCore
import TestSupport
import Testing
import VideoStreams

/// Boxes that are added to movies behind their samples.
@Suite struct MovieBoxesTests {
  private static let light = LightMetadata(
    clli: ContentLightLevel(maxCLL: 1000, maxFALL: 400),
    mdcv: MasteringDisplay.forOutput(primaries: CICP.Primaries.bt2020, contentHeadroom: 1000.0 / 203))

  /// Samples, then the movie.
  private static func file(_ movie: [UInt8]) -> [UInt8] {
    MovieTests.box("ftyp", Array("isom".utf8) + MovieTests.words([0])) + MovieTests.box("mdat", [1, 2, 3]) + movie
  }

  private static func changed(_ file: [UInt8], _ orientation: Orientation? = nil) throws -> [UInt8] {
    let change = try MovieBoxes.change(
      MemoryAccess(file), adding: light.boxes(transfer: CICP.Transfer.pq), orientation: orientation)
    return file[..<change.offset] + change.bytes
  }

  @Test("light metadata are read as they were added, behind the boxes that are there", arguments: [0, 4])
  func addsLight(zeros: Int) throws {
    let colr = MovieTests.box("colr", Array("nclx".utf8) + MovieTests.halves([9, 16, 9]) + [0])
    // QuickTime ends the list of a sample entry with four zeros.
    let entry = MovieTests.entry("hvc1", colr + [UInt8](repeating: 0, count: zeros))
    let before = Self.file(MovieTests.movie(entry)), after = try Self.changed(before)
    #expect(after.count == before.count + 32 + 12)
    let file = try #require(try ContainerFile.read(MemoryAccess(after)))
    let video = try #require(file.videoTrack?.video)
    #expect(video.light.mdcv == Self.light.mdcv && video.light.clli == Self.light.clli)
    #expect(video.color.transfer == 16 && file.warnings.isEmpty)
    #expect(file.videoTrack?.sampleCount == 7)
  }

  @Test("a turn for viewing is read as it was written", arguments: Orientation.allCases)
  func writesTurns(orientation: Orientation) throws {
    let before = Self.file(MovieTests.movie(MovieTests.entry("apch", [])))
    let file = try ContainerFile.read(MemoryAccess(try Self.changed(before, orientation)))
    #expect(file?.videoTrack?.video?.orientation == orientation)
  }

  @Test func movesAPictureThatIsTurnedIntoView() throws {
    let before = Self.file(MovieTests.movie(MovieTests.entry("apch", [])))
    let after = try Self.changed(before, .right)
    // A pixel (x, y) is shown at (height - y, x).
    let matrix = MovieTests.words([0, 1 << 16, 0, -1 << 16, 0, 0, 1080 << 16, 0, 1 << 30])
    #expect(after.firstRange(of: matrix) != nil)
  }

  @Test func refusesMoviesBeforeTheirSamplesAndFilesThatAreCut() throws {
    let movie = MovieTests.movie(MovieTests.entry("hvc1", []))
    #expect(throws: DecodeError.self) {
      try MovieBoxes.change(MemoryAccess(movie + MovieTests.box("mdat", [])), adding: [])
    }
    let whole = Self.file(movie)
    for count in stride(from: 0, to: whole.count, by: 3) {
      #expect(throws: DecodeError.self) { try MovieBoxes.change(MemoryAccess(Array(whole[..<count])), adding: []) }
    }
  }
}
