import HDRCore
import ImageFiles
import Testing

/// Samples without a header, Y4M, and halves with their sidecar.
@Suite("Raw pictures") struct RawTests {
  /// A kind's picture with codes that fill its bits.
  static func picture(_ kind: OutputKind, _ width: Int, _ height: Int) -> SampleImage {
    guard let format = kind.raw, format.model != .rgb else { return Writer.picture(for: kind, width, height) }
    let chroma = format.chroma == .none ? ChromaSubsampling.s420 : format.chroma
    let image = SampleImage.planar(
      width: width, height: height, model: .ycc, format: .uint16, bitDepth: format.bitDepth, chroma: chroma)
    for (channel, plane) in image.channels.enumerated() {
      for y in 0..<plane.height {
        for x in 0..<plane.width {
          let code = (7919 * x + 104_729 * y + 31 * channel) % (1 << format.bitDepth)
          plane.buffer.base.storeBytes(of: UInt16(code), toByteOffset: y * plane.rowBytes + 2 * x, as: UInt16.self)
        }
      }
    }
    return image
  }

  /// Codes of a channel, right-aligned.
  static func codes(_ image: SampleImage, _ channel: Int) -> [Int] {
    let plane = channel == 3 ? image.alpha : image.channels[channel]
    guard let plane else { return [] }
    let format = channel == 3 ? image.alphaFormat : image.format
    return (0..<plane.height).flatMap { y in
      (0..<plane.width).map { x in
        let at = plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes
        return switch format {
        case .uint8: Int(at.loadUnaligned(as: UInt8.self))
        case .uint16, .float16: Int(at.loadUnaligned(as: UInt16.self)) >> (channel == 3 ? 0 : image.lowZeroBits)
        case .float32: Int(at.loadUnaligned(as: UInt32.self))
        }
      }
    }
  }

  static func description(_ kind: OutputKind, _ width: Int, _ height: Int) -> RawDescription {
    RawDescription(
      kind.format == .raw ? kind.raw.map { RawLayout($0, width: width, height: height) } : nil,
      primaries: 9, transfer: 16, matrix: kind.raw?.model == .ycc ? 9 : nil, fullRange: true)
  }

  static func read(_ bytes: [UInt8], _ description: RawDescription?) throws -> SourceImage {
    var limits = DecodeLimits()
    limits.reading.raw = description
    return try decodeImage(bytes, limits: limits)
  }

  /// Every packed kind, of an odd size.
  @Test(arguments: OutputKind.packed.filter { $0.curve != .hlg && $0.curve != .sdr })
  func everyFormatIsReadBackCodeByCode(kind: OutputKind) throws {
    let format = try #require(kind.raw), image = Self.picture(kind, 13, 7)
    let request = Writer.request(kind, image, hasAlpha: format.hasAlpha)
    let files = try encodeImage(request)
    try verifyEncoded(files, request)
    let source = try Self.read(files.main, Self.description(kind, 13, 7))
    #expect(source.format == kind.format && source.image.chroma == format.chroma)
    #expect((source.image.alpha != nil) == format.hasAlpha)
    for channel in 0..<(format.model == .grey ? 1 : format.hasAlpha ? 4 : 3) {
      let asked = Self.codes(image, channel), found = Self.codes(source.image, channel)
      switch format.packing {
      case .word:
        let largest = channel == 3 ? 3.0 : 1023.0
        #expect(found == asked.map { Int((Double($0) * largest / 65_535).rounded()) }, "channel \(channel)")
      case .interleaved where format.sample == .uint8:
        #expect(found == asked.map { Int((Double($0) / 257).rounded()) }, "channel \(channel)")
      case .interleaved where format.sample == .float32:
        #expect(found.map { Float(bitPattern: UInt32($0)) } == asked.map { Float(Float16(bitPattern: UInt16($0))) })
      default: #expect(found == asked, "channel \(channel)")
      }
    }
    // One byte less is no picture.
    #expect(throws: DecodeError.self) { try Self.read(files.main.dropLast(), Self.description(kind, 13, 7)) }
  }

  /// Parts of one byte, so of one row each, and of several rows, and of more than the file.
  @Test(arguments: OutputKind.packed.filter { $0.curve != .hlg && $0.curve != .sdr } + [.rgba16f])
  func partsAreTheFile(kind: OutputKind) throws {
    let writer = try #require(kind.sampleWriter), image = Self.picture(kind, 13, 7)
    let request = Writer.request(kind, image, hasAlpha: kind.raw?.hasAlpha ?? true)
    let file = try encodeImage(request).main
    for partBytes in [1, 100, 1 << 20] {
      var found: [UInt8] = [], parts = 0
      let samples = try PackedSamples(request, try writer.layout(request), behind: try writer.head(request))
      samples.forEachPart(of: partBytes) {
        found += $0
        parts += 1
      }
      #expect(found == file && samples.byteCount == file.count, "\(partBytes)")
      #expect((parts == 1) == (partBytes == 1 << 20))
    }
  }

