import BatchEngine
import CPURender
import FileParts
import HDRCore
import HDRPlan
import HDRRender
import ImageFiles
import TestSupport
import Testing

/// ST 2094-50 metadata in ICC profiles of outputs (docs/light-metadata.md#hagc).
@Suite(.enabled(if: SharedData.hasImages, "skipped: no data"))
struct ProfileToneTests {
  private static let photo = "gainmap_jpeg/lamps.jpg", hdr = "png/made_pq_bt2020_rgb16_cicp_clli_mdcv.png"

  private static func make(
    _ path: String, _ kind: OutputKind, _ tone: LightStatements.ProfileTone,
    change: (inout BatchOptions) -> Void = { _ in }
  ) throws -> AdaptiveBatchTests.Output {
    try AdaptiveBatchTests.make(path, product: .rendition) {
      $0.rendition = RenditionOptions(kind: kind)
      $0.rendition.statements.profileTone = tone
      change(&$0)
    }
  }

  private static let kinds: [OutputKind] = [
    .pqPNG, .hlgPNG, .pqTIFF, .hlgTIFF, .linearTIFF, .pqHEIC, .hlgHEIC, .pqAVIF, .hlgAVIF, .pqJXL, .hlgJXL, .linearJXL,
  ].filter(\.isAvailable)

