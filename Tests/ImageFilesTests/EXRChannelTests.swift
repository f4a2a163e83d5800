import HDRCore
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// Tests which channels of OpenEXR files become the picture, and how.
@Suite struct EXRChannelTests {
  private func read(_ channels: [EXRBuilder.Channel]) throws -> (pixel: [Float], codes: [String], source: SourceImage) {
    var part = EXRBuilder.Part(channels, data: [0, 0, 1, 1])
    part.attributes = [("colorInteropID", "string", Array("lin_rec709_scene".utf8))]
    let source = try EXRTests.read(EXRTests.file(part))
    return (EXRTests.pixel(source, 1, 1), source.warnings.map(\.code), source)
  }

  @Test(
    "channels of other usual names are R, G, B and A",
    arguments: [
      ["red": 1, "green": 2, "blue": 3, "alpha": 0.5], ["r": 1, "g": 2, "b": 3, "a": 0.5],
      ["Red": 1, "G": 2, "B": 3, "A": 0.5, "Depth": 9],
    ] as [KeyValuePairs<String, Float>])
  func otherNames(_ values: KeyValuePairs<String, Float>) throws {
    let found = try read(EXRBuilder.constants(values))
    #expect(found.pixel == [1, 2, 3, 0.5] && found.codes.isEmpty)
  }

  @Test func usualNamesComeBeforeOthers() throws {
    let found = try read(EXRBuilder.constants(["R": 1, "G": 2, "B": 3, "red": 7, "r": 8]))
    #expect(found.pixel == [1, 2, 3] && found.source.pictures.map(\.name) == ["main", "r", "red"])
  }

  @Test func aMissingColourIsZeroWithAWarning() throws {
    for hasAlpha in [false, true] {
      let alpha = hasAlpha ? EXRBuilder.constants(["A": 1]) : []
      let found = try read(EXRBuilder.constants(["R": 1, "G": 2]) + alpha)
      #expect(found.pixel == [1, 2, 0] + (hasAlpha ? [1] : []) && found.codes == ["exr.channel-missing"])
      #expect("\(found.source.warnings[0].message)".contains("no channel B"))
    }
    let floats = ["G", "B"].map { EXRBuilder.Channel(name: $0, type: 2) { _, _ in Float(3).bitPattern } }
    #expect(try read(floats).pixel == [0, 3, 3])
  }

  @Test("a channel without colours is shown with a warning", arguments: ["G", "lum.mean", "mask"])
  func oneChannel(_ name: String) throws {
    let found = try read(
      ["Z", "id", name].map { channel in
        EXRBuilder.Channel(name: channel) { _, _ in EXRBuilder.half(channel == name ? 5 : 1) }
      })
    #expect(found.source.image.model == .grey && found.pixel == [5] && found.codes == ["exr.channel"])
    #expect("\(found.source.warnings[0].message)".contains(name))
  }

  @Test func greyHasOtherNames() throws {
    for name in ["Y", "grey", "luminance"] {
      let found = try read(EXRBuilder.constants([name: 2, "Z": 9]))
      #expect(found.source.image.model == .grey && found.pixel == [2] && found.codes.isEmpty, "\(name)")
    }
    // Y of coordinates is no luminance.
    #expect(try read(EXRBuilder.constants(["X": 1, "Y": 2, "Z": 3])).codes == ["exr.channel"])
  }

  @Test func integersAreNumbers() throws {
    let values: [String: UInt32] = ["R": 3, "G": 70_000, "B": .max]
    let found = try read(values.map { name, value in EXRBuilder.Channel(name: name, type: 0) { _, _ in value } })
    #expect(found.pixel == [3, 70_000, 0x1p20] && found.codes == ["exr.integers"])
    let one = try read([EXRBuilder.Channel(name: "id", type: 0) { x, y in UInt32(10 * y + x) }])
    #expect(one.pixel == [11] && one.codes == ["exr.integers"])
  }

  // MARK: ZSTD

  @Test("ZSTD of scan lines and tiles gives the words that were stored", arguments: [false, true])
  func zstd(isTiled: Bool) throws {
    let bytes = isTiled ? EXRFiles.zstdTiles : EXRFiles.zstdScanLines
    for (picture, value) in [
      (nil, { [Float($0) / 16, Float($0) / 8, 0.25] }), ("Z", { [0.375 * Float($0)] }),
      ("id", { [min(Float(70_001 * $0), 0x1p20)] }),
    ] as [(String?, (Int) -> [Float])] {
      let source = try EXRTests.read(bytes) { $0.reading.picture = picture }
      for y in 0..<5 {
        for x in 0..<9 { #expect(EXRTests.pixel(source, x, y) == value(x + 9 * y)) }
      }
    }
  }

  @Test func damagedZstdIsAnError() throws {
    let whole = EXRFiles.zstdScanLines
    let chunk = try #require(
      (0..<whole.count - 8).first { whole[$0..<$0 + 8].elementsEqual("zstd-exr".utf8) })
    for (at, value) in [(0, 0), (8, 9), (12, 2), (16, 255), (24, 0), (28, 0xff)] {
      var file = whole
      file[chunk + at] = UInt8(value)
      let error = EXRTests.refused(file)
      #expect(["decode.malformed", "decode.unsupported"].contains(error?.code), "byte \(at)")
    }
  }

  // MARK: HTJ2K