  @Test("halves go into the file from their own memory, and through a copy where another process could change them")
  func sharedMemoryIsCopied() throws {
    let image = Writer.rgba(64, 32, .float16), plane = image.channels[0]
    func parts(_ image: SampleImage) throws -> [UnsafeRawPointer?] {
      let request = Writer.request(.rgba16f, image)
      var found: [UnsafeRawPointer?] = []
      try PackedSamples(request, try RawHalfWriter.layout(request)).forEachPart(of: 4096) {
        #expect(
          $0.elementsEqual(UnsafeRawBufferPointer(start: plane.buffer.base + 4096 * found.count, count: $0.count)))
        found.append($0.baseAddress)
      }
      return found
    }
    #expect(try parts(image) == (0..<4).map { UnsafeRawPointer(plane.buffer.base) + 4096 * $0 })
    var shared = image
    let buffer = PixelBuffer(adopting: plane.buffer.base, byteCount: plane.buffer.byteCount) { _ in }
    for channel in 0..<3 { shared.channels[channel].buffer = buffer }
    shared.alpha?.buffer = buffer
    let own = UnsafeRawPointer(plane.buffer.base)
    #expect(try parts(shared).allSatisfy { $0.map { $0 < own || $0 >= own + 4 * 4096 } == true })
  }

  /// Samples made by hand: two pixels a row, two rows.
  @Test func wordsOfP010AndX2RGB10LieAsFFmpegHasThem() throws {
    let p010: [UInt8] = [0, 1, 0x40, 1, 0x80, 1, 0xc0, 1, 0x00, 0x80, 0xc0, 0xff]
    let image = try Self.read(p010, Self.description(try #require(OutputKind(rawValue: "pq-raw:p010")), 2, 2)).image
    #expect((0..<3).map { Self.codes(image, $0) } == [[4, 5, 6, 7], [512], [1023]])
    // R in the highest ten bits below the two that mean nothing.
    let word: UInt32 = 0xc000_0000 | 1 << 20 | 2 << 10 | 3, bytes = withUnsafeBytes(of: word.littleEndian) { Array($0) }
    let packed = try Self.read(bytes, Self.description(try #require(OutputKind(rawValue: "pq-raw:x2rgb10")), 1, 1))
      .image
    #expect((0..<3).map { Self.codes(packed, $0) } == [[1], [2], [3]])
  }

  /// A source's planes go into a file as they lie, when nothing was computed.
  @Test(arguments: ["pq-raw:nv12", "pq-raw:p010", "pq-raw:p016", "pq-raw:p210", "pq-raw:yuv444p", "pq-y4m:yuv420p12"])
  func planesOfASourceAreWrittenAsTheyAre(name: String) throws {
    let kind = try #require(OutputKind(rawValue: name))
    let files = try encodeImage(Writer.request(kind, Self.picture(kind, 13, 7)))
    let source = try Self.read(files.main, Self.description(kind, 13, 7))
    #expect(try encodeImage(Writer.request(kind, source.image)).main == files.main)
    // And into another layout of the same codes.
    if name == "pq-raw:p010" {
      let planar = try #require(OutputKind(rawValue: "pq-raw:yuv420p10"))
      let found = try Self.read(
        try encodeImage(Writer.request(planar, source.image)).main, Self.description(planar, 13, 7))
      #expect((0..<3).allSatisfy { Self.codes(found.image, $0) == Self.codes(source.image, $0) })
    }
  }

  @Test func strideSkipsTheEndOfRows() throws {
    let format = try #require(RawFormat.named("yuv420p10le"))
    let layout = RawLayout(format, width: 3, height: 2, stride: 12)
    #expect(layout.planes.map(\.rowBytes) == [12, 6, 6] && layout.byteCount == 36)
    var bytes = [UInt8](repeating: 0xee, count: 36)
    for (at, code) in [(0, 1), (2, 2), (4, 3), (12, 4), (14, 5), (16, 6), (24, 7), (26, 8), (30, 9), (32, 10)] {
      (bytes[at], bytes[at + 1]) = (UInt8(code), 0)
    }
    let image = try Self.read(bytes, RawDescription(layout, primaries: 9, transfer: 18, matrix: 9, fullRange: false))
      .image
    #expect((0..<3).map { Self.codes(image, $0) } == [[1, 2, 3, 4, 5, 6], [7, 8], [9, 10]])
    for stride in [5, 8, 13] {
      let fault = RawLayout(format, width: 3, height: 2, stride: stride).fault
      #expect((fault == nil) == (stride == 8))
    }
  }

  @Test(
    "what is not said is an error that names the setting",
    arguments: [
      ("p010", RawDescription(matrix: 9, fullRange: true), "cicp"),
      ("p010", RawDescription(primaries: 9, transfer: 16, fullRange: true), "cicp"),
      ("p010", RawDescription(primaries: 9, transfer: 16, matrix: 9), "range"),
      ("rgb48", RawDescription(primaries: 9, transfer: 16), "range"),
      ("rgb48", RawDescription(primaries: 9, transfer: 16, matrix: 9, fullRange: true), "cicp"),
      ("yuv420p10", RawDescription(primaries: 9, transfer: 16, matrix: 0, fullRange: true), "cicp"),
      ("rgbah", RawDescription(primaries: 9, transfer: 8, fullRange: false), "range"),
    ])
  func nothingIsGuessed(name: String, description: RawDescription, setting: String) throws {
    let layout = RawLayout(try #require(RawFormat.named(name)), width: 2, height: 2)
    var description = description
    description.layout = layout
    do {
      _ = try Self.read([UInt8](repeating: 0, count: layout.byteCount), description)
      Issue.record("read")
    } catch DecodeError.undescribed(_, let named) {
      #expect(named == .setting(setting))
    }
  }

  // MARK: Y4M

  @Test(arguments: [
    ("YUV4MPEG2 W4 H2 F25:1 Ip A1:1 C420p10 XYSCSS=420P10 XCOLORRANGE=LIMITED", "yuv420p10", false, ChromaSiting?.none),
    ("YUV4MPEG2 W4 H2 F30000:1001 C422p12 XCOLORRANGE=FULL", "yuv422p12", true, nil),
    ("YUV4MPEG2 W4 H2", "yuv420p", nil, nil), ("YUV4MPEG2 H2 W4 I? C420jpeg", "yuv420p", nil, .center),
    ("YUV4MPEG2 W4 H2 C420mpeg2", "yuv420p", nil, .left), ("YUV4MPEG2 W4 H2 Cmono16", "gray16", nil, nil),
  ])
  func headersOfY4MAreReadAndWritten(line: String, format: String, full: Bool?, siting: ChromaSiting?) throws {
    let header = try Y4M(parsing: Array(line.utf8)[...])
    #expect(header.layout == RawLayout(try #require(RawFormat.named(format)), width: 4, height: 2))
    #expect(header.fullRange == full && header.siting == siting)
    let again = try Y4M(parsing: Array(header.text.utf8).dropLast())
    #expect(again.layout == header.layout && again.fullRange == full)
  }

  @Test(arguments: [
    ("YUV4MPEG W4 H2", "decode.malformed"), ("YUV4MPEG2 W4", "decode.malformed"),
    ("YUV4MPEG2 W0 H2", "decode.malformed"), ("YUV4MPEG2 W99999999 H2", "decode.malformed"),
    ("YUV4MPEG2 W4 H2 It", "decode.unsupported"), ("YUV4MPEG2 W4 H2 C411", "decode.unsupported"),
  ])
  func brokenAndUnknownHeadersOfY4MAreRefused(line: String, code: String) {
    do throws(DecodeError) {
      _ = try Y4M(parsing: Array(line.utf8)[...])
      Issue.record("read")
    } catch {
      #expect(error.code == code)
    }
  }

  @Test func y4mNeedsItsPrimaries() {
    let bytes = Array("YUV4MPEG2 W1 H1 C444p10 XCOLORRANGE=FULL\nFRAME Xa\n".utf8) + [1, 0, 2, 0, 3, 0]
    #expect(throws: DecodeError.self) { try Self.read(bytes, nil) }
    let image = try? Self.read(bytes, RawDescription(primaries: 9, transfer: 16, matrix: 9)).image
    #expect(image.map { image in (0..<3).map { Self.codes(image, $0) } } == [[1], [2], [3]])
  }

  // MARK: Sidecars

  @Test(arguments: ["rgba16f", "pq-raw:p010", "linear-raw:rgbah", "sdr-raw:nv12", "sdr-raw:rgba", "hlg-raw:rgb48"])
  func sidecarDescribesItsFile(name: String) throws {
    let kind = try #require(OutputKind(rawValue: name))
    let request = Writer.request(kind, Self.picture(kind, 6, 4), hasAlpha: true), files = try encodeImage(request)
    var limits = DecodeLimits()
    limits.reading.sidecar = files.sidecar
    let source = try decodeImage(files.main, limits: limits)
    #expect(source.warnings.isEmpty)
    #expect(source.color.cicp == request.cicp)
    #expect((source.image.width, source.image.height) == (6, 4))
    if name == "rgba16f" {
      #expect((0..<4).allSatisfy { Self.codes(source.image, $0) == Self.codes(request.image, $0) })
    }
  }

  @Test(arguments: [
    "", "{", "{}", "[1]", "{\"width\": 2}", "{\"width\": 2, \"height\": 2, \"primaries\": \"red\"}",
    "{\"width\": 1e9, \"height\": 2, \"primaries\": 9}",
    "{\"width\": 2, \"width\": 2, \"height\": 2, \"primaries\": 9}",
    "{\"width\": 2, \"height\": 2, \"primaries\": 9, \"format\": \"png\"}",
    "{\"width\": 2, \"height\": 2, \"primaries\": 9} x",
  ])
  func brokenSidecarsAreRefused(text: String) {
    var limits = DecodeLimits()
    limits.reading.sidecar = Array(text.utf8)
    #expect(throws: DecodeError.self) { try decodeImage([UInt8](repeating: 0, count: 32), limits: limits) }
  }
}
