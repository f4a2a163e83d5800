import HDRCore
import HDRPlan
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// PNG pixels, colour precedence and light metadata, on files built here and on those of `data/images/png`.
@Suite struct PNGTests {
  // MARK: Pixels

  @Test func sixteenBitSamplesAreExact() throws {
    let png = TinyPNG.file(
      width: 2, height: 1, depth: 16, type: 2, rows: [[0x12, 0x34, 0, 1, 0xFF, 0xFE, 9, 8, 7, 6, 5, 4]])
    let image = try decodeImage(png).image
    #expect(image.model == .rgb && image.format == .uint16 && image.bitDepth == 16 && image.alpha == nil)
    #expect(words(image.channels[0]) == [0x1234, 0x0908])
    #expect(words(image.channels[1]) == [1, 0x0706])
    #expect(words(image.channels[2]) == [0xFFFE, 0x0504])
  }

  @Test func fewBitsAreExpanded() throws {
    for (depth, row, expected) in [
      (1, [0b1010_0000] as [UInt8], [255, 0, 255]), (2, [0b0001_1000], [0, 85, 170]),
      (4, [0x0F, 0x80], [0, 255, 136]),
    ] {
      let image = try decodeImage(TinyPNG.file(width: 3, height: 1, depth: depth, type: 0, rows: [row])).image
      #expect(image.model == .grey && image.format == .uint8 && image.bitDepth == 8)
      #expect(samples(image.channels[0]) == expected)
    }
  }

  @Test func palettesBecomeColours() throws {
    let palette: [UInt8] = [10, 20, 30, 40, 50, 60, 70, 80, 90]
    func file(_ chunks: [UInt8]) -> [UInt8] {
      TinyPNG.file(width: 3, height: 1, depth: 2, type: 3, chunks: chunks, rows: [[0b1001_0000]])
    }
    let plain = try decodeImage(file(TinyPNG.chunk("PLTE", palette))).image
    #expect(samples(plain.channels[0]) == [70, 40, 10] && samples(plain.channels[2]) == [90, 60, 30])
    #expect(plain.alpha == nil)
    let clear = try decodeImage(file(TinyPNG.chunk("PLTE", palette) + TinyPNG.chunk("tRNS", [1, 2]))).image
    let alpha = try #require(clear.alpha)
    #expect(samples(alpha) == [255, 2, 1] && clear.alphaBitDepth == 8)
    #expect(!clear.alphaIsPremultiplied)
  }

  @Test func transparencyKeysBecomeAlpha() throws {
    let key = TinyPNG.chunk("tRNS", [0x12, 0x34])
    let image = try decodeImage(
      TinyPNG.file(width: 2, height: 1, depth: 16, type: 0, chunks: key, rows: [[0x12, 0x34, 0x12, 0x35]])
    ).image
    let alpha = try #require(image.alpha)
    #expect(words(image.channels[0]) == [0x1234, 0x1235] && words(alpha) == [0, 0xFFFF])
  }

  @Test("a grey PNG with alpha has one colour channel and alpha")
  func greyWithAlpha() throws {
    let image = try decodeImage(TinyPNG.file(width: 1, height: 2, depth: 8, type: 4, rows: [[1, 2], [3, 4]])).image
    let alpha = try #require(image.alpha)
    #expect(samples(image.channels[0]) == [1, 3] && samples(alpha) == [2, 4])
  }

  // MARK: Colour

  private func color(_ chunks: [UInt8]) throws -> (color: SourceColor, codes: [String]) {
    let source = try decodeImage(
      TinyPNG.file(width: 1, height: 1, depth: 8, type: 2, chunks: chunks, rows: [[1, 2, 3]]))
    return (source.color, source.warnings.map(\.code))
  }

