import HDRCore
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// Gain maps in JPEG XL, and JPEGs that become JPEG XL.
@Suite(.enabled(if: JXL.isHere, "skipped: no libjxl")) struct AdaptiveJXLTests {
  static func request(
    _ metadata: GainMapMetadata = AdaptiveJPEG.threeChannels, mapChannels: Int = 4, quality: Int = 100
  ) -> AdaptiveRequest {
    var request = AdaptiveJPEG.request(metadata, width: 40, height: 24, mapChannels: mapChannels)
    request.container = .jxl
    (request.quality, request.mapQuality) = (quality, quality)
    return request
  }

  // MARK: jhgm

  @Test(arguments: [1, 4], [AdaptiveJPEG.oneChannel, AdaptiveJPEG.threeChannels])
  func baseAndMapReadBackAsWritten(mapChannels: Int, metadata: GainMapMetadata) throws {
    let request = Self.request(metadata, mapChannels: mapChannels)
    let files = try encodeAdaptive(request)
    try verifyAdaptive(files, request)
    #expect(JXL.boxes(files.main).map(\.type).suffix(2) == ["jxlc", "jhgm"])
    let found = try decodeImage(files.main), map = try #require(found.gainMap)
    #expect(found.warnings.isEmpty && map.bindings == ["jhgm"] && map.alternateColor == nil)
    #expect(map.metadata == metadata && map.metadata.rawPayload == metadata.rawPayload)
    let (base, asked) = try #require(request.base.images(request.map))
    #expect(JXL.words(found.image) == JXL.words(base, channels: 3))
    #expect(JXL.words(map.image) == JXL.words(asked, channels: mapChannels == 1 ? 1 : 3))
    #expect(map.matrix == 0 && map.fullRange)
  }

  @Test func lossyMapsComeClose() throws {
    let request = Self.request(quality: 90)
    let files = try encodeAdaptive(request)
    try verifyAdaptive(files, request)
    let map = try #require(try decodeImage(files.main).gainMap),
      asked = try #require(request.base.images(request.map)?.1)
    let worst = zip(JXL.words(map.image), JXL.words(asked, channels: 3)).map { abs(Int($0) - Int($1)) }.max() ?? 0
    #expect(worst > 0 && worst < 16)
  }

  @Test("the alternate's colour is written where its primaries are others")
  func alternateColour() throws {
    var request = Self.request(
      AdaptiveJPEG.metadata(
        alternate: Rational32(2, 1), [(Rational32(0, 1), Rational32(2, 1), Rational32(1, 1))], usesBaseColorSpace: false
      ))
    request.alternateColor = AdaptiveColor(cicp: CICP(9, 16, 9, full: true))
    let box = try #require(JXL.boxes(try encodeAdaptive(request).main).last)
    #expect(try JHGM(parsing: box.payload[...]).colorEncoding == hexBytes("90470f"))
    let map = try #require(try decodeImage(encodeAdaptive(request).main).gainMap)
    #expect(map.alternateColor?.cicp == CICP(9, 16, 0, full: true) && !map.metadata.usesBaseColorSpace)
    request.alternateColor = AdaptiveColor(cicp: CICP(22, 16, 0, full: true))
    #expect(throws: EncodeError.self) { try encodeAdaptive(request) }
  }

  @Test func basesOfHDRHaveTheirLight() throws {
    var request = Self.request(
      AdaptiveJPEG.metadata(
        base: Rational32(2, 1), alternate: Rational32(0, 1), [(Rational32(-2, 1), Rational32(0, 1), Rational32(1, 1))]))
    request.base = .samples(JXLTests.widened(AdaptiveJPEG.waves(40, 24, channels: 4)))
    request.baseColor = AdaptiveColor(cicp: CICP(9, 16, 9, full: true))
    let files = try encodeAdaptive(request)
    try verifyAdaptive(files, request)
    let found = try decodeImage(files.main)
    #expect(found.light.mdcv?.maxLuminance == 812 && found.image.format == .uint16)
    #expect(found.gainMap?.metadata.baseIsHDR == true)
  }

  @Test func keptPayloadsAreTheSameBytes() throws {
    let first = try encodeAdaptive(Self.request(quality: 90)).main
    let coded = try codedRenditions(first)
    var request = Self.request()
    request.base = coded.base
    request.map = try #require(coded.map)
    #expect(try encodeAdaptive(request).main == first)
  }

  @Test(arguments: [Array<UInt8>(), [0], [1, 0, 0], [0, 0, 9, 1]])
  func brokenMapsLeaveTheBase(payload: [UInt8]) throws {
    let file = JXL.file(JXL.box("jxlc", JXLTests.codestream), JXL.box("jhgm", payload))
    let found = try decodeImage(file)
    #expect(found.gainMap == nil && found.warnings.contains { $0.code.hasPrefix("gainmap.") })
  }

  @Test func aMapIsOfTheFirstFrame() throws {
    let box = try #require(JXL.boxes(try encodeAdaptive(Self.request(quality: 90)).main).last)
    let file = JXL.file(JXL.box("jxlc", JXLTests.animation), JXL.box("jhgm", box.payload))
    #expect(try decodeImage(file, picture: "1").gainMap != nil)
    let second = try decodeImage(file, picture: "2")
    #expect(second.gainMap == nil && second.warnings.map(\.code) == ["gainmap.frame"])
    var limits = DecodeLimits()
    limits.reading.number = 2
    #expect(throws: DecodeError.self) { try codedRenditions(file, limits: limits) }
  }

  @Test(.enabled(if: SharedData.hasImages, "skipped: no data"))
  func aMapBeforeItsBaseIsRead() throws {
    let bytes = try #require(SharedData.bytes("data/images/jxl/made_sdrbase_jhgm.jxl"))
    #expect(JXL.boxes(bytes).map(\.type).firstIndex(of: "jhgm") == 2)
    let found = try decodeImage(bytes), map = try #require(found.gainMap)
    #expect(map.image.width == 160 && map.metadata.alternateHeadroom > 0)
  }

  // MARK: JPEG

  @Test(arguments: [TinyJPEG.grey, TinyJPEG.color444, TinyJPEG.color422, TinyJPEG.color420])
  func smallJPEGsAreRestored(jpeg: [UInt8]) throws {
    let request = RecompressRequest(jpeg: jpeg)
    let files = try recompress(request)
    try verifyRecompressed(files, request)
    #expect(try restoredJPEG(files.main, byteCount: jpeg.count) == jpeg)
    let found = try decodeImage(files.main)
    #expect(found.image.width == 9 && found.image.height == 5 && found.warnings.isEmpty)
  }

  @Test("a recompressed JPEG is turned as its Exif says", arguments: 1...8)
  func orientationOfJPEGs(orientation: Int) throws {
    let exif = Array("Exif\0\0".utf8) + TinyExif.orientation(orientation, littleEndian: false)
    let segment = [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif
    let jpeg = Array(TinyJPEG.color444.prefix(2)) + segment + TinyJPEG.color444.dropFirst(2)
    let request = RecompressRequest(jpeg: jpeg), files = try recompress(request)
    try verifyRecompressed(files, request)
    let found = try decodeImage(files.main)
    #expect(found.geometry == Geometry(width: 9, height: 5, orientation: Orientation(rawValue: orientation) ?? .up))
  }

  @Test func jpegsWithMapsAreRestoredAndReadAsHDR() throws {
    let file = try encodeAdaptive(AdaptiveJPEG.request(width: 64, height: 48)).main
    let head = try decodeImage(file), coded = try codedRenditions(file)
    guard case .jpegStream(let primary) = coded.base, let old = head.gainMap else {
      Issue.record("no JPEG")
      return
    }
    for jpeg in [primary, file] {
      var request = RecompressRequest(jpeg: jpeg, map: coded.map, metadata: old.metadata, primaries: 12)
      let files = try recompress(request)
      try verifyRecompressed(files, request)
      let found = try decodeImage(files.main), map = try #require(found.gainMap)
      #expect(map.metadata.rawPayload == old.metadata.rawPayload && map.image.width == 64)
      #expect(found.color.encoding == head.color.encoding)
      request.jpeg[jpeg.count / 2] ^= 1
      #expect(throws: EncodeError.self) { try verifyRecompressed(files, request) }
      request = RecompressRequest(jpeg: jpeg, map: coded.map, metadata: AdaptiveJPEG.oneChannel)
      #expect(throws: EncodeError.self) { try verifyRecompressed(files, request) }
    }
  }

  @Test func otherJPEGsAreRefused() throws {
    #expect(throws: EncodeError.self) { try recompress(RecompressRequest(jpeg: TinyJPEG.cmyk)) }
    #expect(throws: EncodeError.self) { try recompress(RecompressRequest(jpeg: [0xFF, 0xD8, 0xFF])) }
    let picture = try encodeImage(Writer.request(.sdrJXL, Writer.rgba(4, 4, .uint8))).main
    #expect(throws: DecodeError.unsupported(feature: "restoring a JPEG", found: "a picture that was none")) {
      try restoredJPEG(picture, byteCount: 100)
    }
  }
}

extension AdaptivePicture {
  /// Samples of a base and its map.
  func images(_ map: AdaptivePicture) -> (SampleImage, SampleImage)? {
    guard case .samples(let base) = self, case .samples(let codes) = map else { return nil }
    return (base, codes)
  }
}
