import HDRCore
import TestSupport
import Testing

/// Apple's map: kinds apple_stops, apple_stops_real, apple_inverse, apple_transfer, apple_apply, convert and
/// convert_exact of the gain-map vectors, and the rules that choose a headroom.
@Suite struct AppleGainMapTests {
  let vectors = SharedData.json("specs/gain-map-vectors.json")?["vectors"] as? [[String: Any]] ?? []

  func all(_ kind: String) -> [(id: String, input: [String: Any], output: [String: Any], tolerance: Double)] {
    vectors.filter { $0["kind"] as? String == kind }.map {
      (
        $0["id"] as? String ?? "", $0["in"] as? [String: Any] ?? [:], $0["out"] as? [String: Any] ?? [:],
        $0.number("tol")
      )
    }
  }

  // MARK: Maker note

  @Test(.enabled(if: SharedData.hasVectors, "skipped: no data"))
  func tagsGiveTheStopsOfTheVectors() {
    #expect(all("apple_stops").count == 15)
    for v in all("apple_stops") {
      let tag48 = v.input["tag48"] as? Double
      let apple = AppleGainMap(tag33: v.input.number("tag33"), tag48: tag48)
      let stops = AppleHeadroom.stops(tag33: v.input.number("tag33"), tag48: tag48 ?? 0)
      expectClose(stops, v.output.number("stops"), abs: v.tolerance, rel: 0, v.id)
      expectClose(apple.headroom ?? .nan, v.output.number("headroom"), abs: v.tolerance, rel: 0, v.id)
      #expect(apple.rule == (tag48 == nil ? .makerNoteTag33 : .makerNote), "\(v.id)")
    }
  }

  @Test(.enabled(if: SharedData.hasVectors, "skipped: no data"))
  func tagsOfARealFileAgreeWithItsXMP() throws {
    let v = try #require(all("apple_stops_real").first)
    func ratio(_ key: String) throws -> Double {
      let pair = try #require(v.input[key] as? [Int])
      return Double(pair[0]) / Double(pair[1])
    }
    let note = AppleGainMap(tag33: try ratio("tag33_nd"), tag48: try ratio("tag48_nd"))
    let stated = v.input.number("xmp_headroom")
    expectClose(
      note.headroom ?? .nan, v.output.number("headroom_published_constants"), abs: v.tolerance, rel: 0, v.id)
    // What the XMP says differs by the rounding of the published lines.
    expectClose(note.headroom ?? .nan, stated, abs: 0, rel: 1e-4, v.id)
    let both = AppleGainMap(
      version: 131_072, xmpHeadroom: stated, tag33: try ratio("tag33_nd"), tag48: try ratio("tag48_nd"))
    #expect(both.headroom == stated && both.rule == .xmp)
  }

  @Test(.enabled(if: SharedData.hasVectors, "skipped: no data"))
  func headroomsGiveTheTagsOfTheVectors() {
    #expect(all("apple_inverse").count == 5)
    for v in all("apple_inverse") {
      let tags = AppleHeadroom.tags(stops: ExactMath.log2(v.input.number("headroom")))
      expectClose(tags.tag33, v.output.number("tag33"), abs: v.tolerance, rel: 0, v.id)
      expectClose(tags.tag48, v.output.number("tag48"), abs: v.tolerance, rel: 0, v.id)
      let again = AppleGainMap(tag33: tags.tag33, tag48: tags.tag48).headroom ?? .nan
      expectClose(again, v.output.number("headroom_again"), abs: v.tolerance, rel: 0, v.id)
    }
  }

  @Test func tagsGiveTheirStopsBack() {
    for i in 0...3000 {
      let stops = Double(i) / 1000, tags = AppleHeadroom.tags(stops: stops)
      #expect(tags.tag48 >= 0)
      expectClose(AppleHeadroom.stops(tag33: tags.tag33, tag48: tags.tag48), stops, abs: 3.01e-5, rel: 0)
    }
    let most = AppleHeadroom.tags(stops: 5)
    #expect(AppleHeadroom.stops(tag33: most.tag33, tag48: most.tag48) == 3)
  }

  // MARK: Which headroom

