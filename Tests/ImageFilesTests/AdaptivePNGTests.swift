import HDRCore
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// Adaptive HDR PNG files as they are written, read again by the project's own reader.
@Suite struct AdaptivePNGTests {
  static func request(
    _ metadata: GainMapMetadata = AdaptiveJPEG.threeChannels, mapChannels: Int = 4
  ) -> AdaptiveRequest {
    var request = AdaptiveJPEG.request(metadata, width: 40, height: 24, mapChannels: mapChannels)
    (request.container, request.effort) = (.png, 1)
    return request
  }

  private static func chunks(_ file: [UInt8]) throws -> [String] { try PNGChunkList(file).names }

  @Test(arguments: [1, 4], [AdaptiveJPEG.oneChannel, AdaptiveJPEG.threeChannels])
  func baseAndMapReadBackAsWritten(mapChannels: Int, metadata: GainMapMetadata) throws {
    for (effort, inChunks) in [(1, false), (5, false), (1, true)] {
      var request = Self.request(metadata, mapChannels: mapChannels)
      (request.effort, request.deflatesInChunks) = (effort, inChunks)
      let files = try encodeAdaptive(request)
      try verifyAdaptive(files, request)
      #expect(try Self.chunks(files.main) == ["IHDR", "cICP", "iCCP", "gmAP", "gdAT", "IDAT", "IEND"])
      let found = try decodeImage(files.main), map = try #require(found.gainMap)
      #expect(found.warnings.isEmpty && map.bindings == ["png-gdat"] && map.alternateColor == nil)
      #expect(map.metadata == metadata && map.metadata.rawPayload == metadata.rawPayload)
      let (base, asked) = try #require(request.base.images(request.map))
      #expect(JXL.words(found.image) == JXL.words(base, channels: 3))
      #expect(JXL.words(map.image) == JXL.words(asked, channels: mapChannels == 1 ? 1 : 3))
    }
  }

  @Test("16-bit bases and maps keep their words", arguments: [1, 4])
  func deepPictures(mapChannels: Int) throws {
    var request = Self.request(mapChannels: mapChannels)
    let base = JXLTests.widened(AdaptiveJPEG.waves(40, 24, channels: 4))
    var map = JXLTests.widened(AdaptiveJPEG.waves(20, 12, channels: 4, phase: 1))
    if mapChannels == 1 { map = map.firstChannel }
    (request.base, request.map) = (.samples(base), .samples(map))
    let files = try encodeAdaptive(request)
    try verifyAdaptive(files, request)
    let found = try decodeImage(files.main)
    #expect(JXL.words(found.image) == JXL.words(base, channels: 3))
    #expect(JXL.words(try #require(found.gainMap?.image)) == JXL.words(map, channels: mapChannels == 1 ? 1 : 3))
  }

  @Test("a map for wider primaries says so, a grey one as R = G = B", arguments: [1, 4])
  func alternateColour(mapChannels: Int) throws {
    var request = Self.request(
      AdaptiveJPEG.metadata(
        alternate: Rational32(2, 1), [(Rational32(0, 1), Rational32(2, 1), Rational32(1, 1))], usesBaseColorSpace: false
      ), mapChannels: mapChannels)
    request.alternateColor = AdaptiveColor(cicp: CICP(9, 16, 9, full: true))
    request.alternateLight.clli = ContentLightLevel(maxCLL: 812, maxFALL: 90)
    let files = try encodeAdaptive(request)
    try verifyAdaptive(files, request)
    let map = try #require(try decodeImage(files.main).gainMap)
    #expect(map.alternateColor?.cicp?.primaries == 9 && !map.metadata.usesBaseColorSpace)
    #expect(map.alternateLight.clli == request.alternateLight.clli && map.image.channels.count == 3)
    let asked = try #require(request.base.images(request.map)?.1)
    let codes = JXL.words(asked, channels: mapChannels == 1 ? 1 : 3)
    #expect(JXL.words(map.image) == (mapChannels == 1 ? codes.flatMap { [$0, $0, $0] } : codes))
  }

  @Test func metadataAndProfilesTravel() throws {
    var request = Self.request()
    request.xmp = Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'></x:xmpmeta>".utf8)
    request.baseColor.icc = TinyICC.displayP3
    let files = try encodeAdaptive(request)
    try verifyAdaptive(files, request)
    #expect(try Self.chunks(files.main) == ["IHDR", "iCCP", "iTXt", "gmAP", "gdAT", "IDAT", "IEND"])
    let found = try decodeImage(files.main)
    #expect(found.color.icc == TinyICC.displayP3 && found.xmp == request.xmp)
  }

  @Test("what a PNG has no place for is said")
  func droppedLight() throws {
    var request = Self.request()
    request.alternateLight.diffuseWhite = 203
    #expect(try encodeAdaptive(request).warnings.map(\.code) == ["png.light-dropped"])
  }

  @Test func basesOfHDRAndForeignPayloadsAreRefused() throws {
    var hdr = Self.request(
      AdaptiveJPEG.metadata(
        base: Rational32(2, 1), alternate: Rational32(0, 1), [(Rational32(-2, 1), Rational32(0, 1), Rational32(1, 1))]))
    hdr.baseColor = AdaptiveColor(cicp: CICP(9, 16, 9, full: true))
    #expect(throws: EncodeError.self) { try encodeAdaptive(hdr) }
    var coded = Self.request()
    coded.base = .jpegStream(TinyJPEG.grey)
    #expect(throws: EncodeError.self) { try encodeAdaptive(coded) }
    var unknown = Self.request()
    unknown.baseColor = AdaptiveColor(cicp: CICP(2, 2, 0, full: true))
    #expect(throws: EncodeError.self) { try encodeAdaptive(unknown) }
  }

  @Test("a file whose map is not the one asked for fails its verification")
  func verification() throws {
    let files = try encodeAdaptive(Self.request())
    #expect(throws: EncodeError.self) { try verifyAdaptive(files, Self.request(AdaptiveJPEG.oneChannel)) }
    #expect(throws: EncodeError.self) { try verifyAdaptive(files, Self.request(mapChannels: 1)) }
  }
}

/// The names of a PNG's chunks, read without the project's reader.
private struct PNGChunkList {
  var names: [String] = []

  init(_ file: [UInt8]) throws {
    var at = 8
    while at + 12 <= file.count {
      let length = file[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      names.append(String(decoding: file[at + 4..<at + 8], as: UTF8.self))
      at += 12 + length
    }
    try #require(at == file.count)
  }
}