  @Test("cICP goes before iCCP, sRGB and gAMA")
  func precedence() throws {
    let cicp = TinyPNG.chunk("cICP", [9, 16, 0, 1]), srgb = TinyPNG.chunk("sRGB", [0])
    let iccp = TinyPNG.chunk("iCCP", Array("n".utf8) + [0, 0] + TinyPNG.stored(TinyICC.displayP3))
    let gama = TinyPNG.chunk("gAMA", [0, 0, 0xB1, 0x8F]), linear = TinyPNG.chunk("gAMA", [0, 1, 0x86, 0xA0])
    let all = try color(iccp + srgb + gama + cicp)
    #expect(all.color.encoding == .cicp(primaries: 9, transfer: 16) && all.color.cicp == CICP(9, 16, 0, full: true))
    #expect(all.color.icc == TinyICC.displayP3 && all.color.iccDescription == "P3 of the tests" && all.codes.isEmpty)
    guard case .matrixTRC(let curves, _, let primaries) = try color(iccp + srgb + gama).color.encoding else {
      Issue.record("iCCP goes before sRGB")
      return
    }
    #expect(curves == [.sRGB, .sRGB, .sRGB] && primaries == 12)
    #expect(try color(gama + srgb).color.encoding == .cicp(primaries: 1, transfer: 13))
    let power = ToneCurve.gamma(100_000.0 / 45_455)
    let matrix = try #require(Primaries.bt709.matrix(to: .bt2020)).rows
    #expect(
      try color(gama).color.encoding == .matrixTRC(curves: [power, power, power], toBT2020: matrix, primaries: 1))
    #expect(
      try color(linear).color.encoding
        == .matrixTRC(curves: [.identity, .identity, .identity], toBT2020: matrix, primaries: 1))
    #expect(try color([]).color.encoding == .cicp(primaries: 1, transfer: 13))
    #expect(try color([]).color.cicp == nil)
  }

  @Test func chromaticitiesNameOrMakeAMatrix() throws {
    func cHRM(_ values: [Double]) -> [UInt8] {
      TinyPNG.chunk("cHRM", values.flatMap { TinyICC.word(Int(($0 * 100_000).rounded())) })
    }
    let gama = TinyPNG.chunk("gAMA", [0, 0, 0xB1, 0x8F])
    guard
      case .matrixTRC(_, _, let p3) = try color(
        gama + cHRM([0.3127, 0.3290, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060])
      ).color.encoding,
      case .matrixTRC(_, let adobe, let none) = try color(
        gama + cHRM([0.3127, 0.3290, 0.64, 0.33, 0.21, 0.71, 0.15, 0.06])
      ).color.encoding
    else {
      Issue.record("gAMA and cHRM make a matrix encoding")
      return
    }
    #expect(p3 == 12 && none == nil)
    for row in 0..<3 { #expect(abs(adobe[row * 3..<row * 3 + 3].reduce(0, +) - 1) < 1e-12) }
    let flat = try color(gama + cHRM([0.3127, 0, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1]))
    #expect(flat.codes == ["png.chrm"])
  }

  @Test(
    arguments: [
      [9, 16, 9, 1], [9, 16, 0, 2], [9, 16, 0], [2, 16, 0, 1], [9, 2, 0, 1], [9, 10, 0, 1], [9, 16, 0, 1, 0],
    ] as [[UInt8]])
  func codePointsThatCannotBeHonouredAreLeftOut(payload: [UInt8]) throws {
    let found = try color(TinyPNG.chunk("cICP", payload))
    #expect(found.color.cicp == nil && found.color.encoding == .cicp(primaries: 1, transfer: 13))
    #expect(found.codes == ["png.cicp"])
  }

  @Test func narrowRangeIsKept() throws {
    #expect(try color(TinyPNG.chunk("cICP", [1, 1, 0, 0])).color.fullRange == false)
  }

  // MARK: Light

  @Test("cLLI and mDCV are read in their units")
  func lightLevels() throws {
    // Whole chunks, CRC included, by W3C PNG (third edition) clause 11.3.
    let cicp = hexBytes("00000004 63494350 09100001 4D2323FE")
    let clli = hexBytes("00000008 634C4C49 00989680 003D0900 557311D0")
    let mdcv = hexBytes(
      "00000018 6D444356 84D03E80 33C286C4 1D4C0BB8 3D134042 00989680 00000032 F2CC5BF0")
    func light(_ chunks: [UInt8]) throws -> (LightMetadata, [String]) {
      let source = try decodeImage(
        TinyPNG.file(width: 1, height: 1, depth: 8, type: 0, chunks: chunks, rows: [[0]]))
      return (source.light, source.warnings.map(\.code))
    }
    let (full, codes) = try light(cicp + clli + mdcv)
    #expect(codes.isEmpty && full.clli == ContentLightLevel(maxCLL: 1000, maxFALL: 400))
    let display = try #require(full.mdcv)
    #expect(display.maxLuminance == 1000 && display.minLuminance == 0.005)
    let expected = [(0.68, 0.32), (0.265, 0.69), (0.15, 0.06), (0.3127, 0.329)]
    for (point, wanted) in zip(try #require(display.primaries), expected) {
      #expect(abs(point.x - wanted.0) < 1e-12 && abs(point.y - wanted.1) < 1e-12)
    }
    let (alone, note) = try light(mdcv)
    #expect(alone.mdcv == nil && note == ["png.mdcv"])
    let (dark, none) = try light(cicp + TinyPNG.chunk("cLLI", [UInt8](repeating: 0, count: 8)))
    #expect(dark.clli == nil && none == ["png.clli"])
    let (older, _) = try light(cicp + TinyPNG.chunk("cLLi", Array(clli[8..<16])))
    #expect(older.clli?.maxFALL == 400)
  }

  // MARK: Metadata

  @Test func exifAndXMPTravelAlong() throws {
    let exif = TinyExif.orientation(8, littleEndian: true)
    let xmp = Array(TinyJPEG.hdrgmPacket(max: "1").utf8)
    let keyword = Array("XML:com.adobe.xmp".utf8) + [0]
    let forms = [keyword + [0, 0, 0, 0] + xmp, keyword + [1, 0, 0, 0] + TinyPNG.stored(xmp)]
    for text in forms {
      let chunks = TinyPNG.chunk("eXIf", exif) + TinyPNG.chunk("iTXt", text)
      let source = try decodeImage(
        TinyPNG.file(width: 2, height: 1, depth: 8, type: 0, chunks: chunks, rows: [[1, 2]]))
      #expect(source.exif == exif && source.xmp == xmp && source.warnings.isEmpty)
      #expect(source.geometry.orientation == .left && source.geometry.outputWidth == 1)
    }
  }

  // MARK: Refusals

  @Test func everyTruncationIsAnError() {
    let whole = TinyPNG.file(
      width: 3, height: 2, depth: 8, type: 2, rows: [[UInt8]](repeating: [UInt8](1...9), count: 2))
    for count in 0..<whole.count {
      #expect(throws: DecodeError.self) { try decodeImage(Array(whole.prefix(count))) }
    }
    // All chunks are whole, the rows are not.
    #expect(throws: DecodeError.self) {
      try decodeImage(TinyPNG.file(width: 3, height: 2, depth: 8, type: 2, rows: [[UInt8](1...9)]))
    }
  }

  @Test func everyChangedByteIsNoticed() throws {
    let whole = TinyPNG.file(
      width: 3, height: 1, depth: 8, type: 2, chunks: TinyPNG.chunk("gAMA", [0, 0, 0xB1, 0x8F]), rows: [[UInt8](1...9)])
    _ = try decodeImage(whole)
    for position in whole.indices {
      var bytes = whole
      bytes[position] ^= 0x55
      #expect(throws: DecodeError.self, "byte \(position)") { try decodeImage(bytes) }
    }
  }

  @Test func sizesAndLengthsAreCheckedFirst() {
    #expect(
      throws: DecodeError.limit(
        what: "pixel count", found: 65535 * 65535, allowed: 1 << 28, raise: .setting("max-pixels"))
    ) { try decodeImage(TinyPNG.file(width: 65535, height: 65535, depth: 16, type: 6, rows: [])) }
    let head = Array(TinyPNG.file(width: 1, height: 1, depth: 8, type: 0, rows: [[0]]).prefix(33))
    #expect(throws: DecodeError.truncated(where: "PNG iTXt")) {
      try decodeImage(head + [0x3F, 0xFF, 0xFF, 0xFF] + Array("iTXt".utf8) + [0, 0, 0, 0])
    }
  }

  @Test func profilesThatBlowUpAreIgnored() throws {
    let text = TinyPNG.stored([UInt8](repeating: 0, count: 200_000))
    let chunk = TinyPNG.chunk("iCCP", Array("n".utf8) + [0, 0] + text)
    let file = TinyPNG.file(width: 1, height: 1, depth: 8, type: 0, chunks: chunk, rows: [[7]])
    let source = try decodeImage(file, limits: DecodeLimits(maxICCBytes: 100_000))
    #expect(source.color.icc == nil && source.warnings.map(\.code) == ["icc.limit"])
    let damaged = TinyPNG.chunk("iCCP", Array("n".utf8) + [0, 0, 1, 2, 3, 4])
    let broken = try decodeImage(TinyPNG.file(width: 1, height: 1, depth: 8, type: 0, chunks: damaged, rows: [[7]]))
    #expect(broken.color.icc == nil && broken.warnings.map(\.code) == ["icc.invalid"])
  }

  // MARK: Real files

  @Test(.enabled(if: SharedData.hasImages, "skipped: no data"))
  func codesEqualThoseOfAnotherDecoder() throws {
    let files = [
      "RGB_16__29x100.png", "hdr_room.png", "kodim03_grayscale_cicp.png", "made_hlg_bt2020_rgb16_cicp.png",
      "made_pq_bt2020_rgb16_cicp_clli_mdcv.png", "pngtest.png",
    ]
    for file in files {
      let image = try decodeImage(try #require(SharedData.bytes("data/images/png/" + file))).image
      let table = try #require(OracleTable(file + ".libpng-1.6.55.codes.tsv"), "\(file)")
      let planes = image.channels + (image.alpha.map { [$0] } ?? [])
      var differing = 0, compared = 0
      for row in table.rows {
        for (plane, expected) in zip(planes, row.values) {
          let at = plane.offset + row.y * plane.rowBytes + row.x * plane.stepBytes
          let code =
            image.format == .uint16
            ? Int(plane.buffer.base.loadUnaligned(fromByteOffset: at, as: UInt16.self))
            : Int(plane.buffer.base.load(fromByteOffset: at, as: UInt8.self))
          compared += 1
          if Double(code) != expected { differing += 1 }
        }
        #expect(row.values.count == planes.count, "\(file)")
      }
      #expect(differing == 0 && compared > 900, "\(file)")
    }
  }

  @Test(.enabled(if: SharedData.hasImages, "skipped: no data"))
  func colourLightAndMetadataOfRealFilesAreRead() throws {
    func source(_ file: String) throws -> SourceImage {
      try decodeImage(try #require(SharedData.bytes("data/images/png/" + file)), request: .metadata)
    }
    let pq = try source("made_pq_bt2020_rgb16_cicp_clli_mdcv.png")
    #expect(
      pq.color.cicp == CICP(9, 16, 0, full: true) && pq.light.clli == ContentLightLevel(maxCLL: 1624, maxFALL: 400))
    #expect(pq.light.mdcv?.maxLuminance == 1000 && pq.image.width == 320 && pq.image.channels.isEmpty)
    #expect(try source("made_hlg_bt2020_rgb16_cicp.png").color.cicp == CICP(9, 18, 0, full: true))
    let grey = try source("kodim03_grayscale_cicp.png")
    #expect(grey.image.model == .grey && grey.color.cicp == CICP(1, 4, 0, full: true))
    let test = try source("pngtest.png")
    #expect(test.color.cicp == CICP(1, 13, 0, full: true) && test.exif?.count == 52)
    let plain = try source("RGB_16__29x100.png")
    #expect(plain.exif?.count == 132 && plain.xmp != nil && plain.color.cicp == nil)
  }

  private func words(_ plane: SamplePlane) -> [Int] {
    (0..<plane.height).flatMap { y in
      (0..<plane.width).map { x in
        let at = plane.offset + y * plane.rowBytes + x * plane.stepBytes
        return Int(plane.buffer.base.loadUnaligned(fromByteOffset: at, as: UInt16.self))
      }
    }
  }
}

