import CTurboJPEG
import HDRCore
import ImageFiles
import TestFiles
import Testing

/// JPEG pixels and segments, on pictures of a few dozen bytes that stand in this file.
@Suite struct JPEGTests {
  // MARK: Pixels

  @Test func greySamplesAreExact() throws {
    let source = try decodeImage(TinyJPEG.grey)
    #expect(source.format == .jpeg && source.image.model == .grey && source.image.chroma == .none)
    #expect(source.image.width == 9 && source.image.height == 5 && source.image.bitDepth == 8)
    #expect(samples(source.image.channels[0]) == TinyJPEG.greySamples)
    #expect(source.color.matrix == 6 && source.color.fullRange)
    #expect(source.color.encoding == .cicp(primaries: 1, transfer: 13) && source.color.cicp == nil)
    #expect(source.warnings.isEmpty)
  }

  @Test func planesOf444AreExact() throws {
    let image = try decodeImage(TinyJPEG.color444).image
    #expect(image.model == .ycc && image.chroma == .s444 && image.siting == .center && image.channels.count == 3)
    #expect(samples(image.channels[0]) == TinyJPEG.luma)
    #expect(samples(image.channels[1]) == TinyJPEG.cb444)
  }

  @Test(arguments: [
    (TinyJPEG.color422, ChromaSubsampling.s422, 5, 5, 248, 115), (TinyJPEG.color420, .s420, 5, 3, 242, 106),
  ])
  func subsampledPlanesStayAsCoded(
    bytes: [UInt8], chroma: ChromaSubsampling, width: Int, height: Int, cb: Int, cr: Int
  ) throws {
    let image = try decodeImage(bytes).image
    #expect(image.chroma == chroma)
    #expect(samples(image.channels[0]) == TinyJPEG.luma)
    #expect(image.channels[1].width == width && image.channels[1].height == height)
    // Any upsampling that keeps corners leaves the first chroma sample alone: values of another decoder.
    #expect(samples(image.channels[1])[0] == cb && samples(image.channels[2])[0] == cr)
  }

  @Test func picturesStoredAsRGBComeAsRGB() throws {
    let source = try decodeImage(TinyJPEG.rgb)
    #expect(source.image.model == .rgb && source.color.matrix == 0)
    #expect(samples(source.image.channels[0]).prefix(9) == [0, 25, 50, 74, 101, 125, 150, 175, 200])
    #expect(samples(source.image.channels[2]).prefix(9) == [255, 230, 204, 181, 154, 130, 105, 80, 55])
    #expect(source.warnings.isEmpty)
  }

  @Test(arguments: [
    (TJSAMP_444, ChromaSubsampling.s444), (TJSAMP_422, .s422), (TJSAMP_420, .s420), (TJSAMP_440, .s440),
    (TJSAMP_411, .s411), (TJSAMP_GRAY, .none),
  ])
  func planesEqualThePackedFormOfTheLibrary(sampling: TJSAMP, chroma: ChromaSubsampling) throws {
    // Odd sizes, so that every plane has an edge that the library pads.
    for (width, height) in [(37, 23), (1, 1), (64, 3), (5, 66)] {
      let bytes = try compressed(width: width, height: height, sampling: Int32(sampling.rawValue))
      let source = try decodeImage(bytes)
      #expect(source.image.chroma == chroma && source.image.width == width && source.image.height == height)
      let packed = try unpacked(bytes, width: width, height: height, sampling: Int32(sampling.rawValue))
      for (index, plane) in source.image.channels.enumerated() {
        let rows = stride(from: 0, to: packed[index].samples.count, by: packed[index].width)
        let expected = rows.prefix(plane.height).flatMap { packed[index].samples[$0..<$0 + plane.width] }
        #expect(samples(plane) == expected.map(Int.init))
      }
    }
  }

