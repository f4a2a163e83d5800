import HDRCore
import HDRPlan
import ImageFiles
import Testing

/// PNG outputs: exact samples back through libpng, chunks byte for byte as W3C PNG has them.
@Suite struct WriterPNGTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var width: Int, height: Int
    var testDescription: String { "\(width)x\(height)" }
  }

  static let sizes = [
    Case(width: 1, height: 1), Case(width: 7, height: 5), Case(width: 1, height: 40),
    Case(width: 61, height: 3), Case(width: 301, height: 200),
  ]

  @Test(arguments: sizes, [0, 1, 2, 3, 4, 6, 9])
  func samplesComeBackExactly(size: Case, effort: Int) throws {
    for kind in [OutputKind.pqPNG, .sdrPNG] {
      for hasAlpha in [false, true] {
        let image = Writer.picture(for: kind, size.width, size.height)
        var request = Writer.request(kind, image, hasAlpha: hasAlpha)
        request.coding.pngEffort = effort
        let files = try encodeImage(request)
        try verifyEncoded(files, request)
        let read = try decodeImage(files.main).image
        #expect(read.bitDepth == (kind == .pqPNG ? 16 : 8))
        #expect((read.alpha != nil) == hasAlpha)
        let planes = hasAlpha ? image.channels + [try #require(image.alpha)] : image.channels
        let found = hasAlpha ? read.channels + [try #require(read.alpha)] : read.channels
        for (written, read) in zip(planes, found) {
          if kind == .pqPNG {
            #expect(words16(written) == words16(read))
          } else {
            #expect(samples(written) == samples(read))
          }
        }
      }
    }
  }

  @Test func largePicturesSpanSeveralChunks() throws {
    let image = Writer.rgba(1100, 500, .uint16)
    for effort in [1, 4] {
      var request = Writer.request(.pqPNG, image)
      request.coding.pngEffort = effort
      let png = try encodeImage(request).main
      #expect(Self.chunks(png).filter { $0.type == "IDAT" }.count >= 2)
      let read = try decodeImage(png).image
      #expect(zip(image.channels, read.channels).allSatisfy { words16($0) == words16($1) })
    }
  }

  @Test func rowsMayHavePadding() throws {
    let dense = Writer.rgba(5, 4, .uint16)
    let row = 5 * 8 + 24
    let buffer = PixelBuffer(byteCount: 16 + row * 4)
    for y in 0..<4 {
      (buffer.base + 16 + y * row).copyMemory(from: dense.channels[0].buffer.base + y * 40, byteCount: 40)
    }
    var padded = dense
    func plane(_ index: Int) -> SamplePlane {
      SamplePlane(buffer: buffer, offset: 16 + 2 * index, rowBytes: row, stepBytes: 8, width: 5, height: 4)
    }
    padded.channels = (0..<3).map(plane)
    padded.alpha = plane(3)
    let one = try encodeImage(Writer.request(.pqPNG, dense, hasAlpha: true)).main
    let other = try encodeImage(Writer.request(.pqPNG, padded, hasAlpha: true)).main
    #expect(one == other)
  }

  @Test("a PQ PNG has cICP, cLLI and mDCV before its pixels")
  func chunksOfPQ() throws {
    var request = Writer.request(.pqPNG, Writer.rgba(3, 2, .uint16))
    request.clli = Writer.hdr10Light
    request.mdcv = Writer.p3Mastering
    request.xmp = Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'></x:xmpmeta>".utf8)
    request.exif = TinyExif.orientation(6, littleEndian: false)
    let files = try encodeImage(request)
    try verifyEncoded(files, request)
    let png = files.main
    #expect(
      Self.chunks(png).map(\.type) == ["IHDR", "cICP", "mDCV", "cLLI", "iCCP", "eXIf", "iTXt", "IDAT", "IEND"])
    // Whole chunks with their CRC.
    #expect(Writer.contains(png, "00000004 63494350 09100001 4D2323FE"))
    #expect(Writer.contains(png, "00000008 634C4C49 00989680 003D0900 557311D0"))
    #expect(
      Writer.contains(
        png,
        "00000018 6D444356 84D03E80 33C286C4 1D4C0BB8 3D134042 00989680 00000032 F2CC5BF0"))
    let read = try decodeImage(png, request: .metadata)
    #expect(read.light.clli == Writer.hdr10Light)
    #expect(read.geometry.orientation == .up)
    #expect(read.exif == TinyExif.orientation(1, littleEndian: false))
    #expect(read.xmp == request.xmp)
    #expect(read.color.iccDescription == "BT.2100 PQ")
  }

  @Test func hlgHasNoMasteringDisplay() throws {
    var request = Writer.request(.hlgPNG, Writer.rgba(3, 2, .uint16))
    request.mdcv = Writer.p3Mastering
    let png = try encodeImage(request).main
    #expect(Writer.contains(png, "00000004 63494350 09120001 4EA7F790"))
    #expect(Self.chunks(png).map(\.type) == ["IHDR", "cICP", "iCCP", "IDAT", "IEND"])
  }

  @Test func anUnknownLightLevelIsNotWritten() throws {
    var request = Writer.request(.pqPNG, Writer.rgba(3, 2, .uint16))
    request.clli = ContentLightLevel(maxCLL: 0, maxFALL: 0)
    #expect(!Self.chunks(try encodeImage(request).main).map(\.type).contains("cLLI"))
  }

  @Test func bytesAreTheSameEveryTime() throws {
    for effort in [1, 3, 5] {
      var request = Writer.request(.pqPNG, Writer.rgba(200, 150, .uint16))
      request.coding.pngEffort = effort
      let first = try encodeImage(request).main
      request.threads = 4
      #expect(try encodeImage(request).main == first)
    }
  }

  @Test func moreEffortIsNotLarger() throws {
    let image = Writer.rgba(256, 256, .uint8)
    let sizes = try [1, 6, 9].map { effort in
      var request = Writer.request(.sdrPNG, image)
      request.coding.pngEffort = effort
      return try encodeImage(request).main.count
    }
    #expect(sizes[1] <= sizes[0] && sizes[2] <= sizes[1])
  }

  @Test func wrongLayoutsAreRefused() throws {
    #expect(throws: EncodeError.self) { try encodeImage(Writer.request(.pqPNG, Writer.rgba(3, 2, .uint8))) }
    #expect(throws: EncodeError.self) { try encodeImage(Writer.request(.sdrPNG, Writer.rgba(3, 2, .uint16))) }
    #expect(throws: EncodeError.self) { try encodeImage(Writer.request(.pqPNG, Writer.planar(4, 4, .s444))) }
    var narrow = Writer.request(.pqPNG, Writer.rgba(3, 2, .uint16))
    narrow.cicp.fullRange = false
    #expect(throws: EncodeError.unsupported(feature: "PNG range", found: "narrow range")) {
      try encodeImage(narrow)
    }
    var short = Writer.rgba(3, 2, .uint16)
    let small = PixelBuffer(byteCount: 47)
    for index in 0..<3 { short.channels[index].buffer = small }
    #expect(throws: EncodeError.self) { try encodeImage(Writer.request(.pqPNG, short)) }
  }

  @Test(.enabled(if: Writer.tool("exiftool") != nil, "skipped: no exiftool"))
  func exiftoolReadsTheSame() throws {
    var request = Writer.request(.pqPNG, Writer.rgba(31, 17, .uint16))
    request.clli = Writer.hdr10Light
    let png = try encodeImage(request).main
    let text = try Writer.run(
      try #require(Writer.tool("exiftool")),
      [
        "-s", "-n", "-ImageWidth", "-ImageHeight", "-BitDepth", "-ColorPrimaries", "-TransferCharacteristics",
        "-ProfileDescription", "-Warning", "-Error", "%",
      ], on: png, suffix: "png")
    let lines = text.split(separator: "\n").map {
      $0.split(separator: ":").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    let values = Dictionary(lines.map { ($0[0], $0[1]) }) { first, _ in first }
    #expect(values["ImageWidth"] == "31" && values["ImageHeight"] == "17" && values["BitDepth"] == "16")
    #expect(values["ColorPrimaries"] == "9" && values["TransferCharacteristics"] == "16")
    #expect(values["ProfileDescription"] == "BT.2100 PQ")
    #expect(values["Warning"] == nil && values["Error"] == nil)
  }

  static func chunks(_ png: [UInt8]) -> [(type: String, size: Int)] {
    var result: [(type: String, size: Int)] = []
    var at = 8
    while at + 12 <= png.count {
      let size = png[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      result.append((String(decoding: png[at + 4..<at + 8], as: UTF8.self), size))
      at += size + 12
    }
    return result
  }
}