/// PNG files without compression.
enum TinyPNG {
  static func chunk(_ name: String, _ payload: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + payload
    return TinyICC.word(payload.count) + body + TinyICC.word(Int(crc(body)))
  }

  static func file(
    width: Int, height: Int, depth: Int, type: Int, chunks: [UInt8] = [], rows: [[UInt8]]
  ) -> [UInt8] {
    let header = TinyICC.word(width) + TinyICC.word(height) + [UInt8(depth), UInt8(type), 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header) + chunks
      + chunk("IDAT", stored(rows.flatMap { [0] + $0 })) + chunk("IEND", [])
  }

  /// A zlib stream of stored blocks (RFC 1950, RFC 1951 clause 3.2.4).
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var out: [UInt8] = [0x78, 0x01], rest = bytes[...]
    repeat {
      let block = rest.prefix(65535)
      rest = rest.dropFirst(block.count)
      let n = block.count
      out += [rest.isEmpty ? 1 : 0, UInt8(n & 255), UInt8(n >> 8), UInt8(~n & 255), UInt8(~n >> 8 & 255)] + block
    } while !rest.isEmpty
    var (a, b) = (1, 0)
    for byte in bytes {
      a = (a + Int(byte)) % 65521
      b = (b + a) % 65521
    }
    return out + TinyICC.word(b << 16 | a)
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    var crc = ~UInt32(0)
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
  }
}