  private func compressed(width: Int, height: Int, sampling: Int32) throws -> [UInt8] {
    let handle = try #require(tjInitCompress())
    defer { tjDestroy(handle) }
    let pixels = (0..<width * height * 3).map { UInt8(truncatingIfNeeded: $0 &* $0 / 7 &+ $0 * 13) }
    var out: UnsafeMutablePointer<UInt8>?
    var size: UInt = 0
    defer { tjFree(out) }
    let status = tjCompress2(
      handle, pixels, Int32(width), 0, Int32(height), Int32(TJPF_RGB.rawValue), &out, &size, sampling, 90, 0)
    try #require(status == 0)
    return Array(UnsafeBufferPointer(start: out, count: Int(size)))
  }

  /// The planes of the library's one-buffer form, rows as wide as it pads them.
  private func unpacked(
    _ bytes: [UInt8], width: Int, height: Int, sampling: Int32
  ) throws -> [(samples: ArraySlice<UInt8>, width: Int)] {
    let handle = try #require(tjInitDecompress())
    defer { tjDestroy(handle) }
    var packed = [UInt8](repeating: 0, count: Int(tjBufSizeYUV2(Int32(width), 1, Int32(height), sampling)))
    let status = tjDecompressToYUV2(
      handle, bytes, UInt(bytes.count), &packed, Int32(width), 1, Int32(height), TJFLAG_ACCURATEDCT)
    try #require(status == 0)
    var at = 0
    return (0..<Int32(sampling == Int32(TJSAMP_GRAY.rawValue) ? 1 : 3)).map { component in
      let planeWidth = Int(tjPlaneWidth(component, Int32(width), sampling))
      let count = planeWidth * Int(tjPlaneHeight(component, Int32(height), sampling))
      at += count
      return (ArraySlice(Array(packed[at - count..<at])), planeWidth)
    }
  }

  @Test func metadataRequestHasSizesAndNoPixels() throws {
    let source = try decodeImage(TinyJPEG.color420, request: .metadata)
    #expect(source.image.width == 9 && source.image.chroma == .s420 && source.image.channels.isEmpty)
  }

  // MARK: Refusals

  @Test func everyTruncationIsAnError() {
    for count in 0..<TinyJPEG.color420.count {
      for request in [DecodeRequest.pixels, .metadata] {
        #expect(throws: DecodeError.self) { try decodeImage(Array(TinyJPEG.color420.prefix(count)), request: request) }
      }
    }
  }

  @Test func missingEntropyDataIsAnErrorAlthoughTheEndIsThere() {
    let cut = Array(TinyJPEG.color420.dropLast(12)) + [0xFF, 0xD9]
    #expect(throws: DecodeError.self) { try decodeImage(cut) }
  }

  @Test func bytesBehindTheLastBlockAreOnlyAWarning() throws {
    let padded = Array(TinyJPEG.grey.dropLast(2)) + [UInt8](repeating: 0x12, count: 64) + [0xFF, 0xD9]
    let source = try decodeImage(padded)
    #expect(samples(source.image.channels[0]) == TinyJPEG.greySamples)
    #expect(source.warnings.map(\.code) == ["jpeg.extraneous"])
  }

