import HDRCore
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// Gain maps of PNG files in `gmAP` and `gdAT`, on files built here and on those of `data/formats2`.
@Suite struct PNGGainMapTests {
  /// Metadata of a grey map: gains 0 to 2 stops, offsets 1/64.
  static let payload: [UInt8] =
    [0, 0, 0, 0, 0x40] + [0, 1, 2, 1, 0, 1, 2, 1, 1, 1, 1, 64, 1, 64].flatMap(TinyICC.word)

  static func map(
    width: Int = 2, height: Int = 1, depth: Int = 8, type: Int = 0, metadata: [UInt8]? = payload,
    more: [UInt8] = []
  ) -> [UInt8] {
    let row = [UInt8](repeating: 7, count: width * depth / 8 * (type == 2 ? 3 : type == 6 ? 4 : 1))
    let chunk = metadata.map { TinyPNG.chunk("gmAP", $0) } ?? []
    return TinyPNG.file(
      width: width, height: height, depth: depth, type: type, chunks: chunk + more,
      rows: [[UInt8]](repeating: row, count: height))
  }

  static func base(_ chunks: [UInt8]) -> [UInt8] {
    TinyPNG.file(width: 2, height: 1, depth: 8, type: 2, chunks: chunks, rows: [[1, 2, 3, 4, 5, 6]])
  }

  private func read(_ chunks: [UInt8]) throws -> (map: GainMap?, codes: [String]) {
    let source = try decodeImage(Self.base(chunks))
    #expect(samples(source.image.channels[0]) == [1, 4])
    return (source.gainMap, source.warnings.map(\.code))
  }

  private static let versions = TinyPNG.chunk("gmAP", [0, 0, 0, 0])

  @Test func mapsAreReadFromTheirChunks() throws {
    let found = try read(Self.versions + TinyPNG.chunk("gdAT", Self.map()))
    let map = try #require(found.map)
    #expect(found.codes.isEmpty && map.bindings == ["png-gdat"] && map.metadata.kind == .iso)
    #expect(map.metadata.rawPayload == Self.payload && map.metadata.alternateHeadroom == 2)
    #expect(samples(map.image.channels[0]) == [7, 7] && map.image.model == .grey && map.alternateColor == nil)
  }

  @Test("metadata of the base's gmAP count where the map has none")
  func outerMetadata() throws {
    let found = try read(TinyPNG.chunk("gmAP", Self.payload) + TinyPNG.chunk("gdAT", Self.map(metadata: nil)))
    #expect(found.map?.metadata.alternateHeadroom == 2 && found.codes.isEmpty)
    let none = try read(Self.versions + TinyPNG.chunk("gdAT", Self.map(metadata: nil)))
    #expect(none.map == nil && none.codes == ["gainmap.metadata"])
  }

