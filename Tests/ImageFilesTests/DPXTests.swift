import Foundation
import HDRCore
import ImageFiles
import TestFiles
import TestSupport
import Testing

@Suite struct DPXTests {
  /// Codes as they are stored, whatever the file says of light.
  private static func codes(_ limits: inout DecodeLimits) {
    limits.reading.raw = RawDescription(primaries: 1, transfer: 13)
  }

  @Test(.enabled(if: PlainExpectations.isHere, "skipped: no data"))
  func sharedFilesHaveTheirTruth() throws {
    let files = PlainExpectations.files("dpx") + PlainExpectations.files("cineon")
    #expect(files.count >= 34)
    for (name, rows) in files {
      let source = try Plain.read(try PlainExpectations.bytes(name), Self.codes)
      for row in rows where !row.what.hasPrefix("linear") {
        var found = Plain.shown(source, row.x, row.y), expected = row.values
        if row.what.contains("A B G R") { expected.reverse() }
        if row.what.hasPrefix("normalised") {
          // OpenImageIO spreads codes of 10 and 12 bits over 16.
          found = found.map { source.image.bitDepth == 10 ? ($0 * 64 + ($0 / 16).rounded(.down)) : $0 * 16 }
            .map { $0 / 65_535 }
        }
        #expect(found.count == expected.count, "\(name)")
        for (a, b) in zip(found, expected) { #expect(abs(a - b) < 1e-6, "\(name) \(row.x),\(row.y): \(a), \(b)") }
      }
    }
  }

  @Test("linear codes are light as the references say, and codes over the largest where they say nothing")
  func linearCodesAreLight() throws {
    // 512, 1023, 64 in the first word.
    let data: [UInt8] = [0x80, 0x3F, 0xF1, 0x00] + [UInt8](repeating: 0, count: 60)
    let plain = try Plain.read(DPXBuilder { ($0.data, $0.quantity) = (data, 2) }.bytes)
    #expect(plain.image.format == .float32 && plain.bitDepth == 10 && plain.isLinearLight)
    let light = Plain.stored(plain, 0, 0)
    for (a, code) in zip(light, [512.0, 1023, 64]) { #expect(abs(a - code / 1023 * 2) < 1e-6) }
    let limited = try Plain.read(
      DPXBuilder { ($0.data, $0.low, $0.high) = (data, 64, 940) }.bytes)
    #expect(abs(Plain.stored(limited, 0, 0)[1] - (1023.0 - 64) / (940 - 64)) < 1e-6)
    #expect(Plain.stored(limited, 0, 0)[2] == 0 && Plain.stored(limited, 1, 0)[0] < 0)
    for change in [
      { $0.quantity = .nan }, { $0.quantity = 0 }, { $0.high = 0xFFFF_FFFF }, { $0.low = 1023 }, { $0.high = 0 },
    ] as [(inout DPXBuilder) -> Void] {
      var builder = DPXBuilder { $0.data = data }
      change(&builder)
      #expect(abs(Plain.stored(try Plain.read(builder.bytes), 0, 0)[0] - 512.0 / 1023) < 1e-6)
    }
  }

  @Test func transfersAndPrimariesAreThoseOfTheHeader() throws {
    func color(_ transfer: Int, _ colorimetric: Int) throws -> SourceImage {
      try Plain.read(DPXBuilder { ($0.transfer, $0.colorimetric) = (transfer, colorimetric) }.bytes)
    }
    for (transfer, colorimetric, encoding, warnings) in [
      (6, 6, .cicp(primaries: 1, transfer: 1), 0), (5, 5, .cicp(primaries: 1, transfer: 1), 0),
      (7, 7, .cicp(primaries: 5, transfer: 6), 0), (8, 8, .cicp(primaries: 6, transfer: 6), 0),
      (0, 0, .cicp(primaries: 1, transfer: 13), 1), (4, 6, .cicp(primaries: 1, transfer: 13), 1),
      (16, 6, .cicp(primaries: 1, transfer: 13), 1), (255, 99, .cicp(primaries: 1, transfer: 13), 2),
      (3, 6, FilmLog().space.encoding, 0), (1, 1, FilmLog().space.encoding, 1),
      (2, 6, .cicp(primaries: 1, transfer: 8), 0),
    ] as [(Int, Int, ColorEncoding, Int)] {
      let source = try color(transfer, colorimetric)
      #expect(source.color.encoding == encoding, "\(transfer), \(colorimetric)")
      #expect(
        Plain.codes(source) == [String](repeating: "colour.assumed", count: warnings), "\(transfer), \(colorimetric)")
      #expect(source.header.first { $0.name == "transfer" }?.text.hasPrefix("\(transfer) (") == true)
      #expect(source.header.contains(HeaderField("colorimetric", "\(colorimetric)")))
    }
    #expect(Plain.error(DPXBuilder { $0.transfer = 11 }.bytes)?.code == "decode.unsupported")
    let pq = try Plain.read(DPXBuilder { $0.transfer = 16 }.bytes) {
      $0.reading.raw = RawDescription(primaries: 9, transfer: 16)
    }
    #expect(
      pq.color.encoding == .cicp(primaries: 9, transfer: 16) && Plain.codes(pq).isEmpty && pq.image.bitDepth == 10)
  }

