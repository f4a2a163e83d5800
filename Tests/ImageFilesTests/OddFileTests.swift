import FileParts
import HDRCore
import HDRPlan
import ImageFiles
import TestFiles
import Testing

/// Files with data that is double, broken, or beyond the end: the picture is read, with a warning about that data.
@Suite struct OddFileTests {
  typealias B = HEIFBuilder

  private func codes(_ source: SourceImage) -> [String] { source.warnings.map(\.code) }

  private func heif(_ builder: HEIFBuilder, behind: [UInt8] = []) throws -> SourceImage {
    try HEIFDecoder.decode(builder.bytes + behind, request: .metadata, limits: DecodeLimits())
  }

  // MARK: Twice

  @Test("two colour chunks of a PNG: the first counts, with a warning", arguments: ["cICP", "gAMA", "cLLI"])
  func repeatedChunks(name: String) throws {
    let payloads: [String: [[UInt8]]] = [
      "cICP": [[9, 16, 0, 1], [1, 13, 0, 1]], "gAMA": [[0, 0, 0xB1, 0x8F], [0, 0, 0x80, 0]],
      "cLLI": [[0, 0x98, 0x96, 0x80, 0, 0, 0x27, 0x10], [0, 0x4C, 0x4B, 0x40, 0, 0, 0x27, 0x10]],
    ]
    let both = try #require(payloads[name])
    func read(_ chosen: [[UInt8]]) throws -> SourceImage {
      try decodeImage(
        TinyPNG.file(
          width: 1, height: 1, depth: 8, type: 2, chunks: chosen.flatMap { TinyPNG.chunk(name, $0) }, rows: [[1, 2, 3]])
      )
    }
    let one = try read([both[0]]), two = try read(both)
    #expect(codes(one).isEmpty && codes(two).filter { $0 == "png.repeated" }.count == 1)
    #expect(two.color.encoding == one.color.encoding && two.light.clli == one.light.clli)
    let message = try #require(two.warnings.first { $0.code == "png.repeated" }).message.description
    #expect(message.hasPrefix("2 \(name) chunks"))
  }

  @Test("of two gain maps with metadata of one kind the first counts, with a warning")
  func severalMaps() throws {
    func map(_ segments: [UInt8]) -> [UInt8] { splice(segments, into: TinyJPEG.grey) }
    let iso = segment(0xE2, TinyJPEG.isoIdentifier + HEIFGainMapTests.iso.serialized(for: .jpeg))
    let xmp = map(TinyJPEG.hdrgmSegment(max: "3.5"))
    #expect(codes(try decodeImage(TinyJPEG.color444 + map(iso) + xmp)).isEmpty)
    let isos = try decodeImage(TinyJPEG.color444 + map(iso) + map(iso))
    #expect(isos.gainMap?.metadata.kind == .iso && codes(isos) == ["gainmap.several"])
    let second = map(TinyJPEG.hdrgmSegment(max: "2"))
    let two = try decodeImage(TinyJPEG.color444 + xmp + second)
    #expect(two.gainMap?.metadata.max == [3.5, 3.5, 3.5] && codes(two) == ["gainmap.several"])
  }

  @Test func severalToneMapsGiveOneMapAndAWarning() throws {
    var builder = HEIFGainMapTests.file()
    builder.items.append(B.Item(id: 6, type: "tmap", data: builder.items[2].data, properties: [B.ispe(40, 30)]))
    builder.references.append(("dimg", 6, [1, 2]))
    // A group that does not prefer it leaves one.
    #expect(codes(try heif(builder)).isEmpty)
    builder.extra = [B.box("grpl", B.fullBox("altr", B.u32(9) + B.u32(3) + B.u32(3) + B.u32(6) + B.u32(1)))]
    let source = try heif(builder)
    #expect(source.gainMap?.metadata.kind == .iso && codes(source) == ["gainmap.several"])
  }

  // MARK: Broken

  @Test("a headroom of 1/0 in Apple's maker note is named, with and without a map")
  func brokenHeadroom() throws {
    let exif = TinyApple.exif(note: TinyApple.note(tag33: (1, 0)))
    let file = splice(segment(0xE1, Array("Exif\0\0".utf8) + exif), into: TinyJPEG.color444)
    #expect(codes(try decodeImage(file)) == ["gainmap.makernote"])
    let map = splice(
      segment(
        0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + TinyApple.packet(TinyApple.apple(headroom: "3"))),
      into: TinyJPEG.grey)
    let both = try decodeImage(file + map)
    #expect(both.gainMap?.metadata.apple?.headroom == 3 && codes(both) == ["gainmap.makernote"])
  }

