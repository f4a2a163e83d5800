import FileParts
import HDRCore
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// Reading and writing JPEG XL: boxes, colour, samples.
@Suite(.enabled(if: JXL.isHere, "skipped: no libjxl")) struct JXLTests {
  // MARK: Bytes

  @Test(arguments: [
    (1, 13, "01"), (12, 13, "90c90d"), (9, 16, "90470f"), (9, 18, "906720"), (12, 16, "90490f"), (1, 8, "50b400"),
    (9, 8, "90470b"), (12, 8, "90490b"),
  ])
  func colourIsTheseBits(primaries: Int, transfer: Int, hex: String) throws {
    let color = try #require(JXLColor(primaries: primaries, transfer: transfer))
    #expect(color.bits == hexBytes(hex))
    #expect(JXLColor(bits: hexBytes(hex)) == color)
    for count in 0..<hexBytes(hex).count { #expect(JXLColor(bits: Array(hexBytes(hex).prefix(count))) == nil) }
  }

  @Test(.enabled(if: SharedData.url("specs/more-formats-vectors.json") != nil, "skipped: no data"))
  func bytesAreThoseOfTheVectors() throws {
    let all = try #require(SharedData.json("specs/more-formats-vectors.json"))
    for row in try #require(all["jxl_color_encoding"] as? [[String: Any]]) {
      // The library names P3 by 11, whatever its white.
      let primaries = try #require(row["primaries"] as? Int), transfer = try #require(row["transfer"] as? Int)
      let color = try #require(JXLColor(primaries: primaries == 11 ? 12 : primaries, transfer: transfer))
      #expect(color.bits == hexBytes(try #require(row["hex"] as? String)), "\(row["name"] ?? "")")
    }
    let rows = try #require(all["jxl"] as? [[String: Any]])
    let box = hexBytes(try #require(rows[1]["hex"] as? String))
    let gainMap = try JHGM(parsing: box.dropFirst(8))
    #expect(gainMap.metadata == [1, 2] && gainMap.colorEncoding == hexBytes("90470f") && gainMap.compressedICC.isEmpty)
    #expect(gainMap.codestream == [0xFF, 0x0A] && gainMap.serialized == Array(box.dropFirst(8)))
    let request = Writer.request(.sdrJXL, Writer.rgba(4, 4, .uint8))
    let start = hexBytes(try #require(rows[0]["hex"] as? String))
    #expect(try encodeImage(request).main.starts(with: start))
  }

  // MARK: Round trips

  @Test(arguments: [(1, 1), (17, 9), (300, 5)], [true, false])
  func losslessSamplesComeBackWordByWord(size: (Int, Int), hasAlpha: Bool) throws {
    for (kind, image) in [
      (OutputKind.pqJXL, Writer.rgba(size.0, size.1, .uint16)), (.hlgJXL, Writer.rgba(size.0, size.1, .uint16)),
      (.sdrJXL, Writer.rgba(size.0, size.1, .uint8)), (.linearJXL, JXL.halves(size.0, size.1)),
    ] {
      var request = Writer.request(kind, image, hasAlpha: hasAlpha)
      request.coding.quality = 100
      for effort in [0, 3] {
        request.coding.jxlEffort = effort
        let files = try encodeImage(request)
        try verifyEncoded(files, request)
        let found = try decodeImage(files.main)
        #expect(found.warnings.isEmpty && found.format == .jxl && found.image.format == image.format)
        let different = zip(JXL.words(found.image), JXL.words(image, channels: hasAlpha ? 4 : 3)).filter { $0 != $1 }
        #expect(different.isEmpty, "\(kind.rawValue) \(effort): \(different.prefix(9))")
        #expect(found.color.cicp == request.cicp)
        #expect((found.image.alpha != nil) == hasAlpha && !found.image.alphaIsPremultiplied)
      }
    }
  }

  @Test func lossyPicturesKeepTheirColourAndComeClose() throws {
    for kind in [OutputKind.pqJXL, .hlgJXL, .sdrJXL] {
      let image = Self.soft(AdaptiveJPEG.waves(96, 64, channels: 4))
      let deep = kind == .sdrJXL ? image : Self.widened(image)
      var request = Writer.request(kind, deep)
      request.coding.quality = 90
      let files = try encodeImage(request)
      try verifyEncoded(files, request)
      let found = try decodeImage(files.main)
      let pairs = zip(JXL.words(found.image), JXL.words(deep, channels: 3))
      let worst = pairs.map { abs(Int($0) - Int($1)) }.max() ?? 0
      #expect(worst < (kind == .sdrJXL ? 12 : 12 * 257), "\(kind.rawValue)")
      #expect(worst > 0)
      #expect(files.main.count < 96 * 64 * 3 / 2)
    }
  }

  /// A quarter of the contrast: no colour is near the edge of its gamut.
  static func soft(_ image: SampleImage) -> SampleImage {
    let bytes = image.channels[0].buffer.base.assumingMemoryBound(to: UInt8.self)
    for index in 0..<image.width * image.height * 4 { bytes[index] = 96 + bytes[index] / 4 }
    return image
  }

  /// Bytes as 16-bit words.
  static func widened(_ image: SampleImage) -> SampleImage {
    let wide = SampleImage.interleaved(
      width: image.width, height: image.height, channelCount: 4, format: .uint16, bitDepth: 16)
    for index in 0..<image.width * image.height * 4 {
      let byte = (image.channels[0].buffer.base + index).load(as: UInt8.self)
      (wide.channels[0].buffer.base + 2 * index).storeBytes(of: UInt16(byte) * 257, as: UInt16.self)
    }
    return wide
  }

  @Test(arguments: [(OutputKind.pqJXL, 100), (.pqJXL, 80), (.sdrJXL, 100), (.sdrJXL, 80)])
  func bytesDoNotDependOnThreads(kind: OutputKind, quality: Int) throws {
    var request = Writer.request(kind, Writer.picture(for: kind, 600, 300))
    request.coding.quality = quality
    let files = try (1...3).map { threads in
      request.threads = threads
      return try encodeImage(request).main
    }
    #expect(files[0] == files[1] && files[1] == files[2])
    let decoded = try (1...3).map { threads in
      var limits = DecodeLimits()
      limits.threads = threads
      let image = try decodeImage(files[0], limits: limits).image
      return UnsafeRawBufferPointer(start: image.channels[0].buffer.base, count: image.channels[0].buffer.byteCount)
        .map { $0 }
    }
    #expect(decoded[0] == decoded[1] && decoded[1] == decoded[2])
  }

  @Test func metadataTravel() throws {
    var request = Writer.request(.pqJXL, Writer.rgba(8, 8, .uint16))
    request.exif = TinyExif.orientation(6, littleEndian: true)
    request.xmp = Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".utf8)
    request.clli = ContentLightLevel(maxCLL: 612.5, maxFALL: 100)
    let files = try encodeImage(request)
    try verifyEncoded(files, request)
    #expect(JXL.boxes(files.main).map(\.type).suffix(3) == ["Exif", "xml ", "jxlc"])
    let found = try decodeImage(files.main)
    // Rows are turned already.
    #expect(found.exif == TinyExif.orientation(1, littleEndian: true) && found.geometry.orientation == .up)
    #expect(found.xmp == request.xmp)
    #expect(found.light.mdcv?.maxLuminance == 613)
  }

  @Test(
    "the brightest light is one that a half float holds", arguments: [(3147, 3148), (6119, 6120), (9993.2, 10_000)])
  func peaksBetweenHalfFloatsAreRoundedUp(peak: Double, stated: Double) throws {
    var request = Writer.request(.pqJXL, Writer.rgba(8, 8, .uint16))
    request.clli = ContentLightLevel(maxCLL: peak, maxFALL: 100)
    let files = try encodeImage(request)
    try verifyEncoded(files, request)
    let found = try decodeImage(files.main).light.mdcv?.maxLuminance
    #expect(found == stated || stated == 10_000 && found == nil)
  }

  // MARK: Boxes

  static let codestream: [UInt8] = {
    let file = try? encodeImage(Writer.request(.sdrJXL, Writer.rgba(5, 3, .uint8))).main
    return JXL.boxes(file ?? []).first { $0.type == "jxlc" }?.payload ?? []
  }()

  @Test("boxes may stand in any order, and the codestream may be in parts")
  func boxesInAnyOrder() throws {
    let code = Self.codestream, exif = [0, 0, 0, 0] + TinyExif.orientation(3, littleEndian: false)
    let plain = JXL.words(try decodeImage(code).image)
    let parts = JXL.box("jxlp", [0, 0, 0, 0] + code.prefix(7)) + JXL.box("jxlp", [0x80, 0, 0, 1] + code.dropFirst(7))
    for file in [
      JXL.file(JXL.box("Exif", exif), JXL.box("jxlc", code)), JXL.file(JXL.box("jxlc", code), JXL.box("Exif", exif)),
      JXL.file(parts, JXL.box("Exif", exif)),
      JXL.file(JXL.box("brob", Array("Exif".utf8) + JXL.brotli(exif)), JXL.box("jxlc", code)),
    ] {
      let found = try decodeImage(file)
      #expect(JXL.words(found.image) == plain && found.warnings.isEmpty)
      // Orientation is the codestream's.
      #expect(found.exif == Array(exif.dropFirst(4)) && found.geometry.orientation == .up)
    }
  }

  @Test("a store of C2PA and boxes of no known type are listed")
  func boxesBesideThePicture() throws {
    let store = FileExtrasTests.store(9)
    let file = JXL.file(store, JXL.box("mine", [1, 2, 3]), JXL.box("jxlc", Self.codestream))
    let source = try decodeImage(file, request: .metadata)
    #expect(source.extras.credentials?.pieces.flatMap { file[$0.start..<$0.end] } == store)
    #expect(source.extras.trailers == [FileTrailer(.unknown, byteCount: 3, names: ["mine"])])
    let packed = JXL.file(JXL.box("brob", Array("jumb".utf8) + JXL.brotli([1])), JXL.box("jxlc", Self.codestream))
    #expect(try decodeImage(packed, request: .metadata).extras.credentials?.pieces == [])
  }

  @Test func compressedBoxesHaveALimit() throws {
    let packed = Array("Exif".utf8) + JXL.brotli([UInt8](repeating: 7, count: 65_536))
    var limits = DecodeLimits()
    limits.maxMetadataBytes = 65_535
    let file = JXL.file(JXL.box("brob", packed), JXL.box("jxlc", Self.codestream))
    #expect(try decodeImage(file, limits: limits).warnings.map(\.code) == ["jxl.box"])
    let damaged = JXL.file(JXL.box("brob", Array("Exif".utf8) + [0xFF, 0xFF, 0xFF]), JXL.box("jxlc", Self.codestream))
    #expect(try decodeImage(damaged).warnings.map(\.code) == ["jxl.box"])
  }

  @Test func wrongBoxesAreOneError() throws {
    let code = Self.codestream
    func part(_ index: [UInt8]) -> [UInt8] { JXL.box("jxlp", index + code) }
    for (file, error) in [
      (JXL.file(), "decode.truncated"), (JXL.file(JXL.box("jxlc", code), JXL.box("jxlc", code)), "decode.malformed"),
      (JXL.file(part([0, 0, 0, 0])), "decode.truncated"), (JXL.file(part([0x80, 0, 0, 1])), "decode.malformed"),
      (JXL.file(JXL.box("jxlc", code) + [0, 0, 0, 7, 0x61, 0x61, 0x61, 0x61]), "decode.malformed"),
      (JXL.file(JXL.box("jxlc", code) + [0, 0, 0, 9, 0x61, 0x61, 0x61, 0x61]), "decode.truncated"),
      (JXL.file(JXL.box("jxlc", Array(code.prefix(code.count / 2)))), "decode.truncated"),
      (Array(code.prefix(2)), "decode.truncated"),
    ] {
      do throws(DecodeError) {
        _ = try decodeImage(file)
        Issue.record("read: \(error)")
      } catch let found {
        #expect(found.code == error, "\(found)")
      }
    }
  }

  @Test func sizesAreCheckedBeforeSamples() throws {
    var limits = DecodeLimits()
    limits.maxPixels = 14
    #expect(throws: DecodeError.limit(what: "pixel count", found: 15, allowed: 14, raise: .setting("max-pixels"))) {
      try decodeImage(Self.codestream, request: .metadata, limits: limits)
    }
  }

  // MARK: Real files

  @Test(
    .enabled(if: SharedData.url("data/formats/jxl") != nil, "skipped: no data"),
    arguments: [
      ("conformance_blendmodes", "1024x1024 rgb uint16 alpha 1"), ("jxl-coder_art", "1024x1024 rgb uint8 7"),
      ("conformance_progressive", "4064x2704 rgb uint16 1"), ("jxl-rs_candle", "1000x810 rgb float16 alpha times 1"),
      ("jxl-rs_hdr_hlg_test", "1024x1024 rgb uint16 1"), ("jpegxl_test_exif", "640x480 rgb uint8 6"),
      ("conformance_grayscale_jpeg", "200x200 grey uint8 1"), ("oxideav-jpegxl_bit_depth_16", "64x64 rgb uint16 1"),
    ])
  func headsOfRealFilesAreThoseOfTheTable(name: String, head: String) throws {
    let found = try decodeImage(try #require(SharedData.bytes("data/formats/jxl/\(name).jxl")), request: .metadata)
    let image = found.image, isTimes = image.alphaIsPremultiplied
    var words = ["\(image.width)x\(image.height)", image.model.rawValue, image.format.rawValue]
    if image.alphaBitDepth > 0, head.contains("alpha") { words.append("alpha") }
    if isTimes { words.append("times") }
    #expect((words + ["\(found.geometry.orientation.rawValue)"]).joined(separator: " ") == head)
  }

  @Test(.enabled(if: SharedData.url("data/formats/jxl") != nil, "skipped: no data"))
  func metadataOfRealFilesIsRead() throws {
    func read(_ name: String) throws -> SourceImage {
      try decodeImage(try #require(SharedData.bytes("data/formats/jxl/\(name).jxl")), request: .metadata)
    }
    #expect(throws: DecodeError.unsupported(feature: "JPEG XL colour model", found: "CMYK")) {
      try read("conformance_cmyk_layers")
    }
    #expect(try read("codec-corpus_animation_progressive").warnings.map(\.code) == ["jxl.animation"])
    #expect(try read("jpegxl-net_multi_exif_brob").exif != nil)
    #expect(try read("jpegxl-net_all_metadata").xmp != nil)
    let cat = try read("sturmen.github.io_cat")
    #expect(cat.color.cicp == CICP(9, 16, 0, full: true) && cat.light.mdcv?.maxLuminance == 1371)
  }

  @Test(.enabled(if: SharedData.hasImages, "skipped: no data"))
  func linearLightIsThatOfItsIntensityTarget() throws {
    let bytes = try #require(SharedData.bytes("data/images/jxl/made_linear_bt2020_float32_lossless.jxl"))
    let found = try decodeImage(bytes)
    guard case .matrixTRC(let curves, let matrix, nil) = found.color.encoding else {
      Issue.record("\(found.color.encoding)")
      return
    }
    #expect(curves.allSatisfy { $0 == .identity } && found.image.format == .float32)
    expectClose(matrix[0], 1000 / 203, abs: 1e-12, rel: 0)
  }

  // MARK: Frames

  /// Grey with alpha, 8x4, 25 frames a second: 10 everywhere; 20 more at 2 pixels; 30 more than the first at 3; 40 more than
  /// the second at 3.
  static let animation = hexBytes(
    "ff0a18704131005814b70408089034736b79000050004b12a5428524d648201a2700000000fb0000000008881020800001551610002c004b12a5428"
      + "5245215a8130008881020c00001556638642b33a37b317b3b03002c004b12a5428524d215b8930008881020c0000199668ce6d6f26400002c004b12"
      + "a54285245216c81300128")

  @Test func framesAreListedAndChosen() throws {
    let first = try decodeImage(Self.animation, picture: nil)
    #expect(first.pictures.map(\.name) == ["sky", nil, "left/fog", "sky2"])
    #expect(first.pictures.map(\.note) == ["0.04 s", "0.2 s", "1 s", "1 s"])
    #expect(first.pictures.allSatisfy { $0.width == 8 && $0.height == 4 } && first.picture == 1)
    #expect(first.warnings.map(\.code) == ["jxl.animation"])
    for (choice, number, row) in [
      ("sky", 1, [10, 10, 10, 10, 10]), ("2", 2, [10, 10, 30, 30, 10]), ("left/fog", 3, [10, 10, 40, 40, 40]),
      ("4", 4, [10, 10, 70, 70, 50]),
    ] {
      let found = try decodeImage(Self.animation, picture: choice)
      let words = JXL.words(found.image, channels: 1)
      #expect(found.picture == number && found.warnings.isEmpty && words.count == 32)
      #expect(words[8..<13].map { Int($0) } == row, "\(choice): \(words)")
      #expect(words[0..<8].allSatisfy { $0 == 10 } && words[16...].allSatisfy { $0 == 10 })
    }
    let expected = DecodeError.unsupported(feature: "picture 5", found: "4 pictures: sky, left/fog, sky2")
    #expect(throws: expected) { try decodeImage(Self.animation, picture: "5") }
    let head = try decodeImage(Self.animation, request: .metadata)
    #expect(head.pictures == first.pictures && head.image.channels.isEmpty)
  }

  @Test func framesBeforeTheDamageAreRead() throws {
    let torn = Array(Self.animation.dropLast(40))
    #expect(try decodeImage(torn, picture: "2").warnings.map(\.code) == ["jxl.frames"])
    #expect(throws: DecodeError.self) { try decodeImage(torn, picture: "3") }
  }

  @Test func stillPicturesAreOnePicture() throws {
    let still = try encodeImage(Writer.request(.sdrJXL, Writer.rgba(4, 4, .uint8))).main
    #expect(try decodeImage(still, picture: "1").pictures.isEmpty)
    #expect(throws: DecodeError.unsupported(feature: "picture 2", found: "one picture")) {
      try decodeImage(still, picture: "2")
    }
  }

  /// A lossless file of 16 bits whose header states others: float_sample 0, the selector 3 for "one more than six bits",
  /// and these six (ISO/IEC 18181-1, BitDepth), the lowest bit first.
  private static func file(bits: Int) throws -> [UInt8] {
    var bytes = try encodeImage(Writer.request(.pqJXL, Writer.rgba(8, 8, .uint16))).main
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: [0xFF, 0x0A]) }) + 2
    let head = (start..<start + 16).flatMap { at in (0..<8).map { bytes[at] >> $0 & 1 } }
    let field: [UInt8] = [0, 1, 1, 1, 1, 1, 1, 0, 0]
    let place = try #require(head.indices.first { head[$0...].starts(with: field) }) + 3
    for bit in 0..<6 {
      let at = place + bit, mask = UInt8(1) << (at % 8)
      bytes[start + at / 8] = bytes[start + at / 8] & ~mask | ((bits - 1) >> bit & 1 == 1 ? mask : 0)
    }
    return bytes
  }

  @Test("a file has the bits a sample that it states", arguments: [2, 9, 10, 12, 16])
  func depthIsTheFiles(bits: Int) throws {
    let source = try decodeImage(try Self.file(bits: bits), request: .metadata)
    #expect(source.bitDepth == bits && source.image.bitDepth == (bits > 8 ? 16 : 8))
  }

  @Test(
    .enabled(if: SharedData.hasMalformed, "skipped: no data"),
    arguments: ["jxl-codestream-header-only.jxl", "up-jxl-crash-bfd2220.jxl"])
  func malformedFilesAreOneError(name: String) throws {
    // Versions before 0.9 end the process there, which is a codec process in the program.
    guard JXL.isHard || !name.hasPrefix("up-") else { return }
    let bytes = try #require(SharedData.bytes("data/malformed/\(name)"))
    #expect(throws: DecodeError.self) { try decodeImage(bytes) }
  }
}
