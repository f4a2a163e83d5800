import FileParts
import HDRCore
import Testing
import VideoStreams

/// The rules by which one colour is used of those that a clip states.
@Suite struct TrackColorTests {
  private static func color(_ codes: [Int?], full: Bool? = nil) -> BitstreamColor {
    BitstreamColor(primaries: codes[0], transfer: codes[1], matrix: codes[2], fullRange: full)
  }

  private static func coded(_ codes: [Int?], full: Bool? = nil, location: Int? = nil) -> CodedVideo {
    var video = CodedVideo()
    (video.color, video.chromaLocation) = (color(codes, full: full), location)
    return video
  }

  private static func contained(_ codes: [Int?], full: Bool? = nil, location: Int? = nil) -> ContainerVideo {
    var video = ContainerVideo()
    (video.color, video.chromaLocation) = (color(codes, full: full), location)
    return video
  }

  private static let hevc10 = TrackPictures(codec: .hevc, height: 1080, bitDepth: 10)
  private static let none: [Int?] = [nil, nil, nil]

  private func choice(_ change: (inout TrackColorChoice) -> Void) -> TrackColorChoice {
    var choice = TrackColorChoice()
    change(&choice)
    return choice
  }

  @Test func equalStatementsAreUsedWithoutAWarning() throws {
    let color = try TrackColor(
      stream: Self.coded([9, 16, 9], full: false), container: Self.contained([9, 16, 9], full: false),
      pictures: Self.hevc10)
    #expect(color.used == CICP(9, 16, 9, full: false) && color.warnings.isEmpty)
    #expect(color.from == .stream && color.rangeFrom == .stream && color.sitingFrom == .rule)
  }

  @Test func oneStatementFillsWhatTheOtherLeavesOut() throws {
    // VP9: matrix and range in the stream, primaries and transfer in the container.
    let vp9 = try TrackColor(
      stream: Self.coded([nil, nil, 9], full: false), container: Self.contained([9, 16, nil]),
      pictures: TrackPictures(codec: .vp9, height: 180, bitDepth: 10))
    #expect(vp9.used == CICP(9, 16, 9, full: false) && vp9.warnings.isEmpty)
    let tagless = try TrackColor(
      stream: Self.coded(Self.none), container: Self.contained([9, 18, 9]), pictures: Self.hevc10)
    #expect(tagless.used == CICP(9, 18, 9, full: false) && tagless.from == .container)
    let bare = try TrackColor(stream: Self.coded([9, 16, 9]), container: nil, pictures: Self.hevc10)
    #expect(bare.used == CICP(9, 16, 9, full: false) && bare.from == .stream && bare.rangeFrom == .rule)
    // PQ alone means BT.2020.
    let curve = try TrackColor(stream: Self.coded([nil, 16, nil]), container: nil, pictures: Self.hevc10)
    #expect(curve.used == CICP(9, 16, 9, full: false))
  }