  @Test("the tag is in the profile of every kind of file, beside its code points", arguments: kinds)
  func everyKind(kind: OutputKind) throws {
    let output = try Self.make(Self.hdr, kind, .referenceWhite)
    #expect(output.record.status != .failed, "\(output.record.message ?? "")")
    let found = try decodeImage(output.bytes), facts = try #require(output.record.profileTone)
    #expect(facts.source == .referenceWhite && facts.bytes == 5 && facts.errors == nil)
    let profile = try ICCProfile(try #require(found.color.icc)), payload = try #require(try profile.toneMetadata())
    #expect(payload.count == 5 && found.light.toneMetadata == payload)
    let report = try #require(output.record.report)
    #expect(found.color.cicp?.transfer == report.outputCICP.transfer)
    #expect(found.color.cicp?.primaries == report.outputCICP.primaries)
    #expect(!found.warnings.contains { $0.code.hasPrefix("hagc.") })
  }

  @Test("curves of a photo with a gain map lead to its base", arguments: [OutputKind.pqPNG, .linearTIFF])
  func fit(kind: OutputKind) throws {
    let output = try Self.make(Self.photo, kind, .automatic)
    #expect(output.record.status != .failed, "\(output.record.message ?? "")")
    let facts = try #require(output.record.profileTone), errors = try #require(facts.errors)
    print("HAGC of \(Self.photo) in \(kind.rawValue): \(facts.points ?? 0) points, \(facts.bytes) bytes, \(errors)")
    #expect(facts.source == .fit && (2...16).contains(facts.points ?? 0))
    #expect(errors.stops.p50 < 0.05 && errors.stops.p95 < 0.3)
    let found = try decodeImage(output.bytes)
    let metadata = try #require(found.light.headroomAdaptive)
    #expect(metadata.alternates[0].headroom == 0 && metadata.staysInside)
    #expect(abs((metadata.baselineHeadroom ?? 0) - 2.99) < 0.1)
    // What reads it, reads the base's light, far nearer than by the usual operator.
    let json = output.record.json
    #expect(json["hagc"]?["source"]?.string == "fit" && json["hagc"]?["fit"]?["stops"]?["p95"] != nil)
  }

  @Test("a file's own metadata stay where the light is unchanged")
  func kept() throws {
    let path = try #require(SharedData.url("data/formats2/hagc/hagc_fitted_60x44.png")).path
    let bytes = try #require(SharedData.bytes("data/formats2/hagc/hagc_fitted_60x44.png"))
    let before = try #require(try decodeImage(bytes).light.toneMetadata)
    let same = try Self.make(path, .pqPNG, .automatic)
    #expect(same.record.profileTone?.source == .file)
    #expect(try decodeImage(same.bytes).light.toneMetadata == before)
    // For another display the light is another.
    let other = try Self.make(path, .pqPNG, .automatic) { $0.rendition.recipe.display = .headroom(Headroom(factor: 2)) }
    #expect(other.record.profileTone?.source == .referenceWhite)
    #expect(try decodeImage(other.bytes).light.toneMetadata != before)
    let given = try Self.make(path, .hlgPNG, .payload([0xb5, 0, 0x90, 0, 1, 0, 0x40, 0x4e, 0x20, 0x80]))
    #expect(try decodeImage(given.bytes).light.toneMetadata == [0, 0x40, 0x4e, 0x20, 0x80])
  }

  @Test("a message in the coded picture says the same as the profile")
  func message() throws {
    let output = try Self.make(Self.hdr, .pqAVIF, .payload([0, 0x40, 0x4e, 0x20, 0x80])) {
      $0.rendition.statements.tone = .referenceWhite
    }
    let found = try decodeImage(output.bytes)
    #expect(found.light.toneMetadata == [0, 0x40, 0x4e, 0x20, 0x80] && found.light.places[.toneMetadata] == .message)
    #expect(try ICCProfile(try #require(found.color.icc)).toneMetadata() == found.light.toneMetadata)
  }

  @Test("what no curve can say is refused by its code")
  func refusals() throws {
    let lossy = try Self.make(Self.hdr, .pqJXL, .referenceWhite) { $0.rendition.coding.quality = 90 }
    #expect(lossy.record.code == "hagc.lossy")
    let space = try Self.make(Self.hdr, .linearTIFF, .referenceWhite) {
      $0.rendition.recipe.target.space = NamedSpace.all.first { $0.name == "ACEScg" }
    }
    #expect(space.record.code == "hagc.transfer")
    let sdr = try Self.make("png/pngtest.png", .pqPNG, .referenceWhite)
    #expect(sdr.record.profileTone == nil && sdr.record.warnings.contains { $0.code == "hagc.none" })
  }

  /// The figures of docs/light-metadata.md.
  @Test("errors of fitted curves on files with gain maps are those of others' fits")
  func tenPairs() throws {
    // Names, and the stops at half and at 95 % of the pixels that a fit in another language had; of the last six it had
    // other renditions.
    let others: [(name: String, p50: Double, p95: Double)] = [
      ("lamps", 0.0053, 0.1677), ("memorial", 0.0114, 0.0729), ("output_uhdr_2", 0.0174, 0.1243),
      ("small_uhdr", 0.0339, 0.1354), ("made_iso_only_a", 6, 6), ("made_uhdr_pq", 6, 6),
      ("seine_sdr_gainmap_srgb", 6, 6),
      ("gain_mapped-photo-colorful_daisies", 6, 6), ("gain_mapped-test_chart-color_01", 6, 6),
      ("gain_mapped-text-sphinx_01", 6, 6),
    ]
    for other in others where SharedData.url("data/images/gainmap_jpeg/\(other.name).jpg") != nil {
      let output = try Self.make("gainmap_jpeg/\(other.name).jpg", .pqPNG, .fit(isForced: true))
      #expect(output.record.status != .failed, "\(other.name): \(output.record.message ?? "")")
      let errors = output.record.profileTone?.errors
      print("HAGC \(other.name): \(output.record.profileTone?.points ?? 0) points, \(errors.map { "\($0)" } ?? "none")")
      guard let errors else { continue }
      #expect(errors.stops.p50 < other.p50 + 0.03 && errors.stops.p95 < 1.5 * other.p95 + 0.05, "\(other.name)")
    }
  }

  // MARK: Light of the set

  private static func rows(_ file: String, _ what: String) throws -> [(x: Int, y: Int, rgb: [Double])] {
    let bytes = try #require(SharedData.bytes("data/formats2/expected.tsv"))
    var found: [(x: Int, y: Int, rgb: [Double])] = []
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let row = line.split(separator: "\t").map(String.init)
      guard row[0] == file, row[1].hasPrefix(what), let x = Int(row[5]), let y = Int(row[6]) else { continue }
      found.append((x, y, row[7...].compactMap { Double($0) }))
    }
    return found
  }

