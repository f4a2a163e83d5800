import FileParts
import HDRCore
import ImageFiles
import Testing

/// Light level from pixels, mastering display policy, the half-float writer, and what verification notices.
@Suite struct WriterLightTests {
  private func picture(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> [Int]) -> SampleImage {
    let image = SampleImage.interleaved(width: width, height: height, channelCount: 4, format: .uint16, bitDepth: 16)
    let words = image.channels[0].buffer.base.assumingMemoryBound(to: UInt16.self)
    for y in 0..<height {
      for x in 0..<width {
        for (c, value) in (pixel(x, y) + [65_535]).enumerated() { words[(y * width + x) * 4 + c] = UInt16(value) }
      }
    }
    return image
  }

  @Test func lightLevelOfPQFollowsTheDefinition() throws {
    let image = picture(33, 17) { x, y in [(x * 1999) % 50_000, (y * 2999) % 50_000, (x * y * 77) % 50_000] }
    var sum = 0.0, peak = 0.0
    for y in 0..<17 {
      for x in 0..<33 {
        let codes = image.channels.map { words16($0)[y * 33 + x] }
        let nits = Transfer.pqEOTF(Double(codes.max() ?? 0) / 65_535)
        sum += nits
        peak = max(peak, nits)
      }
    }
    let level = try #require(measureLightLevel(image, transfer: 16))
    #expect(level.maxCLL == peak.rounded(.up))
    #expect(level.maxFALL == (sum / (33 * 17)).rounded())
  }

  @Test(arguments: [(16, 65_535, 10_000.0), (16, 38_055, 203.0), (18, 65_535, 1000.0), (18, 49_151, 203.0)])
  func flatPicturesHaveTheLightOfTheirCode(transfer: Int, code: Int, nits: Double) throws {
    let level = try #require(measureLightLevel(picture(5, 3) { _, _ in [code, code, code] }, transfer: transfer))
    #expect(abs(level.maxCLL - nits) <= 1)
    #expect(abs(level.maxFALL - nits) <= 1)
  }

  @Test func lightLevelOfHLGFollowsTheDefinition() throws {
    let image = picture(40, 30) { x, y in [(x * 1638), (y * 2184), (x * y * 54) % 65_536] }
    var sum = 0.0, peak = 0.0
    let planes = image.channels.map { words16($0).map { Double($0) / 65_535 } }
    for index in 0..<1200 {
      let nits = Transfer.hlgEOTF(planes.map { $0[index] }, peak: 1000).max() ?? 0
      sum += nits
      peak = max(peak, nits)
    }
    let level = try #require(measureLightLevel(image, transfer: 18))
    #expect(abs(level.maxCLL - peak.rounded(.up)) <= 1)
    #expect(abs(level.maxFALL - sum / 1200) <= 1)
  }

  @Test("black pictures and SDR have no light level")
  func nothingToSay() {
    #expect(measureLightLevel(picture(4, 4) { _, _ in [0, 0, 0] }, transfer: 16) == nil)
    #expect(measureLightLevel(picture(4, 4) { _, _ in [0, 0, 0] }, transfer: 18) == nil)
    #expect(measureLightLevel(picture(4, 4) { _, _ in [9, 9, 9] }, transfer: 13) == nil)
    #expect(measureLightLevel(Writer.rgba(4, 4, .uint8), transfer: 16) == nil)
  }

  static let peaks: [(Double, Double)] = [
    (1000.0 / 203, 1000), (0, 203), (1, 203), (8, 1624), (100, 10_000), (.nan, 203),
  ]

  @Test(arguments: peaks)
  func theMasteringDisplayFollowsHeadroomAndPrimaries(headroom: Double, peak: Double) {
    let display = MasteringDisplay.forOutput(primaries: 12, contentHeadroom: headroom)
    #expect(display.maxLuminance == peak)
    #expect(display.minLuminance == 0.0001)
    #expect(display.primaries?.first == Chromaticity(0.680, 0.320))
    #expect(MasteringDisplay.forOutput(primaries: 9, contentHeadroom: 1).primaries?.first == Chromaticity(0.708, 0.292))
  }

  @Test func halfWordsAreThePixels() throws {
    let image = Writer.rgba(7, 5, .float16)
    let request = Writer.request(.rgba16f, image)
    let files = try encodeImage(request)
    try verifyEncoded(files, request)
    #expect(files.main.elementsEqual(UnsafeRawBufferPointer(start: image.channels[0].buffer.base, count: 7 * 5 * 8)))
    #expect(
      String(decoding: try #require(files.sidecar), as: UTF8.self) == """
        {
          "width": 7,
          "height": 5,
          "primaries": "bt2020",
          "contentHeadroom": 4.926108374384237,
          "displayHeadroom": 4.0,
          "white": 203.0
        }

        """)
  }

  @Test("every kind of output has a writer, and names are not used twice")
  func kindsHaveWriters() {
    for kind in OutputKind.allCases { #expect(kind.writer != nil, "\(kind.rawValue)") }
    #expect(Set(OutputKind.allCases.map(\.rawValue)).count == OutputKind.allCases.count)
    #expect(Set(imageWriters.map { $0.format }).count == imageWriters.count)
    #expect(OutputKind(rawValue: "pq-gif") == nil)
  }

  @Test(arguments: OutputKind.allCases.filter { $0 != .rgba16f })
  func verificationNoticesWrongSignalling(kind: OutputKind) throws {
    let request = Writer.request(kind, Writer.picture(for: kind, 64, 64))
    let files = try encodeImage(request)
    try verifyEncoded(files, request)
    func isNoticed(_ change: (inout EncodeRequest) -> Void) -> Bool {
      var other = request
      change(&other)
      do throws(EncodeError) {
        try verifyEncoded(files, other)
        return false
      } catch {
        return error.code == "encode.verification"
      }
    }
    #expect(isNoticed { $0.cicp.primaries = $0.cicp.primaries == 1 ? 12 : 1 })
    #expect(isNoticed { $0.cicp.transfer = 6 })
    #expect(isNoticed { $0.image.width = 63 })
    #expect(isNoticed { $0.exif = TinyExif.orientation(1, littleEndian: true) })
    #expect(isNoticed { $0.xmp = [0x20] })
    if kind != .sdrJPEG, ![.jxl, .tiff].contains(kind.format) { #expect(isNoticed { $0.clli = Writer.hdr10Light }) }
    if [.pqHEIC, .pqAVIF, .pqPNG].contains(kind) { #expect(isNoticed { $0.mdcv = Writer.p3Mastering }) }
    if kind.layout == .planarYCC {
      #expect(isNoticed { $0.cicp.fullRange = false })
      #expect(isNoticed { $0.cicp.matrix = 1 })
    }
    var cut = files
    cut.main.removeLast(files.main.count / 2)
    cut.main.removeFirst(4)
    #expect(throws: EncodeError.self) { try verifyEncoded(cut, request) }
  }

  @Test func verificationNoticesAMissingSidecar() throws {
    let request = Writer.request(.rgba16f, Writer.rgba(4, 4, .float16))
    var files = try encodeImage(request)
    files.sidecar = nil
    #expect(throws: EncodeError.self) { try verifyEncoded(files, request) }
  }
}