  private static let hasOpenJPEG = codecLibraries().contains { $0.name == "OpenJPEG" && $0.version != nil }

  @Test("HTJ2K gives the words that were stored", .enabled(if: hasOpenJPEG, "skipped: no OpenJPEG"))
  func htj2k() throws {
    let source = try EXRTests.read(EXRFiles.htj2k)
    for (x, y) in [(0, 0), (39, 0), (20, 0), (7, 11), (39, 23)] {
      let red = Float(x + y - 20) / 16
      #expect(EXRTests.pixel(source, x, y) == [red, 2 * red, 0.25], "\(x), \(y)")
    }
  }

  @Test(.enabled(if: SharedData.url("specs/formats-2026-vectors.json") != nil, "skipped: no vectors"))
  func chunksBeginAsTheVectorsSay() throws {
    let vectors = try #require(SharedData.json("specs/formats-2026-vectors.json")?["exr_new"] as? [String: Any])
    let head = hexBytes(try #require(vectors["htj2k_chunk_header_rgb"] as? String))
    #expect(EXRFiles.htj2k.indices.contains { EXRFiles.htj2k[$0...].starts(with: head + [0xFF, 0x4F, 0xFF, 0x51]) })
    // "openjpeg value v<0 -> word = -32769 - v; example -11552 -> -21217 (0xad1f)"
    #expect(try #require(vectors["negative_fix"] as? String).contains("-11552 -> -21217 (0xad1f)"))
    #expect(EXRWordCurves(components: 1).word(-11_552, of: 0) == 0xAD1F)
  }

  @Test("damaged heads of HTJ2K are errors", .enabled(if: hasOpenJPEG, "skipped: no OpenJPEG"))
  func damagedHTJ2K() throws {
    let whole = EXRFiles.htj2k
    let chunk = try #require(
      (0..<whole.count - 6).first { whole[$0..<$0 + 6].elementsEqual([0x48, 0x54, 0, 0, 0, 8]) })
    // The length and number of components, a channel twice, and of the code stream width, offset, count and signs.
    for (at, value) in [(0, 0), (5, 200), (7, 4), (9, 0), (14, 0), (25, 41), (33, 1), (53, 4), (54, 0x0f), (55, 2)] {
      var file = whole
      file[chunk + at] = UInt8(value)
      let code = EXRTests.refused(file)?.code
      #expect(code == "decode.malformed" || code == "decode.library", "byte \(at): \(code ?? "none")")
    }
  }

  @Test("words of LJ2K go through the table of their component, and negative ones are complements")
  func wordsOfLJ2K() throws {
    func big(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }
    func head(_ kind: Int, _ more: [UInt8] = []) -> [UInt8] {
      [0xFF, 0x4F, 0xFF, 0x76] + big(6 + more.count, 2) + [0, 1, 0x8F, UInt8(kind)] + more + [0xFF, 0x90]
    }
    func table(_ intervals: Int, high: Int = 0xFFFF_FFFF, _ values: [Int]) -> [UInt8] {
      head(4, big(intervals, 2) + big(0, 4) + big(high, 4) + [16] + values.flatMap { big($0, 2) })
    }
    func curves(_ bytes: [UInt8]) throws -> EXRWordCurves { try EXRWordCurves(bytes[...], components: 2, place: "") }
    let found = try curves(table(2, [1024, 32_768, 64_512]))
    let words = [16_384, -16_384, 0, -32_768, 70_000].map { found.word($0, of: 1) }
    #expect(words == [15_872, 0xBDFF, 0, 0xFBFF, 31_743])
    for plain in [found, try curves(head(3)), EXRWordCurves(components: 1)] {
      #expect([5, 0, -1, -6].map { plain.word($0, of: 0) } == [5, 0, 0x8000, 0x8005])
    }
    for fault in [head(1), table(2, [1, 2]), table(0, [1]), table(1, high: 9, [1, 2]), head(3).dropLast(2)] {
      #expect(throws: DecodeError.self) { try curves(Array(fault)) }
    }
    #expect(throws: DecodeError.self) { try EXRWordCurves(head(3)[...], components: 1, place: "") }
  }

  @Test(
    "files of OpenEXR 3.5 have the words of its own reader, but for the roundings of lossy ones",
    .enabled(if: SharedData.url("data/formats2/expected.tsv") != nil, "skipped: no data"),
    .enabled(if: hasOpenJPEG, "skipped: no OpenJPEG"))
  func newCompressions() throws {
    let table = String(decoding: try #require(SharedData.bytes("data/formats2/expected.tsv")), as: UTF8.self)
    var rows = 0
    for line in table.split(separator: "\n") where line.hasPrefix("exr/") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      let source = try EXRTests.read(try #require(SharedData.bytes("data/formats2/" + fields[0])))
      let (x, y) = (try #require(Int(fields[5])), try #require(Int(fields[6])))
      for channel in 0..<3 {
        let word = try #require(Float16(fields[7 + channel])).bitPattern
        // OpenJPEG rounds to integers before the curve of LJ2K, of which a step is up to 25 words.
        let found = EXRTests.bits(source, channel, x, y), allowed = line.hasPrefix("exr/lj2k") ? 13 : 0
        #expect(abs(Int(found) - Int(word)) <= allowed, "\(fields[0]) \(x), \(y): \(found), \(word)")
      }
      rows += 1
    }
    #expect(rows == 50)
  }
}