  /// Expects halves of light to be those of the table, within a rounding and `tolerance`.
  private static func expect(
    _ image: SampleImage, _ rows: [(x: Int, y: Int, rgb: [Double])], _ tolerance: Double
  ) {
    #expect(rows.count == 10)
    for row in rows {
      for (channel, want) in row.rgb.enumerated() {
        let plane = image.channels[channel]
        let found = (plane.buffer.base + plane.offset + row.y * plane.rowBytes + row.x * plane.stepBytes)
          .load(as: Float16.self)
        #expect(
          abs(Double(found) - want) <= tolerance + abs(want) * 0x1p-11, "\(row.x) \(row.y): \(found), want \(want)")
      }
    }
  }

  @Test(
    "gain maps of PNG give the light of their formula",
    .enabled(if: SharedData.url("data/formats2/expected.tsv") != nil, "skipped: no data"),
    arguments: ["png_gainmap/android_rgb_full_64x48.png", "png_gainmap/android_rgb16_full_64x48.png"])
  func appliedMaps(file: String) throws {
    let source = try decodeImage(try #require(SharedData.bytes("data/formats2/" + file)))
    let image = CPUBackend.best.render(
      try Planner.plan(
        source,
        RenderRecipe(
          target: OutputSignal(primaries: 1, encoding: .linear, sink: .rgba16f),
          display: .headroom(Headroom(stops: 2.654377)), tone: .none, gamut: .none)), threads: 1)
    Self.expect(image, try Self.rows(file, "HDR rendition"), 2e-4)
  }

  @Test(
    "fitted curves in a profile give the light of their formula",
    .enabled(if: SharedData.url("data/formats2/expected.tsv") != nil, "skipped: no data"))
  func appliedCurves() throws {
    let file = "hagc/hagc_fitted_60x44.png"
    let source = try decodeImage(try #require(SharedData.bytes("data/formats2/" + file)))
    #expect(source.warnings.isEmpty && source.light.places[.toneMetadata] == .profile)
    let image = CPUBackend.best.render(
      try Planner.plan(
        source,
        RenderRecipe(
          target: OutputSignal(primaries: 9, encoding: .linear, sink: .rgba16f), display: .headroom(.sdr),
          tone: .named(HeadroomAdaptiveTone.name, ToneValues()), gamut: .none)), threads: 1)
    Self.expect(image, try Self.rows(file, "linear BT.2020"), 2e-4)
  }

  @Test(
    "profiles whose tag cannot be used are read without it, with a warning",
    .enabled(if: SharedData.url("data/formats2/expected.tsv") != nil, "skipped: no data"),
    arguments: [
      ("malformed/dhagc_alts7", "hagc.invalid"), ("malformed/dhagc_minver1", "hagc.invalid"),
      ("malformed/dhagc_points32_cut", "hagc.invalid"), ("malformed/dhagc_size_long", "hagc.invalid"),
      ("malformed/dhagc_x_descending", "hagc.invalid"), ("hagc/hagc_on_sdr_cicp_60x44", "hagc.transfer"),
      ("hagc/hagc_no_cicp_hlg_60x44", nil), ("hagc/hagc_rwtmo_60x44", nil),
    ] as [(String, String?)])
  func tagsOfTheSet(file: String, code: String?) throws {
    let source = try decodeImage(try #require(SharedData.bytes("data/formats2/\(file).png")), request: .metadata)
    #expect((source.light.toneMetadata == nil) == (code != nil), "\(file)")
    #expect(source.warnings.map(\.code) == [code].compactMap(\.self), "\(file)")
  }

  @Test("Apple's private tag of a gain map is no metadata of ST 2094-50")
  func privateTag() throws {
    let bytes = try #require(SharedData.bytes("data/images/heic_gainmap/ios18_tmap_crop_1280x1792.heic"))
    let source = try decodeImage(bytes, request: .metadata), map = try #require(source.gainMap)
    let profile = try ICCProfile(try #require(map.alternateColor?.icc))
    #expect(profile.has("hdgm") && !profile.has("HAGC") && source.light.toneMetadata == nil)
    // It repeats the map's numbers as big-endian floats.
    func holds(_ value: Double) -> Bool {
      profile.bytes.indices.dropLast(3).contains { at in
        let word = profile.bytes[at..<at + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return abs(Double(Float(bitPattern: word)) - value) <= 1e-6 * value
      }
    }
    #expect(holds(map.metadata.gamma[0]) && holds(map.metadata.alternateHeadroom))
    #expect(holds(map.metadata.baseOffset[0]))
    guard let vectors = SharedData.json("specs/formats-2026-vectors.json")?["hdgm"] as? [String: [String: Any]] else {
      return
    }
    for (_, vector) in vectors {
      let values = try #require(vector["values"] as? [Double])
      let words = try #require(vector["float32 be"] as? [String: String])
      for (value, name) in zip(values, ["headroom", "gamma", "offset"]) {
        #expect(String(Float(value).bitPattern, radix: 16) == words[name])
      }
    }
  }
}