  @Test func changedBytesNeverTrap() {
    var state: UInt64 = 11
    var survived = 0
    for _ in 0..<2000 {
      var bytes = TinyJPEG.withGainMap
      for _ in 0..<3 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 24)
      }
      let limits = DecodeLimits(maxPixels: 1 << 20)
      if let source = try? decodeImage(bytes, limits: limits) {
        survived += 1
        #expect(source.image.pixelCount <= 1 << 20)
      }
    }
    #expect(survived > 0 && survived < 2000)
  }

  @Test func whatIsNotDoneIsNamed() {
    #expect(throws: DecodeError.unsupported(feature: "JPEG colour model", found: "4 components (CMYK?)")) {
      try decodeImage(TinyJPEG.cmyk)
    }
    var deep = TinyJPEG.grey
    deep[frame(deep) + 4] = 12
    #expect(throws: DecodeError.unsupported(feature: "JPEG precision", found: "12 bits")) { try decodeImage(deep) }
    var lossless = TinyJPEG.grey
    lossless[frame(lossless) + 1] = 0xC3
    #expect(throws: DecodeError.unsupported(feature: "JPEG process", found: "SOF3")) { try decodeImage(lossless) }
  }

  @Test func sizesAreCheckedBeforeAnythingIsAllocated() {
    var huge = TinyJPEG.grey
    for offset in 5...8 { huge[frame(huge) + offset] = 0xFF }
    #expect(
      throws: DecodeError.limit(
        what: "pixel count", found: 65535 * 65535, allowed: 1 << 28, raise: .setting("max-pixels"))
    ) { try decodeImage(huge) }
    #expect(throws: DecodeError.limit(what: "picture side", found: 9, allowed: 8, raise: .setting("max-side"))) {
      try decodeImage(TinyJPEG.grey, limits: DecodeLimits(maxSide: 8))
    }
  }

  @Test func scansAndSegmentsAreCounted() {
    let scan = Array(TinyJPEG.grey[scanStart(TinyJPEG.grey)...].dropLast(2))
    let scans = Array(TinyJPEG.grey.dropLast(2)) + Array(repeating: scan, count: 100).flatMap { $0 } + [0xFF, 0xD9]
    #expect(throws: DecodeError.limit(what: "JPEG scan count", found: 101, allowed: 100)) {
      try decodeImage(scans)
    }
    let comments = Array(repeating: [0xFF, 0xFE, 0, 2] as [UInt8], count: 4096).flatMap { $0 }
    #expect(throws: DecodeError.limit(what: "JPEG segment count", found: 4097, allowed: 4096)) {
      try decodeImage(splice(comments, into: TinyJPEG.grey))
    }
  }

  // MARK: Segments

  @Test(arguments: Orientation.allCases)
  func orientationComesFromExif(orientation: Orientation) throws {
    for littleEndian in [true, false] {
      let exif = TinyExif.orientation(orientation.rawValue, littleEndian: littleEndian)
      let source = try decodeImage(splice(segment(0xE1, Array("Exif\0\0".utf8) + exif), into: TinyJPEG.color444))
      #expect(source.geometry.orientation == orientation)
      #expect(source.geometry.outputWidth == (orientation.swapsAxes ? 5 : 9))
      #expect(source.exif == exif)
    }
  }

  @Test func partsOfAProfileAreJoinedInTheirOrder() throws {
    let profile = TinyICC.displayP3
    let half = profile.count / 2
    func part(_ number: UInt8, _ bytes: ArraySlice<UInt8>, of count: UInt8 = 2) -> [UInt8] {
      segment(0xE2, Array("ICC_PROFILE\0".utf8) + [number, count] + bytes)
    }
    let whole = try decodeImage(splice(part(2, profile[half...]) + part(1, profile[..<half]), into: TinyJPEG.color444))
    #expect(whole.color.icc == profile && whole.color.iccDescription == "P3 of the tests")
    let missing = try decodeImage(splice(part(1, profile[..<half]), into: TinyJPEG.color444))
    #expect(missing.color.icc == nil && missing.warnings.map(\.code) == ["icc.parts"])
    let twice = try decodeImage(
      splice(part(1, profile[..<half]) + part(1, profile[half...]), into: TinyJPEG.color444))
    #expect(twice.color.icc == nil && twice.warnings.map(\.code) == ["icc.parts"])
  }

  private func frame(_ bytes: [UInt8]) -> Int {
    bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 } ?? 0
  }

  private func scanStart(_ bytes: [UInt8]) -> Int {
    bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA } ?? 0
  }
}

/// Samples of an 8-bit plane, row by row.
func samples(_ plane: SamplePlane) -> [Int] { plane.samples(UInt8.self) }