  @Test func xmpGoesBeforeTheMakerNoteUnlessItSaysNoHDR() {
    func decided(_ xmp: Double?, _ a: Double?, _ b: Double?) -> (Double?, AppleGainMap.Rule) {
      let map = AppleGainMap(xmpHeadroom: xmp, tag33: a, tag48: b)
      return (map.headroom, map.rule)
    }
    #expect(decided(4, 1, 0) == (4, .xmp))
    // XMP that says "no HDR" leaves the word to the maker note; alone it counts.
    #expect(decided(1, 1, 0) == (8, .makerNote))
    #expect(decided(1, nil, nil) == (1, .xmp))
    #expect(decided(0.5, nil, 0.3) == (1, .xmp))
    #expect(decided(nil, 1, nil) == (8, .makerNoteTag33))
    // Tag 48 alone says nothing.
    #expect(decided(nil, nil, 0) == (nil, .unknown))
    #expect(decided(nil, nil, nil) == (nil, .unknown))
    // Headrooms that no display has.
    #expect(decided(1e9, nil, nil) == (nil, .unknown))
    #expect(decided(nil, 0, -1e6) == (nil, .unknown))
    #expect(decided(nil, 1.2, 9) == (1, .makerNote))
    let given = AppleGainMap(headroom: Headroom(stops: 2))
    #expect((given.headroom, given.rule) == (4, .given))
  }

  @Test func metadataOfAMapWithoutHeadroomIsIncomplete() {
    let unknown = GainMapMetadata(AppleGainMap(version: 65_536))
    #expect(!unknown.isComplete && unknown.alternateHeadroom == 0 && unknown.apple?.isoMetadata == nil)
    let known = GainMapMetadata(AppleGainMap(xmpHeadroom: 8))
    #expect(known.isComplete && abs(known.alternateHeadroom - 3) < 1e-15 && known.usesBaseColorSpace)
    // Its codes are no ISO codes: nothing may write them as such.
    #expect(ISO21496(known) == nil)
  }

  @Test("a cap lowers the headroom of Apple's maps alone")
  func cappedHeadrooms() {
    func capped(_ metadata: GainMapMetadata, _ cap: Double) -> GainMapMetadata? {
      let image = SampleImage.planar(width: 1, height: 1, model: .grey, format: .uint8, bitDepth: 8)
      var source = SourceImage(
        format: .heic, image: image,
        color: SourceColor(matrix: 0, fullRange: true, encoding: .cicp(primaries: 12, transfer: 13)),
        geometry: Geometry(width: 1, height: 1))
      source.gainMap = GainMap(
        metadata: metadata, image: image, matrix: 0, fullRange: true, alternateColor: nil, bindings: ["aux"])
      source.capAppleHeadroom(at: Headroom(factor: cap))
      return source.gainMap?.metadata
    }
    let apple = GainMapMetadata(AppleGainMap(version: 65_536, xmpHeadroom: 8))
    let low = capped(apple, 4)
    #expect(low?.apple?.headroom == 4 && low?.alternateHeadroom == 2 && low?.apple?.version == 65_536)
    #expect(capped(apple, 8) == apple)
    let unknown = GainMapMetadata(AppleGainMap())
    #expect(capped(unknown, 4) == unknown)
    let iso = GainMapMetadata(kind: .iso, baseHeadroom: 0, alternateHeadroom: 3, min: [0, 0, 0], max: [3, 3, 3])
    #expect(capped(iso, 4) == iso)
  }

  /// Files of iOS 18 and 26 hold one map as Apple's and as ISO 21496-1.
  @Test(.enabled(if: SharedData.url("specs/formats-2026-vectors.json") != nil, "skipped: no vectors"))
  func transfersAreAsFarFromApplesOwnTwinAsTheVectorsSay() throws {
    let file = try #require(SharedData.json("specs/formats-2026-vectors.json"))
    let twins = try #require(file["apple_map_twin"] as? [[String: Any]])
    #expect(twins.count == 2)
    for twin in twins {
      let stops = twin.number("headroom_stops"), gamma = twin.number("iso_gamma")
      let rms = try #require(twin["rms_stops"] as? [String: Any]),
        most = try #require(twin["max_stops"] as? [String: Any])
      for transfer in AppleMapTransfer.allCases {
        let apple = AppleGainMap(xmpHeadroom: ExactMath.exp2(stops))
        let errors = (0...255).map { code in
          let value = Double(code) / 255
          return apple.log2Gain(value, transfer: transfer) - stops * ExactMath.pow(value, 1 / gamma)
        }
        let mean = (errors.reduce(0) { $0 + $1 * $1 } / 256).squareRoot()
        expectClose(mean, rms.number(transfer.rawValue), abs: 6e-5, rel: 0, transfer.rawValue)
        expectClose(errors.map(abs).max() ?? 0, most.number(transfer.rawValue), abs: 6e-5, rel: 0, transfer.rawValue)
      }
    }
    let middle = try #require(file["apple_map_code128"] as? [String: Any])
    for transfer in AppleMapTransfer.allCases where middle[transfer.rawValue] != nil {
      expectClose(transfer.decode(128.0 / 255), middle.number(transfer.rawValue), abs: 1e-12, rel: 0, transfer.rawValue)
    }
  }