  @Test("the range is full unless the references or the caller say otherwise")
  func rangesAreThoseOfTheReferences() throws {
    func isFull(_ change: (inout DPXBuilder) -> Void, _ limits: (inout DecodeLimits) -> Void = { _ in }) throws -> Bool
    {
      try Plain.read(
        DPXBuilder {
          $0.transfer = 6; change(&$0)
        }.bytes, limits
      ).color.fullRange
    }
    #expect(try isFull { _ in })
    #expect(try !isFull { ($0.low, $0.high) = (64, 940) })
    #expect(try !isFull { ($0.bits, $0.low, $0.high) = (8, 16, 235) })
    #expect(try isFull { ($0.low, $0.high) = (16, 235) })
    #expect(try !isFull({ _ in }) { $0.reading.fullRange = false })
    #expect(try isFull({ ($0.low, $0.high) = (64, 940) }) { $0.reading.fullRange = true })
  }

  @Test(.enabled(if: PlainExpectations.isHere, "skipped: no data"))
  func logarithmsAreThoseOfTheVector() throws {
    let root = try #require(SharedData.json("specs/formats-2026-vectors.json"))
    let vector = try #require(root["cineon_log"] as? [String: Any])
    for pair in try #require(vector["values"] as? [[Double]]) {
      guard case .curve(let curve)? = FilmLog().space.steps.first else { return }
      #expect(abs(curve.decode(pair[0] / 1023) - pair[1]) < 1e-9, "\(pair[0])")
    }
    let words = try #require(root["dpx_words"] as? [[String: Any]])
    for vector in words + [try #require(root["dpx_12"] as? [String: Any])] {
      let codes = try #require(vector["codes"] as? [Double])
      for (key, value) in vector where key != "codes" {
        let source = try Plain.read(
          DPXBuilder {
            ($0.width, $0.height, $0.data) = (1, 1, hexBytes(value as? String ?? "") + [0, 0])
            ($0.bits, $0.packing) = (codes[2] == 4095 ? 12 : 10, key.hasPrefix("A") ? 1 : 2)
            $0.isLittleEndian = key.hasSuffix("le")
          }.bytes, Self.codes)
        #expect(Plain.stored(source, 0, 0) == codes, "\(key)")
      }
    }
  }

  @Test("other numbers of the logarithm make a space of their own, which messages carry by its name")
  func logarithmsMayHaveOtherNumbers() throws {
    let log = FilmLog(black: 64, white: 940, gamma: 0.5)
    let source = try Plain.read(DPXBuilder { $0.transfer = 3 }.bytes) { $0.reading.plain.log = log }
    guard case .space(let space) = source.color.encoding, case .curve(let curve)? = space.steps.first else {
      Issue.record("no logarithm")
      return
    }
    #expect(abs(curve.decode(940.0 / 1023) - 1) < 1e-9 && abs(curve.decode(64.0 / 1023)) < 1e-9)
    #expect(abs(curve.encode(curve.decode(0.5)) - 0.5) < 1e-9)
    #expect(NamedSpace(rawValue: space.name)?.steps == space.steps && space != FilmLog().space)
    for name in [
      "Cineon Rec.709 900.0/100.0/0.6", "Cineon Rec.709 1/2", "Cineon Rec.709 x/y/z", "Cineon Rec.709 95/685/0.6",
    ] {
      #expect(NamedSpace(rawValue: name) == nil, "\(name)")
    }
  }

  @Test func oddHeadersAreReadWithAWarning() throws {
    for (change, codes) in [
      ({ $0.elements = 2 }, ["dpx.elements"]), ({ $0.orientation = 8 }, ["dpx.orientation"]),
      ({ $0.orientation = 0xFFFF }, []), ({ ($0.elementOffset, $0.encoding) = (10, 0xFFFF) }, ["dpx.offset"]),
      ({ $0.offset = 0x7FFF_FFFF }, ["dpx.offset"]), ({ $0.elementOffset = 0 }, []), ({ $0.gap = 0xFFFF_FFFF }, []),
      ({ $0.packing = 0xFFFF }, []),
    ] as [((inout DPXBuilder) -> Void, [String])] {
      #expect(Plain.codes(try Plain.read(DPXBuilder(change).bytes)) == codes)
    }
    let gaps = try Plain.read(
      DPXBuilder {
        ($0.gap, $0.width) = (8, 1); $0.data[12] = 0xFF
      }.bytes, Self.codes)
    #expect(Plain.stored(gaps, 0, 1)[0] == 0x3FC)
  }

  @Test("the eight orientations turn the picture")
  func orientationsTurn() throws {
    let all: [Orientation] = [
      .up, .upMirrored, .downMirrored, .down, .leftMirrored, .right, .left, .rightMirrored,
    ]
    for (number, orientation) in all.enumerated() {
      #expect(try Plain.read(DPXBuilder { $0.orientation = number }.bytes).geometry.orientation == orientation)
    }
  }

  @Test func faultsAreErrors() {
    for (change, code) in [
      ({ $0.bits = 64 }, "decode.unsupported"), ({ $0.descriptor = 150 }, "decode.unsupported"),
      ({ $0.encoding = 1 }, "decode.unsupported"), ({ $0.packing = 7 }, "decode.unsupported"),
      ({ $0.sign = 1 }, "decode.unsupported"), ({ $0.elements = 9 }, "decode.malformed"),
      ({ $0.elements = 0 }, "decode.malformed"), ({ $0.gap = 65_537 }, "decode.limit"),
      ({ ($0.offset, $0.elementOffset) = (0x7FFF_FFFF, 0) }, "decode.malformed"),
      ({ $0.elementOffset = 900 }, "decode.malformed"), ({ $0.width = 0 }, "decode.malformed"),
      ({ $0.width = 0xFFFF_FFFE }, "decode.limit"), ({ $0.height = 60 }, "decode.truncated"),
      ({ ($0.width, $0.height) = (60_000, 60_000) }, "decode.limit"),
    ] as [((inout DPXBuilder) -> Void, String)] {
      #expect(Plain.error(DPXBuilder(change).bytes)?.code == code)
    }
    #expect(Plain.error(Array(DPXBuilder().bytes.prefix(1000)))?.code == "decode.truncated")
  }

  @Test(.enabled(if: PlainExpectations.isHere, "skipped: no data"))
  func malformedFilesHaveTheirCodes() throws {
    for (name, code) in [
      ("cut", "decode.truncated"), ("depth64", "decode.unsupported"), ("desc_user", "decode.unsupported"),
      ("elem_offset", nil), ("elements9", "decode.malformed"), ("eol", "decode.limit"), ("offset_past", nil),
      ("refnan", nil), ("rle", "decode.unsupported"), ("w4g", "decode.limit"),
    ] as [(String, String?)] {
      #expect(Plain.error(try PlainExpectations.bytes("malformed/ddpx_\(name).dpx"))?.code == code, "\(name)")
    }
  }

  // MARK: Cineon

  /// A Cineon file of one row of two pixels.
  static func cineon(_ change: (inout [UInt8]) -> Void = { _ in }) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 1024)
    func put(_ value: Int, _ at: Int) {
      for index in 0..<4 { bytes[at + index] = UInt8(value >> (24 - 8 * index) & 255) }
    }
    bytes.replaceSubrange(0..<4, with: [0x80, 0x2A, 0x5F, 0xD7])
    put(1024, 4)
    bytes[193] = 3
    for channel in 0..<3 {
      bytes[198 + 28 * channel] = 10
      put(2, 200 + 28 * channel)
      put(1, 204 + 28 * channel)
    }
    bytes[681] = 5
    bytes += [0x80, 0x3F, 0xF1, 0x00, 0, 0, 0, 4]
    change(&bytes)
    return bytes
  }

  @Test func cineonIsReadAsALogarithm() throws {
    let source = try Plain.read(Self.cineon())
    #expect(source.format == .cineon && source.color.encoding == FilmLog().space.encoding && source.isHDR)
    #expect(Plain.stored(source, 0, 0) == [512, 1023, 64] && Plain.stored(source, 1, 0) == [0, 0, 1])
    let grey = try Plain.read(Self.cineon { $0[193] = 1 })
    #expect(grey.image.model == .grey && Plain.stored(grey, 1, 0) == [1023])
    for (number, orientation) in [
      Orientation.up, .downMirrored, .upMirrored, .down, .leftMirrored, .right, .left, .rightMirrored,
    ].enumerated() {
      #expect(try Plain.read(Self.cineon { $0[192] = UInt8(number) }).geometry.orientation == orientation)
    }
    #expect(Plain.codes(try Plain.read(Self.cineon { $0[192] = 9 })) == ["dpx.orientation"])
    for (change, code) in [
      ({ $0[193] = 2 }, "decode.unsupported"), ({ $0[198] = 8 }, "decode.unsupported"),
      ({ $0[681] = 1 }, "decode.unsupported"), ({ $0[231] = 9 }, "decode.unsupported"),
      ({ $0[684] = 1 }, "decode.limit"), ({ $0[6] = 0 }, "decode.malformed"), ({ $0.removeLast() }, "decode.truncated"),
      ({ $0.removeLast(100) }, "decode.truncated"), ({ for at in [200, 228, 256] { $0[at] = 0xFF } }, "decode.limit"),
    ] as [((inout [UInt8]) -> Void, String)] {
      #expect(Plain.error(Self.cineon(change))?.code == code)
    }
  }

  // MARK: Writing

  @Test("codes are read again as they were written", arguments: [OutputKind.dpx, .pqDPX, .hlgDPX], [10, 16])
  func writtenCodesAreReadAgain(kind: OutputKind, bits: Int) throws {
    let image = Writer.picture(for: kind, 37, 11)
    var request = Writer.request(kind, image)
    request.coding.dpxBits = bits
    let files = try encodeImage(request)
    try verifyEncoded(files, request)
    let again = try Plain.read(files.main, kind == .dpx ? { _ in } : Self.codes)
    #expect(
      again.image.bitDepth == bits && files.main.count == 8192 + 11 * (bits == 10 ? 4 * 37 : (3 * 37 + 1) / 2 * 4))
    #expect(files.warnings.map(\.code) == (kind == .dpx ? [] : ["dpx.colour-dropped"]))
    #expect((files.sidecar != nil) == (kind != .dpx))
    for y in 0..<11 {
      for x in 0..<37 {
        for channel in 0..<3 {
          let code = image.channels[channel].value(x, y), found = Plain.stored(again, x, y)[channel]
          #expect(found == (bits == 16 ? Double(code) : (Double(code) * 1023 / 65_535).rounded()), "\(x),\(y)")
        }
      }
    }
    if kind == .dpx { #expect(again.color.cicp?.primaries == 1 && again.color.cicp?.transfer == 1) }
    if let sidecar = files.sidecar {
      let read = try RawSidecar(parsing: sidecar)
      #expect((read.format, read.primaries) == ("dpx", 9) && read.transfer == request.cicp.transfer)
    }
  }

  @Test("light is written as the nearest codes of the logarithm, and what is brighter is counted", arguments: [10, 16])
  func lightIsWrittenAsALogarithm(bits: Int) throws {
    let image = SampleImage.planar(width: 64, height: 2, model: .rgb, format: .float32, bitDepth: 32)
    for (channel, plane) in image.channels.enumerated() {
      for x in 0..<64 {
        (plane.floats(0)[x], plane.floats(1)[x]) = (exp2(Float(x % 12 - 11 + channel)), Float(x) * 0.01 - 0.02)
      }
    }
    image.channels[0].floats(0)[0] = 20
    var request = Writer.request(.dpxLog, image)
    (request.coding.dpxBits, request.cicp.primaries) = (bits, 1)
    let files = try encodeImage(request), again = try Plain.read(files.main)
    try verifyEncoded(files, request)
    #expect(files.warnings.map(\.code) == ["dpx.clipped"] && "\(files.warnings[0].message)".hasPrefix("1 samples"))
    #expect(again.color.encoding == FilmLog().space.encoding && Plain.codes(again) == ["colour.assumed"])
    guard case .curve(let curve)? = FilmLog().space.steps.first else { return }
    let largest = Double(1 << bits - 1)
    for y in 0..<2 {
      for x in 1..<64 {
        for (channel, code) in Plain.stored(again, x, y).enumerated() {
          let light = Double(image.channels[channel].floats(y)[x])
          #expect(abs(code - min(max(curve.encode(light) * largest, 0), largest)) <= 0.5, "\(x),\(y)")
        }
      }
    }
    request.cicp.primaries = 9
    #expect(try encodeImage(request).warnings.map(\.code) == ["dpx.colour-dropped", "dpx.clipped"])
  }

  @Test(.enabled(if: Writer.tool("ffmpeg") != nil, "skipped: no ffmpeg"), arguments: [10, 16])
  func ffmpegReadsWhatIsWritten(bits: Int) throws {
    let image = Writer.picture(for: .dpx, 61, 17)
    var request = Writer.request(.dpx, image)
    request.coding.dpxBits = bits
    let file = try encodeImage(request).main
    let output = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).raw")
    defer { try? FileManager.default.removeItem(at: output) }
    let format = bits == 10 ? "gbrp10le" : "rgb48le"
    _ = try Writer.run(
      try #require(Writer.tool("ffmpeg")), ["-i", "%", "-pix_fmt", format, "-f", "rawvideo", output.path], on: file,
      suffix: "dpx")
    let words = try Data(contentsOf: output).withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
    try #require(words.count == 3 * 61 * 17)
    let again = try Plain.read(file)
    for y in 0..<17 {
      for x in 0..<61 {
        let at = y * 61 + x, area = 61 * 17
        let pixel =
          bits == 10 ? [words[2 * area + at], words[at], words[area + at]] : (0..<3).map { words[3 * at + $0] }
        #expect(pixel.map(Double.init) == Plain.stored(again, x, y), "\(x),\(y)")
      }
    }
  }
}