  @Test("the profile of an RGB map is that of the alternate")
  func alternateColour() throws {
    let profile = TinyPNG.chunk("iCCP", Array("n".utf8) + [0, 0] + TinyPNG.stored(TinyICC.displayP3))
    let light = TinyPNG.chunk("cLLI", TinyICC.word(8_000_000) + TinyICC.word(1_000_000))
    let map = try #require(
      try read(Self.versions + TinyPNG.chunk("gdAT", Self.map(type: 2, more: profile + light))).map)
    #expect(map.alternateColor?.icc == TinyICC.displayP3 && map.image.channels.count == 3)
    #expect(map.alternateLight.clli == ContentLightLevel(maxCLL: 800, maxFALL: 100))
    let grey = try #require(try read(Self.versions + TinyPNG.chunk("gdAT", Self.map(more: profile))).map)
    #expect(grey.alternateColor == nil)
  }

  private static let faults: [(chunks: [UInt8], code: String)] = [
    (TinyPNG.chunk("gdAT", map()), "gainmap.metadata"),
    (TinyPNG.chunk("gmAP", [0, 0, 0]) + TinyPNG.chunk("gdAT", map()), "gainmap.truncated"),
    (TinyPNG.chunk("gmAP", [0, 1, 0, 1]) + TinyPNG.chunk("gdAT", map()), "gainmap.version"),
    (versions + TinyPNG.chunk("gdAT", [1, 2, 3]), "gainmap.decode"),
    (versions + TinyPNG.chunk("gdAT", Array(map().dropLast(20))), "gainmap.decode"),
    (versions + TinyPNG.chunk("gdAT", map(type: 6)), "gainmap.decode"),
    (versions + TinyPNG.chunk("gdAT", map(width: 3, height: 3)), "gainmap.decode"),
    (versions + TinyPNG.chunk("gdAT", map(metadata: Array(payload.prefix(20)))), "gainmap.truncated"),
    (TinyPNG.chunk("cICP", [9, 16, 0, 1]) + versions + TinyPNG.chunk("gdAT", map()), "gainmap.base"),
  ]

  @Test(arguments: faults.indices) func faultsOfAMapLeaveTheBase(index: Int) throws {
    let fault = Self.faults[index], found = try read(fault.chunks)
    #expect(found.map == nil && found.codes == [fault.code])
    #expect(GainMapWarnings.dropsMap(fault.code))
  }

  @Test func oddMapsAreUsedWithAWarning() throws {
    let data = TinyPNG.chunk("gdAT", Self.map())
    let twice = try read(Self.versions + data + TinyPNG.chunk("gdAT", Self.map(width: 1)))
    #expect(twice.map?.image.width == 2 && twice.codes == ["gainmap.several"])
    let nested = try read(Self.versions + TinyPNG.chunk("gdAT", Self.map(more: data)))
    #expect(nested.map != nil && nested.codes == ["gainmap.nested"])
    var file = Self.base([])
    // Length, name and CRC of IEND are its last 12 bytes.
    file.insert(contentsOf: Self.versions + data, at: file.count - 12)
    let late = try decodeImage(file)
    #expect(late.gainMap != nil && late.warnings.map(\.code) == ["gainmap.order"])
  }

  @Test(arguments: ["gmAP", "gdAT"]) func aWrongChecksumCostsTheMapAlone(name: String) throws {
    var chunks = Self.versions + TinyPNG.chunk("gdAT", Self.map())
    let end = name == "gmAP" ? Self.versions.count : chunks.count
    chunks[end - 1] ^= 1
    let found = try read(chunks)
    #expect(found.map == nil && found.codes == ["gainmap.damaged"])
    // All by libpng, too, which refuses such a chunk.
    let source = try PNGDecoder.decode(
      Self.base(chunks), request: .pixels, limits: DecodeLimits(), allByLibpng: true)
    #expect(samples(source.image.channels[0]) == [1, 4])
  }

  // MARK: Files of others

  private static let folder = "data/formats2/"

  @Test(.enabled(if: SharedData.url(folder + "expected.tsv") != nil, "skipped: no data"))
  func samplesOfAndroidsLayoutAreExact() throws {
    let table = String(decoding: try #require(SharedData.bytes(Self.folder + "expected.tsv")), as: UTF8.self)
    let rows = table.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
      .filter { $0[0].hasPrefix("png_gainmap/") && $0[1].hasSuffix("codes") }
    #expect(rows.count == 60)
    for (name, rows) in Dictionary(grouping: rows, by: { $0[0] }) {
      let source = try decodeImage(try #require(SharedData.bytes(Self.folder + name)))
      #expect(source.warnings.isEmpty, "\(name)")
      let map = try #require(source.gainMap?.image, "\(name)")
      for row in rows {
        let image = row[1].hasPrefix("map") ? map : source.image
        let (x, y) = (try #require(Int(row[5])), try #require(Int(row[6])))
        #expect(image.width == Int(row[3]) && image.height == Int(row[4]), "\(name)")
        let words = JXL.words(image), count = image.channels.count, start = (y * image.width + x) * count
        #expect(Array(words[start..<start + count]) == row[7...].compactMap { UInt16($0) }, "\(name) \(x) \(y)")
      }
    }
  }

  @Test(.enabled(if: SharedData.url("specs/formats-2026-vectors.json") != nil, "skipped: no vectors"))
  func metadataAreThoseOfTheVectors() throws {
    let vectors = try #require(
      SharedData.json("specs/formats-2026-vectors.json")?["png_gain_map"] as? [String: [String: String]])
    let example = try #require(
      vectors["example"]?["gmAP_inner grey min 0 max 2.5 gamma 1 offsets 1/64 headrooms 0, 2.5"])
    var warnings: [Warning] = []
    let metadata = try #require(parseISO21496(jpegPayload: hexBytes(example)[...], warnings: &warnings))
    #expect(metadata.max == [2.5, 2.5, 2.5] && metadata.min == [0, 0, 0] && metadata.alternateHeadroom == 2.5)
    for (_, vector) in vectors {
      guard let file = vector["file"], let hex = vector["gmAP_inner_hex"],
        let bytes = SharedData.bytes(Self.folder + "png_gainmap/" + file)
      else { continue }
      #expect(try decodeImage(bytes, request: .metadata).gainMap?.metadata.rawPayload == hexBytes(hex))
    }
  }

  private static let outcomes: [(file: String, hasMap: Bool, codes: [String])] = [
    ("png_gainmap/after_idat_64x48", true, ["gainmap.order"]),
    ("png_gainmap/cicp_pq_base_64x48", false, ["gainmap.base"]),
    ("png_gainmap/gmap_no_gdat_64x48", false, []),
    ("png_gainmap/no_gmap_64x48", false, ["gainmap.metadata"]),
    ("png_gainmap/outer_full_meta_64x48", true, []),
    ("png_gainmap/w3cnames_64x48", false, ["gainmap.png-private"]),
    ("malformed/gm_dev_cut_inner", false, ["gainmap.decode"]),
    ("malformed/gm_dev_denominator0", false, ["gainmap.invalid"]),
    ("malformed/gm_dev_jpeg_inside", false, ["gainmap.decode"]),
    ("malformed/gm_dev_map60000", false, ["gainmap.decode"]),
    ("malformed/gm_dev_meta_short", false, ["gainmap.truncated"]),
    ("malformed/gm_dev_minver1", false, ["gainmap.version"]),
    ("malformed/gm_dev_nested200", true, ["gainmap.nested", "gainmap.aspect"]),
    ("malformed/gm_dev_nested_twice", true, ["gainmap.nested"]),
  ]

  @Test(.enabled(if: SharedData.url(folder) != nil, "skipped: no data"), arguments: outcomes.indices)
  func filesOfTheSetEndAsTheirManifestSays(index: Int) throws {
    let row = Self.outcomes[index]
    let source = try decodeImage(try #require(SharedData.bytes(Self.folder + row.file + ".png")))
    #expect(source.image.width == 64 && (source.gainMap != nil) == row.hasMap, "\(row.file)")
    #expect(source.warnings.map(\.code) == row.codes, "\(row.file)")
  }
}