  // MARK: Formula

  @Test(.enabled(if: SharedData.hasVectors, "skipped: no data"))
  func transfersDecodeCodesAsTheVectorsSay() {
    #expect(all("apple_transfer").count == 12)
    for v in all("apple_transfer") {
      // A power of 2.2 has vectors of its own.
      for transfer in AppleMapTransfer.allCases where transfer != .pow22 {
        let want = v.output.number(transfer.rawValue)
        expectClose(transfer.decode(v.input.number("code") / 255), want, abs: v.tolerance, rel: 0, v.id)
      }
    }
  }

  @Test(.enabled(if: SharedData.hasVectors, "skipped: no data"))
  func appliedMapsGiveTheLightOfTheVectors() throws {
    #expect(all("apple_apply").count == 7)
    for v in all("apple_apply") {
      let apple = AppleGainMap(xmpHeadroom: v.input.number("headroom")), code = v.input.number("code")
      let target = v.input["target_headroom_linear"] as? Double
      let display = Headroom(factor: target ?? v.input.number("headroom"))
      for transfer in AppleMapTransfer.allCases where transfer != .pow22 {
        let want = try #require(v.output[transfer.rawValue] as? [String: Any])
        for (partial, key) in [(ApplePartialHeadroom.capped, "full_or_capped"), (.geometric, "geometric")] {
          if partial == .geometric && target == nil { continue }
          let got = v.input.numbers("base_linear").map {
            apple.applied(to: $0, value: code / 255, display: display, transfer: transfer, partial: partial)
          }
          expectClose(got, want.numbers(key), abs: v.tolerance, rel: 1e-12, "\(v.id) \(transfer) \(key)")
        }
        // What the vectors call the mistake: Apple's codes in the ISO formula.
        let mistaken = GainMapMetadata(
          kind: .iso, baseHeadroom: 0, alternateHeadroom: ExactMath.log2(v.input.number("headroom")), min: [0, 0, 0],
          max: [Double](repeating: ExactMath.log2(v.input.number("headroom")), count: 3), baseOffset: [0, 0, 0],
          alternateOffset: [0, 0, 0])
        let weight = GainMapWeight.weight(base: 0, alternate: mistaken.alternateHeadroom, display: display.stops)
        let wrong = v.input.numbers("base_linear").map {
          mistaken.applied(
            to: $0, log2Gain: mistaken.log2Gain(code / 255, channel: 0), weight: weight, channel: 0)
        }
        expectClose(wrong, want.numbers("iso_approximation"), abs: v.tolerance, rel: 1e-12, v.id)
      }
    }
  }

  @Test func partialHeadroomsMeetAtBothEnds() {
    let apple = AppleGainMap(xmpHeadroom: 8)
    for code in stride(from: 0.0, through: 255, by: 5) {
      for partial in ApplePartialHeadroom.allCases {
        #expect(apple.applied(to: 0.3, value: code / 255, display: .sdr, partial: partial) == 0.3)
        let full = apple.applied(to: 0.3, value: code / 255, display: Headroom(stops: 3), partial: partial)
        let beyond = apple.applied(to: 0.3, value: code / 255, display: Headroom(stops: 9), partial: partial)
        expectClose(full, 0.3 * (1 + 7 * AppleMapTransfer.bt709.decode(code / 255)), abs: 1e-13, rel: 0)
        expectClose(beyond, full, abs: 1e-13, rel: 0)
      }
    }
  }

  // MARK: As ISO 21496-1

  @Test(.enabled(if: SharedData.hasVectors, "skipped: no data"))
  func conversionToISOFollowsTheVectors() throws {
    let like = try #require(all("convert").first)
    let metadata = try #require(AppleGainMap(xmpHeadroom: like.input.number("apple_headroom")).isoMetadata)
    #expect(metadata.kind == .iso && metadata.apple == nil)
    for (got, key) in [
      (metadata.min, "min"), (metadata.max, "max"), (metadata.gamma, "gamma"), (metadata.baseOffset, "base_offset"),
      (metadata.alternateOffset, "alternate_offset"),
    ] {
      let want = try #require(like.output.numbers(key).first)
      expectClose(got, [want, want, want], abs: like.tolerance, rel: 0, key)
    }
    expectClose(metadata.alternateHeadroom, like.output.number("alternate_headroom"), abs: like.tolerance, rel: 0)
    #expect(metadata.baseHeadroom == like.output.number("base_headroom"))

    let exact = try #require(all("convert_exact").first)
    let apple = AppleGainMap(xmpHeadroom: exact.input.number("apple_headroom"))
    let rows = try #require(exact.output["table"] as? [[String: Any]])
    #expect(rows.count == 5)
    for row in rows {
      let code = try #require(row["apple_code"] as? Int)
      expectClose(
        apple.log2Gain(Double(code) / 255), row.number("log2_gain"), abs: exact.tolerance, rel: 0, "\(code)")
      #expect(apple.isoCode(code, bits: 8) == row["iso_code_8bit"] as? Int, "\(code)")
    }
  }