  @Test func theStreamWinsWhereTheyDifferUnlessTheContainerIsTrusted() throws {
    let stream = Self.coded([9, 16, 9], full: false), container = Self.contained([1, 1, 1], full: true)
    let first = try TrackColor(stream: stream, container: container, pictures: Self.hevc10)
    #expect(first.used == CICP(9, 16, 9, full: false) && first.warnings.map(\.code) == ["video.tags-differ"])
    #expect(
      first.warnings[0].message.text(dashes: true)
        == "the stream says 9/16/9 limited, the container 1/1/1 full: those of the stream are used; --trust container "
        + "takes the others")
    let second = try TrackColor(
      stream: stream, container: container, pictures: Self.hevc10, choice: choice { $0.trust = .container })
    #expect(second.used == CICP(1, 1, 1, full: true) && second.from == .container && second.warnings.count == 1)
    // Both are kept for the record.
    #expect(second.stream == stream.color && second.container == container.color)
  }

  @Test func numbersOfEqualMeaningDoNotDiffer() throws {
    for (a, b) in [([1, 1, 5], [1, 6, 6]), ([9, 14, 9], [9, 15, 9])] as [([Int?], [Int?])] {
      let color = try TrackColor(stream: Self.coded(a), container: Self.contained(b), pictures: Self.hevc10)
      #expect(color.warnings.isEmpty && color.used.transfer == a[1])
    }
  }

  @Test func settingsGoBeforeAllStatements() throws {
    let color = try TrackColor(
      stream: Self.coded([1, 1, 1], full: true), container: Self.contained([9, 16, 9]), pictures: Self.hevc10,
      choice: choice { ($0.primaries, $0.transfer, $0.matrix) = (9, 18, 9) })
    #expect(color.used == CICP(9, 18, 9, full: true) && color.from == .setting && color.warnings.isEmpty)
    let bare = try TrackColor(
      stream: nil, container: nil, pictures: Self.hevc10, choice: choice { ($0.primaries, $0.transfer) = (1, 1) })
    #expect(bare.used == CICP(1, 1, 1, full: false))
  }

  @Test func rangeIsTheStreamsThenTheContainersThenThatOfTheLayout() throws {
    func range(
      _ stream: Bool?, _ container: Bool?, _ change: (inout TrackPictures) -> Void = { _ in }
    ) throws -> (Bool, TrackColor.Source) {
      var pictures = Self.hevc10
      change(&pictures)
      let color = try TrackColor(
        stream: Self.coded([9, 16, 9], full: stream), container: Self.contained([9, 16, 9], full: container),
        pictures: pictures)
      return (color.used.fullRange, color.rangeFrom)
    }
    #expect(try range(true, nil) == (true, .stream) && range(nil, true) == (true, .container))
    #expect(try range(false, true) == (false, .stream) && range(nil, nil) == (false, .rule))
    #expect(try range(nil, nil) { $0.isFullRange = true } == (true, .rule))
    #expect(try range(nil, nil) { ($0.model, $0.chroma) = (.rgb, .s444) } == (true, .rule))
  }

  @Test func chromaOfHDRIsTopLeftWhereCodecsWriteItSo() throws {
    func location(
      _ stream: Int?, _ container: Int?, _ codes: [Int?] = [9, 16, 9], _ codec: TrackCodec = .hevc,
      _ chroma: ChromaSubsampling = .s420
    ) throws -> Int? {
      try TrackColor(
        stream: Self.coded(codes, location: stream), container: Self.contained(codes, location: container),
        pictures: TrackPictures(codec: codec, height: 1080, bitDepth: 10, chroma: chroma)
      ).chromaLocation
    }
    #expect(try location(nil, nil) == 2 && location(nil, nil, [9, 18, 9], .av1) == 2)
    #expect(try location(nil, nil, [9, 16, 9], .vp9) == 0 && location(nil, nil, [1, 1, 1]) == 0)
    #expect(try location(nil, nil, [12, 16, 6]) == 0)
    #expect(try location(1, 2) == 1 && location(nil, 0) == 0 && location(0, nil) == 0)
    #expect(try location(nil, nil, [9, 16, 9], .hevc, .s422) == 0)
    #expect(try location(2, 2, [9, 16, 9], .hevc, .s444) == nil)
    let color = try TrackColor(stream: Self.coded([9, 16, 9]), container: nil, pictures: Self.hevc10)
    #expect(color.siting == .topLeft && color.sitingFrom == .rule)
  }

  @Test func untaggedClipsOfEightBitsAreSDRByTheirLines() throws {
    for (height, codes) in [
      (720, [1, 1, 1]), (1080, [1, 1, 1]), (576, [5, 1, 5]), (288, [5, 1, 5]), (480, [6, 1, 6]),
    ] {
      let color = try TrackColor(
        stream: Self.coded(Self.none), container: Self.contained(Self.none),
        pictures: TrackPictures(codec: .h264, height: height, bitDepth: 8))
      #expect([color.used.primaries, color.used.transfer, color.used.matrix] == codes, "\(height)")
      #expect(color.from == .rule && color.warnings.map(\.code) == ["video.untagged"])
    }
  }

  @Test func untaggedClipsOfMoreBitsAreRefusedUnlessASettingSaysOtherwise() throws {
    for (stream, bits) in [(Self.none, 10), ([nil, nil, 9], 8), ([9, nil, nil], 12)] as [([Int?], Int)] {
      let pictures = TrackPictures(codec: .hevc, height: 1080, bitDepth: bits)
      #expect(throws: TrackColorFault.undescribed(bitDepth: bits)) {
        try TrackColor(stream: Self.coded(stream), container: nil, pictures: pictures)
      }
    }
    let told = try TrackColor(
      stream: nil, container: nil, pictures: Self.hevc10, choice: choice { $0.untagged = .bt709 })
    #expect(told.used == CICP(1, 1, 1, full: false) && told.warnings.isEmpty)
    let old = try TrackColor(
      stream: nil, container: nil, pictures: Self.hevc10, choice: choice { $0.untagged = .bt601 })
    #expect(old.used == CICP(6, 1, 6, full: false))
    #expect(throws: TrackColorFault.undescribed(bitDepth: 8)) {
      try TrackColor(
        stream: nil, container: nil, pictures: TrackPictures(codec: .h264, height: 720, bitDepth: 8),
        choice: choice { $0.untagged = .fail })
    }
    #expect(TrackColorFault.undescribed(bitDepth: 10).code == "decode.undescribed")
    #expect(TrackColorFault.undescribed(bitDepth: 10).message.text(dashes: true).contains("give --cicp 9/16/9"))
  }

  @Test(arguments: [10, 14, 15, 16, 17, 8, 4, 7, 11, 12, 13, 0]) func otherMatricesAreRefused(matrix: Int) {
    #expect(throws: TrackColorFault.matrix(matrix)) {
      try TrackColor(stream: Self.coded([9, 16, matrix]), container: nil, pictures: Self.hevc10)
    }
    #expect(TrackColorFault.matrix(matrix).code == "video.matrix")
  }

  @Test(arguments: [1, 4, 6, 8, 13, 14, 15, 16, 18]) func transfersOfStillsAreTaken(transfer: Int) throws {
    let color = try TrackColor(stream: Self.coded([9, transfer, 9]), container: nil, pictures: Self.hevc10)
    #expect(color.used.transfer == transfer)
  }

  @Test func planesOfRGBHaveTheIdentityMatrix() throws {
    let pictures = TrackPictures(codec: .ffv1, height: 180, bitDepth: 12, model: .rgb, chroma: .s444)
    let color = try TrackColor(stream: nil, container: Self.contained([9, 16, nil]), pictures: pictures)
    #expect(color.used == CICP(9, 16, 0, full: true) && color.chromaLocation == nil)
  }

  @Test func reservedCodePointsCountAsNotStated() throws {
    let color = try TrackColor(
      stream: Self.coded([3, 16, 200]), container: Self.contained([9, 16, 9]), pictures: Self.hevc10)
    #expect(color.used == CICP(9, 16, 9, full: false) && color.warnings.map(\.code) == ["video.tags-differ"])
    #expect(color.warnings[0].message.description == "the stream states code points that are reserved: 3, 200")
  }
}
