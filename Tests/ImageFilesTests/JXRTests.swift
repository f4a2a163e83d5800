import FileParts
import Foundation
import HDRCore
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// Reading JPEG XR: the container, samples of each layout, light; and files of other writers by libjxr.
@Suite struct JXRTests {
  static let hasLibrary = codecLibraries().contains { $0.name == "libjxr" && $0.version != nil }

  static func limits(_ change: (inout DecodeLimits) -> Void = { _ in }) -> DecodeLimits {
    var limits = DecodeLimits()
    limits.unsafeCodecs = true
    change(&limits)
    return limits
  }

  private static func head(_ change: (inout TinyJXR) -> Void) throws -> SourceImage {
    var file = TinyJXR()
    change(&file)
    return try decodeImage(file.bytes, request: .metadata, limits: limits())
  }

  private static func refusal(_ change: (inout TinyJXR) -> Void) -> String {
    do {
      _ = try head(change)
      return "read"
    } catch let error as DecodeError { return "\(error.code) \(error)" } catch { return "\(error)" }
  }

  // MARK: Container

  @Test("the container gives size, samples and orientation, and nothing of the library's is needed")
  func containerGivesHead() throws {
    let source = try Self.head { _ in }
    #expect(source.format == .jxr && source.image.width == 48 && source.image.height == 32)
    #expect(source.image.format == .uint8 && source.image.model == .rgb && source.color.encoding == .sRGB)
    let turns: [Orientation] = [.up, .downMirrored, .upMirrored, .down, .right, .rightMirrored, .leftMirrored, .left]
    for (turn, wanted) in turns.enumerated() {
      #expect(try Self.head { $0.orientation = turn }.geometry.orientation == wanted)
    }
    let odd = try Self.head { $0.orientation = 8 }
    #expect(odd.geometry.orientation == .up && odd.warnings.map(\.code) == ["jxr.orientation"])
    // Sizes of 32 bits, tiles and a window are understood.
    #expect(try Self.head { $0.flags = (0x44, 0x40) }.image.width == 48)
    #expect(
      try Self.head {
        $0.flags.0 = 0xC4
        // Two columns and two rows, the first of two and of one macroblock.
        $0.tiles = [0x00, 0x10, 0x01, 2, 1]
      }.image.height == 32)
    #expect(
      try Self.head {
        $0.flags.1 = 0xE0
        $0.tiles = [0, 0, 0]
      }.image.height == 32)
  }

  /// Changes that make one fault each, with the code of the error.
  static let faults: [(name: String, code: String, change: @Sendable (inout TinyJXR) -> Void)] = [
    ("the size of the container", "decode.malformed", { $0.numbers[0xBC80] = 49 }),
    ("a width of 2^31", "decode.malformed", { $0.numbers[0xBC80] = 1 << 31 }),
    ("a picture outside the file", "decode.truncated", { $0.numbers[0xBCC0] = 1 << 30 }),
    ("a picture of 4 GB", "decode.truncated", { $0.numbers[0xBCC1] = 0xFFFF_FFF0 }),
    ("no place of the picture", "decode.malformed", { $0.numbers[0xBCC0] = 0 }),
    (
      "alpha outside the file", "decode.truncated",
      { ($0.format, $0.alphaDepth, $0.numbers) = (0x0F, 1, [0xBCC2: 1 << 20]) }
    ),
    ("alpha of other samples", "decode.malformed", { ($0.format, $0.alphaDepth) = (0x0F, 2) }),
    ("alpha beside colours without alpha", "decode.malformed", { $0.flags.1 = 0xC1 }),
    ("other samples than the format's", "decode.malformed", { $0.depth = 7 }),
    ("grey in place of RGB", "decode.malformed", { $0.colors = 0 }),
    ("CMYK inside", "decode.malformed", { $0.plane = 0x80 }),
    ("pixels that few bytes cannot hold", "decode.malformed", { ($0.width, $0.height) = (1000, 1000) }),
    ("a side of 65 536", "decode.limit", { $0.width = 65_536 }),
    ("an unknown format", "decode.unsupported", { $0.identifier = [UInt8](repeating: 7, count: 16) }),
    ("CMYK", "decode.unsupported", { $0.format = 0x1C }),
    ("channels", "decode.unsupported", { $0.format = 0x22 }),
    ("Y'CbCr", "decode.unsupported", { $0.format = 0x48 }),
    ("1 bit", "decode.unsupported", { $0.format = 0x05 }),
    ("a version of tomorrow", "decode.unsupported", { $0.version = 0x21 }),
    ("an overlap of 3", "decode.malformed", { $0.flags.0 = 0x47 }),
    ("frequencies without an index", "decode.malformed", { $0.flags.0 = 0x40 }),
    ("stretched tiles", "decode.unsupported", { $0.flags.1 = 0xC8 }),
    ("a tile of no width", "decode.malformed", { ($0.flags.0, $0.tiles) = (0xC4, [0x00, 0x10, 0x00, 0]) }),
    ("a tile too wide", "decode.malformed", { ($0.flags.0, $0.tiles) = (0xC4, [0x00, 0x10, 0x00, 3]) }),
    ("a window of parts of macroblocks", "decode.malformed", { ($0.flags.1, $0.tiles) = (0xE0, [0x04, 0, 0]) }),
    ("no directory", "decode.malformed", { $0.identifier = [1, 2, 3] }),
  ]

  @Test("each fault of the container is refused by name") func faultIsRefused() {
    for fault in Self.faults {
      let found = Self.refusal(fault.change)
      #expect(found.hasPrefix(fault.code), "\(fault.name): \(found)")
    }
  }

  @Test("directories that lead back or nowhere, and entries outside the file, are warnings")
  func oddDirectoriesAreWarnings() throws {
    #expect(try Self.head { $0.next = 8 }.warnings.map(\.code) == ["jxr.loop"])
    #expect(try Self.head { $0.next = 1 << 20 }.warnings.map(\.code) == ["jxr.directory"])
    let outside = try Self.head {
      $0.blocks = [(0x1000, 1, [UInt8](repeating: 0, count: 8))]
      $0.numbers[0x1000] = 1 << 24
    }
    #expect(outside.warnings.map(\.code) == ["jxr.entry"])
    var file = TinyJXR()
    file.more = (0..<600).map { (1000 + $0, 4, 0) }
    #expect(throws: DecodeError.limit(what: "entries of a JPEG XR directory", found: 605, allowed: 512)) {
      try decodeImage(file.bytes, request: .metadata, limits: Self.limits())
    }
  }

  @Test("the container for the library has the same code streams, and nothing else of the file")
  func plainContainerHoldsCodeStreams() throws {
    var file = TinyJXR()
    (file.format, file.alphaDepth, file.orientation) = (0x0F, 1, 5)
    file.blocks = [(0x02BC, 1, Array("<x:xmpmeta/>".utf8))]
    var warnings: [Warning] = []
    let first = try JXRContainer(file.bytes, limits: Self.limits(), warnings: &warnings)
    let second = try JXRContainer(first.plain, limits: Self.limits(), warnings: &warnings)
    #expect(warnings.isEmpty && second.format == first.format && second.orientation == .up)
    #expect(second.directory.entries.count == 7)
    #expect(Array(second.structure.bytes[second.image]) == Array(first.structure.bytes[first.image]))
    let alphas = try [first, second].map { Array($0.structure.bytes[try #require($0.alpha)]) }
    #expect(alphas[0] == alphas[1])
  }

  @Test("pixels are decoded in a sandbox alone, or where the caller takes the risk")
  func libraryNeedsSandbox() {
    #expect(throws: DecodeError.self) { try decodeImage(TinyJXR().bytes, limits: DecodeLimits()) }
    do {
      _ = try decodeImage(TinyJXR().bytes, limits: DecodeLimits())
    } catch { #expect("\(error)".contains("unsafe-codecs"), "\(error)") }
  }

  // MARK: Colour

  @Test("10 bits are PQ by tag A001 or by the name of the profile, else sRGB with a warning, else what cicp says")
  func tenBitsArePQWhereStated() throws {
    func ten(_ change: (inout TinyJXR) -> Void = { _ in }, _ limits: DecodeLimits = Self.limits()) throws -> SourceImage
    {
      var file = TinyJXR()
      (file.format, file.depth) = (0x14, 9)
      change(&file)
      return try decodeImage(file.bytes, request: .metadata, limits: limits)
    }
    let stated = try ten { $0.more = [(0xA001, 3, 2084)] }
    #expect(stated.color.cicp == CICP(9, 16, 0, full: true) && stated.image.bitDepth == 10 && stated.warnings.isEmpty)
    let assumed = try ten()
    #expect(assumed.color.encoding == .sRGB && assumed.warnings.map(\.code) == ["colour.assumed"])
    let said = try ten({ _ in }, Self.limits { $0.reading.raw = RawDescription(nil, primaries: 9, transfer: 16) })
    #expect(said.color.cicp == CICP(9, 16, 0, full: true) && said.warnings.isEmpty)
  }

  @Test("floats are scRGB: 1.0 is 80 cd/m², light is relative to white, and PQ would keep luminances")
  func floatsAreSCRGB() throws {
    func half(_ limits: DecodeLimits) throws -> SourceImage {
      var file = TinyJXR()
      (file.format, file.depth) = (0x3B, 4)
      return try decodeImage(file.bytes, request: .metadata, limits: limits)
    }
    for (white, limits) in [(203.0, Self.limits()), (400, Self.limits { $0.reading.jxr.white = 400 })] {
      let source = try half(limits)
      guard case .matrixTRC(let curves, let rows, let primaries) = source.color.encoding else {
        Issue.record("not linear")
        return
      }
      #expect(curves.allSatisfy { $0 == .identity } && primaries == 1)
      #expect(abs(rows[0...2].reduce(0, +) * white - 80) < 1e-9)
      #expect(source.light.signalWhite == white && source.light.referenceWhite == white && source.isLinearLight)
    }
    let wide = try half(Self.limits { $0.reading.raw = RawDescription(nil, primaries: 12, transfer: 8) })
    guard case .matrixTRC(_, _, 12) = wide.color.encoding else {
      Issue.record("cicp 12/8 does not count")
      return
    }
  }

  @Test("scRGB becomes the light of the vectors, negative values included", .enabled(if: SharedData.hasVectors))
  func scRGBFollowsVectors() throws {
    let vectors = try #require(SharedData.json("specs/formats-2026-vectors.json")?["scrgb"] as? [[String: Any]])
    var file = TinyJXR()
    (file.format, file.depth) = (0x3B, 4)
    let source = try decodeImage(file.bytes, request: .metadata, limits: Self.limits())
    guard case .matrixTRC(_, let rows, _) = source.color.encoding else { return }
    for vector in vectors {
      let light = Matrix3(rows) * (try #require(vector["scrgb"] as? [Double]))
      for (found, wanted) in zip(light, try #require(vector["edr_white203"] as? [Double])) {
        #expect(abs(found - wanted) < 1e-7 * max(1, abs(wanted)))
      }
      for (found, wanted) in zip(light, try #require(vector["nits_bt2020"] as? [Double])) {
        #expect(abs(found * 203 - wanted) < 1e-5 * max(1, abs(wanted)))
      }
      for (found, wanted) in zip(light, try #require(vector["pq16"] as? [Double])) {
        #expect(abs(Transfer.pqInverseEOTF(max(0, found * 203)) * 65_535 - wanted) < 1.01)
      }
    }
    #expect(vectors.count == 6)
  }

  // MARK: Samples

  /// Makes the picture of made samples, as the library would hand them over.
  private static func image(
    _ format: UInt8, depth: Int, colors: Int = 7, _ pixels: [[UInt8]], keepsAlpha: Bool = false,
    isPlanar: Bool = false
  ) throws -> (image: SampleImage, leavesShape: Bool) {
    var file = TinyJXR()
    (file.width, file.height, file.format, file.depth, file.colors) = (pixels.count, 1, format, depth, colors)
    file.plane = colors == 0 ? 0 : 0x60
    if isPlanar { file.alphaDepth = depth }
    var warnings: [Warning] = []
    let container = try JXRContainer(file.bytes, limits: limits(), warnings: &warnings)
    let pixelBytes = container.format.bytes
    #expect(pixels.allSatisfy { $0.count == pixelBytes })
    return pixels.flatMap { $0 }.withUnsafeBytes {
      JXRPixels(file: container, keepsAlpha: keepsAlpha).image($0.baseAddress!, rowBytes: pixels.count * pixelBytes)
    }
  }

  private static func values(_ image: SampleImage) -> [[Double]] {
    let planes = image.channels + (image.alpha.map { [$0] } ?? [])
    return (0..<image.width).map { x in
      planes.map { plane in
        let at = plane.buffer.base + plane.offset + x * plane.stepBytes
        switch image.format {
        case .uint8: return Double(at.load(as: UInt8.self))
        case .uint16: return Double(at.load(as: UInt16.self))
        case .float16: return Double(Float16(bitPattern: at.load(as: UInt16.self)))
        case .float32: return Double(at.load(as: Float.self))
        }
      }
    }
  }

  private static func words<Word: FixedWidthInteger>(_ words: [Word]) -> [UInt8] {
    words.flatMap { word in (0..<Word.bitWidth / 8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
  }

  @Test("samples of each layout come in the order R, G, B, alpha")
  func samplesOfEachLayout() throws {
    #expect(Self.values(try Self.image(0x0C, depth: 1, [[1, 2, 3]]).image) == [[3, 2, 1]])
    #expect(Self.values(try Self.image(0x0E, depth: 1, [[1, 2, 3, 9]]).image) == [[3, 2, 1]])
    let bgra = try Self.image(0x10, depth: 1, [[1, 2, 3, 4]], isPlanar: true).image
    #expect(Self.values(bgra) == [[3, 2, 1, 4]] && bgra.alphaIsPremultiplied)
    #expect(Self.values(try Self.image(0x0B, depth: 2, colors: 0, [Self.words([UInt16(40_000)])]).image) == [[40_000]])
    // 5, 6 and 10 bits: red is the upper part; the largest code is white.
    let word565 = Self.words([UInt16(31 << 11 | 21 << 5 | 8)]), word555 = Self.words([UInt16(31 << 10 | 10 << 5 | 4)])
    #expect(Self.values(try Self.image(0x0A, depth: 10, [word565]).image) == [[255, 85, 66]])
    #expect(Self.values(try Self.image(0x09, depth: 8, [word555]).image) == [[255, 82, 33]])
    let ten = try Self.image(0x14, depth: 9, [Self.words([UInt32(1023 << 20 | 512 << 10 | 7)])]).image
    #expect(Self.values(ten) == [[1023, 512, 7]] && ten.bitDepth == 10)
    // Fixed point has 1.0 at 2^13 and 2^24; RGBE is m * 2^(e - 136).
    #expect(
      Self.values(try Self.image(0x12, depth: 3, [Self.words([Int16(8192), -4096, 16_384])]).image) == [[1, -0.5, 2]])
    #expect(
      Self.values(try Self.image(0x18, depth: 6, [Self.words([Int32(1 << 24), -(1 << 23), 3 << 24])]).image)
        == [[1, -0.5, 3]])
    #expect(
      Self.values(try Self.image(0x3D, depth: 1, colors: 8, [[128, 64, 1, 129], [9, 9, 9, 0]]).image)
        == [[1, 0.5, 1.0 / 128], [0, 0, 0]])
  }

  @Test("NaN becomes 0, infinity the largest half; alpha of floats is left out, or kept within 0 and 1")
  func floatsAreCleaned() throws {
    func half(_ values: [Float16]) -> [UInt8] { Self.words(values.map(\.bitPattern)) }
    let pixels = [half([.nan, .infinity, -.infinity, 1]), half([-0.25, 12.5, 0, 1])]
    let left = try Self.image(0x3A, depth: 4, pixels, isPlanar: true)
    #expect(Self.values(left.image) == [[0, 65_504, -65_504], [-0.25, 12.5, 0]] && !left.leavesShape)
    #expect(left.image.madeFinite == 3)
    #expect(try Self.image(0x3A, depth: 4, [half([1, 1, 1, 0.5])], isPlanar: true).leavesShape)
    let kept = try Self.image(
      0x3A, depth: 4, [half([1, 1, 1, 2]), half([1, 1, 1, -1])], keepsAlpha: true, isPlanar: true)
    #expect(Self.values(kept.image).map { $0[3] } == [1, 0] && !kept.leavesShape)
    func float(_ values: [Float]) -> [UInt8] { Self.words(values.map(\.bitPattern)) }
    let floats = try Self.image(
      0x19, depth: 7, [float([.nan, .infinity, -2, 3])], keepsAlpha: true, isPlanar: true)
    #expect(Self.values(floats.image) == [[0, 65_504, -2, 1]] && floats.image.madeFinite == 2)
    // The fourth word of a pixel without alpha is none.
    let unused = try Self.image(0x42, depth: 4, [half([1, 2, 3, 0])])
    #expect(Self.values(unused.image) == [[1, 2, 3]] && unused.image.alpha == nil && !unused.leavesShape)
  }

  @Test("a rank of light is the least value that a share does not exceed, exactly")
  func rankOfLightIsExact() {
    func rank(_ values: [Float], _ percent: Double) -> LightRank {
      LightRank(percent: percent) { take in
        for start in stride(from: 0, to: values.count, by: 7) {
          Array(values[start..<min(start + 7, values.count)]).withUnsafeBufferPointer(take)
        }
      }
    }
    let values = (1...20_000).map { Float($0) / 3 }.shuffled()
    #expect(rank(values, 99.99).value == Float(19_998) / 3 && rank(values, 100).value == Float(20_000) / 3)
    #expect(abs(rank(values, 50).mean - 20_001.0 / 6) < 1e-3 && rank(values, 50).value == Float(10_000) / 3)
    #expect(rank([-1, .nan, -3], 100).value == 0 && rank([], 99).value == 0)
    // Words that share their upper half are told apart.
    let near = [Float(1), Float(1).nextUp, Float(1).nextUp.nextUp]
    #expect((1...3).map { rank(near, Double($0) * 33).value } == near)
  }

  // MARK: Files of other writers

  /// A picture of 9 x 5 pixels whose alpha is coded beside the colours, by JxrEncApp of libjxr: blue 7x, green 9y, red xy,
  /// alpha 5x + 3y.
  private static let interleaved = """
    SUm8ASAAAAAkw91vA07+S7GFPXd2jckPAAAAAAAAAAAIAAG8AQAQAAAACAAAAAK8BAABAAAAAAAAAIC8BAABAAAACQAAAIG8BAABAAAABQAAAIK8\
    CwABAAAAnASQQoO8CwABAAAAnASQQsC8BAABAAAAhgAAAMG8BAABAAAAzgEAAAAAAABXTVBIT1RPABFFwXEACAAEYADAAAAMAAAAwAAAAACAIAgA\
    AAEAAAAKAEP//wAAAQH5bC3Y7NgAAAEC/j0cahWI1YxBmEDxCDxGjiyFdVvcXu169FAehkood5K0AjxwLM0xSU9TNp5cyLiKIwWOYCAAAAEDdPFH\
    QyTo3ewsfDWz3oegoaTh2cbHSiA8ATHCeyrjiRI+NFDRoknt7YTBWy3wu42k5ncVPJrH05yg9R2iTmd7f3etriSzydy+BFxI+RYoXOirfTgIOs/Z\
    JzFIeLi9JkxuOxeVi44/Rpu/659HW6PTduh4mNvk77oeJ/mYfEJFUT+9VL/i+EUcLiwsOFxw/okDaLksHHeB7Nvp4EXNDpbspor87JQvMOGU2Mo0\
    eo4/mPxDxWaNp205DfSd3Xx7DSG5xsIIGKgvN338IATEWiRceHH4nlQZZR7TcnuTEiw9yGhf6a1X8/FMvINNwaT243b4ol7lBs+ZmXp4ER4nRPRv\
    tfnZKFe8QZ4P0bRo6Dxs5BxbZabHPJmiTdE/bHQyzN2fa8gtpWG47yN+c4oKkmL4sjaS2Zlr4zI66ascsTvZLGgy0SOsGj8omVPOemxJbNUTsKck\
    nwubEk8iZIg=
    """

  @Test("alpha that is coded beside the colours comes with them", .enabled(if: hasLibrary, "skipped: no libjxr"))
  func interleavedAlphaIsRead() throws {
    let bytes = [UInt8](try #require(Data(base64Encoded: Self.interleaved)))
    let image = try decodeImage(bytes, limits: Self.limits()).image, alpha = try #require(image.alpha)
    for y in 0..<5 {
      for x in 0..<9 {
        let found = (image.channels + [alpha]).map {
          Int($0.buffer.base.load(fromByteOffset: $0.offset + y * $0.rowBytes + x * $0.stepBytes, as: UInt8.self))
        }
        #expect(found == [x * y, 9 * y, 7 * x, 5 * x + 3 * y])
      }
    }
  }

  private static func read(_ name: String, _ limits: DecodeLimits = Self.limits()) throws -> SourceImage {
    try decodeImage(try #require(SharedData.bytes("data/formats2/" + name)), limits: limits)
  }

  @Test(
    "samples equal those of another reader, and lossless ones the array they were made from",
    .enabled(if: hasLibrary && SharedData.url("data/formats2/expected.tsv") != nil, "skipped: no libjxr or no data"))
  func samplesEqualOtherReaders() throws {
    let table = String(decoding: try #require(SharedData.bytes("data/formats2/expected.tsv")), as: UTF8.self)
    var pictures: [String: SourceImage] = [:], rows = 0
    for line in table.split(separator: "\n").dropFirst() where line.hasPrefix("jxr/") {
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      let name = cells[0]
      if pictures[name] == nil {
        pictures[name] = try Self.read(name, Self.limits { $0.reading.jxr.alpha = .keep })
      }
      let source = try #require(pictures[name]), image = source.image
      #expect(image.width == Int(cells[3]) && image.height == Int(cells[4]))
      var x = Int(cells[5]) ?? 0
      let y = Int(cells[6]) ?? 0
      // That reader turns pictures as they are shown.
      if source.geometry.orientation == .upMirrored { x = image.width - 1 - x }
      let wanted = cells[7...].compactMap { Double($0) }
      let planes = image.channels + (image.alpha.map { [$0] } ?? [])
      var found = planes.map { plane -> Double in
        let at = plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes
        return switch image.format {
        case .uint8: Double(at.load(as: UInt8.self))
        case .uint16: Double(at.load(as: UInt16.self))
        case .float16: Double(Float16(bitPattern: at.load(as: UInt16.self)))
        case .float32: Double(at.load(as: Float.self))
        }
      }
      switch name {
      case "jxr/xbox_bgr101010_icc.jxr": found = Self.readWithFault(image, x, y)
      // It shifts 5 and 6 bits to 8.
      case "jxr/kde_Format_RGB16.jxr":
        let codes = zip(found, [31.0, 63, 31]).map { ($0 / 255 * $1).rounded() }
        found = zip(codes, [8.0, 4, 8]).map { $0 * $1 }
      case "jxr/made_rgbe_61x47.jxr":
        let bytes = wanted.map { UInt8($0) }
        #expect(found == bytes[..<3].map { Double(JXRPixels.light($0, exponent: bytes[3])) }, "\(line)")
        found = wanted
      default: break
      }
      #expect(found.count == wanted.count, "\(line)")
      for (value, other) in zip(found, wanted) {
        #expect(image.format.isInteger ? value == other : abs(value - other) <= 1e-6 * abs(other), "\(line): \(found)")
      }
      rows += 1
    }
    #expect(rows == 160 && pictures.count == 16)
  }

  /// Returns what that reader makes of 10 bits: it shifts them to 16, and takes rows for two bytes longer than they are.
  private static func readWithFault(_ image: SampleImage, _ x: Int, _ y: Int) -> [Double] {
    func word(_ pixel: Int) -> UInt32 {
      guard pixel < image.pixelCount else { return 0 }
      return image.channels.reduce(0) { word, plane in
        let at = plane.offset + pixel / image.width * plane.rowBytes + pixel % image.width * plane.stepBytes
        return word << 10 | UInt32(plane.buffer.base.load(fromByteOffset: at, as: UInt16.self))
      }
    }
    let place = y * (4 * image.width + 2) + 4 * x
    let read = place % 4 == 0 ? word(place / 4) : word(place / 4) >> 16 | word(place / 4 + 1) << 16
    return (0..<3).map { Double(read >> UInt32(20 - 10 * $0) & 1023) * 64 }
  }

  @Test(
    "light, colour, alpha and metadata of real files are what the files mean",
    .enabled(if: hasLibrary && SharedData.url("data/formats2/jxr") != nil, "skipped: no libjxr or no data"))
  func realFilesMeanLight() throws {
    let scene = try Self.read("jxr/win_hdr_scene.jxr")
    #expect(scene.image.alpha == nil && scene.isLinearLight && scene.light.places[.clli] == .samples)
    let brightest = try Self.read("jxr/win_hdr_scene.jxr", Self.limits { $0.reading.jxr.peak = .measured })
    let level = try #require(scene.light.clli), most = try #require(brightest.light.clli)
    #expect(level.maxCLL < most.maxCLL && level.maxFALL == most.maxFALL && most.maxCLL < 1200)
    // The same ranks over the file's own primaries are the vectors'.
    let vectors = try #require(SharedData.json("specs/formats-2026-vectors.json")?["jxr"] as? [String: Any])
    let all = try #require(vectors["light"] as? [String: Any])
    let wanted = try #require(all["real/Jxr_HdrScene.jxr"] as? [String: Double])
    func own(_ percent: Double) -> LightRank {
      LightRank(percent: percent) { take in
        for y in 0..<scene.image.height {
          let row = (0..<scene.image.width).map { x in
            scene.image.channels.map { plane -> Float in
              let at = plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes
              return 80 * Float(Float16(bitPattern: at.load(as: UInt16.self)))
            }.max() ?? 0
          }
          row.withUnsafeBufferPointer(take)
        }
      }
    }
    #expect(Double(own(99.99).value) == wanted["p9999_nearest_rank"] && Double(own(100).value) == wanted["max_nits"])
    #expect(abs(own(100).mean - (wanted["mean_of_max"] ?? 0)) < 1e-3)

    let xbox = try Self.read("jxr/xbox_bgr101010_icc.jxr")
    #expect(xbox.color.cicp == CICP(9, 16, 0, full: true) && xbox.color.iccDescription == "Rec2020 ST.2084")
    #expect(xbox.light.clli != nil && xbox.isHDRTransfer)
    let photo = try Self.read("jxr/kde_metadata.jxr")
    #expect(photo.exif != nil && photo.xmp != nil && photo.color.icc != nil && photo.image.alpha != nil)
    #expect(try Self.read("jxr/kde_orientation6.jxr").geometry.orientation == .right)
    #expect(try Self.read("jxr/kde_orientation2.jxr").geometry.orientation == .upMirrored)
    let profiled = try Self.read("jxr/rgbfloat_icc.jxr")
    #expect(profiled.color.icc != nil && profiled.isLinearLight)
    let unused = try Self.read("jxr/kde_Format_RGBX16FPx4.jxr")
    #expect(unused.image.alpha == nil && unused.image.format == .float16)
    #expect(try Self.read("jxr/kde_Format_RGBA16FPx4.jxr").warnings.map(\.code).contains("jxr.alpha"))
  }

  @Test(
    "malformed files are typed errors or warnings before the library sees them",
    .enabled(if: SharedData.url("data/formats2/malformed") != nil, "skipped: no data"))
  func malformedFilesAreTyped() throws {
    let wanted = [
      "bytecount_huge": "decode.truncated", "codestream_65536": "decode.limit", "codestream_flags": "decode.",
      "cut_half": "decode.truncated", "cut_header": "decode.truncated", "guid_unknown": "decode.unsupported",
      "ifd_loop": "jxr.loop", "offset_past": "decode.truncated", "width_2g": "decode.malformed",
    ]
    for (name, code) in wanted {
      let bytes = try #require(SharedData.bytes("data/formats2/malformed/djxr_\(name).jxr"))
      let found: String
      do {
        found = try decodeImage(bytes, request: .metadata, limits: Self.limits()).warnings.map(\.code).joined()
      } catch { found = error.code }
      #expect(found.hasPrefix(code), "\(name): \(found)")
    }
  }
}