  /// Ten bits hold what eight bits of Apple's map said, to half a step of theirs in stops.
  @Test(arguments: [1.5, 3.482202, 8, 40]) func tenBitsKeepTheLight(headroom: Double) throws {
    let apple = AppleGainMap(xmpHeadroom: headroom), iso = try #require(apple.isoMetadata)
    let step = iso.max[0] / 1023
    for code in 0...255 {
      let back = iso.log2Gain(Double(apple.isoCode(code)) / 1023, channel: 0)
      #expect(abs(back - apple.log2Gain(Double(code) / 255)) <= step / 2 + 1e-12)
    }
    #expect(apple.isoCode(0) == 0 && apple.isoCode(255) == 1023)
  }

  @Test func withoutHDRTheConvertedMapIsEmpty() {
    let apple = AppleGainMap(xmpHeadroom: 1)
    #expect((0...255).allSatisfy { apple.isoCode($0) == 0 } && apple.isoMetadata?.max == [0, 0, 0])
  }
}

/// Kinds apply_swap and matrix of the vectors.
@Suite(.enabled(if: SharedData.hasVectors, "skipped: no data"))
struct GainMapDirectionTests {
  let vectors = SharedData.json("specs/gain-map-vectors.json")?["vectors"] as? [[String: Any]] ?? []

  /// A map with either rendition as the base: weight 1 and weight -1 undo each other.
  @Test func mapsWithSwappedBasesUndoEachOther() throws {
    let v = try #require(vectors.first { $0["kind"] as? String == "apply_swap" })
    let input = try #require(v["in"] as? [String: Any]), output = try #require(v["out"] as? [String: Any])
    func metadata(_ key: String) throws -> GainMapMetadata {
      let m = try #require(input[key] as? [String: Any])
      func rows(_ name: String) -> [Double] { [Double](repeating: m.numbers(name)[0], count: 3) }
      return GainMapMetadata(
        kind: .iso, baseHeadroom: m.number("base_headroom"), alternateHeadroom: m.number("alternate_headroom"),
        min: rows("min"), max: rows("max"), gamma: rows("gamma"), baseOffset: rows("base_offset"),
        alternateOffset: rows("alternate_offset"))
    }
    let values = input.numbers("t")
    func render(_ meta: GainMapMetadata, _ base: [Double], display: Double) -> [Double] {
      let weight = GainMapWeight.weight(base: meta.baseHeadroom, alternate: meta.alternateHeadroom, display: display)
      return (0..<3).map {
        meta.applied(to: base[$0], log2Gain: meta.log2Gain(values[$0], channel: $0), weight: weight, channel: $0)
      }
    }
    let hdr = render(try metadata("meta_sdr_base"), input.numbers("sdr_linear"), display: 2)
    expectClose(hdr, output.numbers("hdr_linear"), abs: v.number("tol"), rel: 1e-13)
    let sdr = render(try metadata("meta_hdr_base"), output.numbers("hdr_linear"), display: 0)
    expectClose(sdr, output.numbers("sdr_again"), abs: v.number("tol"), rel: 1e-13)
  }

  @Test func matricesBetweenPrimariesFollowTheVectors() throws {
    let spaces = ["bt709": Primaries.bt709, "p3": .displayP3, "bt2020": .bt2020]
    let rows = vectors.filter { $0["kind"] as? String == "matrix" }
    #expect(rows.count == 4)
    for v in rows {
      let input = try #require(v["in"] as? [String: String])
      let from = try #require(spaces[input["src"] ?? ""]), to = try #require(spaces[input["dst"] ?? ""])
      let want = try #require((v["out"] as? [String: Any])?["matrix"] as? [[Double]]).flatMap(\.self)
      expectClose(try #require(from.matrix(to: to)).rows, want, abs: v.number("tol"), rel: 0)
    }
  }
}