  @Test("an Exif value beyond the data is named once")
  func exifValuesBeyondTheData() throws {
    func entry(_ tag: Int, _ count: Int, _ at: Int) -> [UInt8] { B.u16(tag) + B.u16(2) + B.u32(count) + B.u32(at) }
    func exif(_ entries: [[UInt8]]) -> [UInt8] {
      Array("MM\0*".utf8) + B.u32(8) + B.u16(entries.count) + entries.flatMap(\.self) + B.u32(0) + Array("words".utf8)
    }
    func read(_ entries: [[UInt8]]) throws -> [String] {
      codes(try decodeImage(splice(segment(0xE1, Array("Exif\0\0".utf8) + exif(entries)), into: TinyJPEG.color444)))
    }
    let end = 8 + 2 + 24 + 4
    #expect(try read([entry(0x10E, 5, end), entry(0x10F, 4, 0xFFFF_FFFF)]).isEmpty)
    #expect(try read([entry(0x10E, 6, end), entry(0x10F, 0xFFFF_FFFF, 8)]) == ["exif.value"])
    #expect(try read([entry(0x10E, 5, 0xFFFF_FFFF), entry(0x10F, 1, 0)]) == ["exif.value"])
  }

  @Test("a length of the container directory that is no number of bytes is named", arguments: ["-5", "x", "1e"])
  func containerLengths(text: String) throws {
    var file = TinyJPEG.withGainMap
    let start = try #require(file.firstRange(of: Array("I:Length=\"".utf8))?.upperBound)
    let end = try #require(file[start...].firstIndex(of: UInt8(ascii: "\"")))
    // As long as the number that it replaces: the index counts bytes.
    let padding = [UInt8](repeating: UInt8(ascii: "0"), count: end - start - text.utf8.count)
    file.replaceSubrange(start..<end, with: Array(text.utf8) + padding)
    let source = try decodeImage(file)
    #expect(source.gainMap != nil && codes(source) == ["gcontainer.number"])
  }

  @Test("properties that no picture needs are named", arguments: [("pixi", "heif.pixi"), ("irot", "heif.transforms")])
  func oddProperties(kind: String, code: String) throws {
    var builder = HEIFGainMapTests.file()
    builder.isWide = true
    #expect(codes(try heif(builder)).isEmpty)
    let isPixi = kind == "pixi"
    let boxes =
      isPixi
      ? [B.fullBox("pixi", [255] + [UInt8](repeating: 8, count: 255))]
      : [[UInt8]](repeating: B.box("irot", [1]), count: 200)
    builder.items[0].properties += boxes
    builder.items[1].properties += isPixi ? [] : boxes
    #expect(codes(try heif(builder)).contains(code))
  }

  @Test(
    "a directory below a TIFF picture that is the picture itself, or lies outside, is named", arguments: [true, false])
  func subDirectories(isLoop: Bool) throws {
    var builder = TIFFBuilder()
    (builder.width, builder.height, builder.samples) = (2, 1, [1, 2])
    let plain = codes(try decodeImage(builder.bytes))
    builder.extra = [(330, 4, [0])]
    let first = builder.bytes[4..<8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    builder.extra = [(330, 4, [isLoop ? first : 0xFFFF_FF00])]
    #expect(codes(try decodeImage(builder.bytes)) == plain + ["tiff.subifd"])
  }

  // MARK: Beyond the end

  @Test("a HEIF file that ends inside a box behind a whole picture is called truncated")
  func cutBoxes() throws {
    let builder = HEIFGainMapTests.file()
    #expect(codes(try heif(builder, behind: B.box("mdat", [1, 2, 3]))).isEmpty)
    #expect(codes(try heif(builder, behind: B.u32(1000) + Array("mdat".utf8) + [1, 2, 3])) == ["file.truncated"])
    // Bytes that are no box are no part of a box.
    #expect(codes(try heif(builder, behind: [0, 0, 0])).isEmpty)
  }

  @Test("a HEIF file whose items reach beyond its end is called truncated")
  func cutItems() throws {
    var builder = HEIFGainMapTests.file()
    builder.items.append(B.Item(id: 7, type: "av01", properties: [B.ispe(8, 8), HEIFGainMapTests.av1C]))
    builder.items[5].extent = (0, builder.bytes.count)
    #expect(codes(try heif(builder)).isEmpty)
    builder.items[5].extent = (8, builder.bytes.count)
    let source = try heif(builder)
    #expect(codes(source) == ["file.truncated"])
    #expect(source.warnings[0].message.description.contains("1 of its 6 items"))
  }

  @Test("a gain map in private chunks of a PNG is said to be ignored")
  func privateGainMap() throws {
    for chunks in [TinyPNG.chunk("gMAP", [0, 1]), TinyPNG.chunk("gDAT", [0, 1])] {
      let file = TinyPNG.file(width: 1, height: 1, depth: 8, type: 2, chunks: chunks, rows: [[1, 2, 3]])
      let source = try decodeImage(file)
      #expect(source.gainMap == nil && codes(source) == ["gainmap.png-private"])
    }
    #expect(GainMapWarnings.dropsMap("gainmap.png-private"))
  }
}
