import HDRCore
import TestSupport
import Testing

/// Gain map metadata against `gain-map-vectors.json` (kinds parse_iso, write_iso, fraction) and by properties.
@Suite struct GainMapMetadataTests {
  // MARK: Vectors

  @Test(.enabled(if: SharedData.hasVectors, "skipped: no data"))
  func isoPayloadsAreReadAsTheVectorsSay() throws {
    let vectors = try gainMapVectors("parse_iso")
    #expect(vectors.count == 19)
    for vector in vectors {
      let input = try #require(vector.input["hex"] as? String)
      let container: ISO21496.Container = vector.input["container"] as? String == "tmap" ? .tmap : .jpeg
      let bytes = hexBytes(input)[...]
      var warnings: [Warning] = []
      let result =
        container == .tmap
        ? parseISO21496(tmapPayload: bytes, warnings: &warnings)
        : parseISO21496(jpegPayload: bytes, warnings: &warnings)
      if let error = vector.output["error"] as? String {
        let code =
          ["unsupported_version": "gainmap.version", "invalid": "gainmap.invalid"][error] ?? "gainmap." + error
        #expect(result == nil, "\(vector.id)")
        #expect(warnings.map(\.code) == [code], "\(vector.id)")
        continue
      }
      let metadata = try #require(result, "\(vector.id)")
      func rows(_ name: String) throws -> [Double] {
        let values = try #require(vector.output[name] as? [Double], "\(vector.id) \(name)")
        return values.count == 1 ? [values[0], values[0], values[0]] : values
      }
      #expect(metadata.kind == .iso)
      #expect(metadata.isMultichannel == vector.output["multichannel"] as? Bool, "\(vector.id)")
      #expect(metadata.usesBaseColorSpace == vector.output["use_base_colour_space"] as? Bool, "\(vector.id)")
      #expect(metadata.baseHeadroom == vector.output["base_headroom"] as? Double, "\(vector.id)")
      #expect(metadata.alternateHeadroom == vector.output["alternate_headroom"] as? Double, "\(vector.id)")
      #expect(agree(metadata.min, try rows("min")), "\(vector.id)")
      #expect(agree(metadata.max, try rows("max")), "\(vector.id)")
      #expect(agree(metadata.gamma, try rows("gamma")), "\(vector.id)")
      #expect(agree(metadata.baseOffset, try rows("base_offset")), "\(vector.id)")
      #expect(agree(metadata.alternateOffset, try rows("alternate_offset")), "\(vector.id)")

      // The exact fractions, too.
      let iso = try ISO21496(parsing: bytes, container: container)
      let expected = try #require(vector.output["channels_nd"] as? [[[Int]]], "\(vector.id)")
      let found = iso.channels.map { row in
        [row.min, row.max, row.gamma, row.baseOffset, row.alternateOffset].map {
          [Int($0.numerator), Int($0.denominator)]
        }
      }
      #expect(found == expected, "\(vector.id)")
      #expect(
        [Int(iso.baseHeadroom.numerator), Int(iso.baseHeadroom.denominator)]
          == vector.output["base_headroom_nd"] as? [Int], "\(vector.id)")
    }
  }

  @Test(.enabled(if: SharedData.hasVectors, "skipped: no data"))
  func isoPayloadsAreWrittenAsTheVectorsSay() throws {
    for vector in try gainMapVectors("write_iso") {
      let rows = try #require(vector.input["channels_nd"] as? [[[Int]]])
      let base = try #require(vector.input["base_headroom_nd"] as? [Int])
      let alternate = try #require(vector.input["alternate_headroom_nd"] as? [Int])
      func fraction(_ pair: [Int]) -> Rational32 { Rational32(Int64(pair[0]), UInt32(pair[1])) }
      let iso = ISO21496(
        baseHeadroom: fraction(base), alternateHeadroom: fraction(alternate),
        channels: rows.map {
          .init(
            min: fraction($0[0]), max: fraction($0[1]), gamma: fraction($0[2]), baseOffset: fraction($0[3]),
            alternateOffset: fraction($0[4]))
        }, usesBaseColorSpace: try #require(vector.input["use_base_colour_space"] as? Bool))
      #expect(iso.serialized(for: .jpeg) == hexBytes(try #require(vector.output["hex"] as? String)), "\(vector.id)")
      #expect(iso.serialized(for: .tmap) == [0] + iso.serialized(for: .jpeg))
    }
  }

  @Test(.enabled(if: SharedData.hasVectors, "skipped: no data"))
  func fractionsAreThoseOfTheVectors() throws {
    let vectors = try gainMapVectors("fraction")
    #expect(vectors.count == 17)
    for vector in vectors {
      let value = try #require(vector.input["value"] as? Double)
      let signed = try #require(vector.input["signed"] as? Bool)
      let fraction = Rational32(approximating: value, signed: signed)
      if vector.output["error"] != nil {
        #expect(fraction == nil, "\(vector.id)")
        continue
      }
      let found = try #require(fraction, "\(vector.id)")
      #expect(Int(found.numerator) == vector.output["n"] as? Int, "\(vector.id)")
      #expect(Int(found.denominator) == vector.output["d"] as? Int, "\(vector.id)")
    }
  }

  // MARK: Properties

  @Test func fractionsAreWithinTheStatedError() {
    var state: UInt64 = 7
    for _ in 0..<2000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let value = (Double(state >> 11) * 0x1p-53 - 0.5) * 40
      guard let fraction = Rational32(approximating: value, signed: true) else {
        Issue.record("no fraction for \(value)")
        continue
      }
      #expect(abs(fraction.value - value) <= 0x1p-40 * max(1, abs(value)))
    }
    #expect(Rational32(approximating: .nan, signed: true) == nil)
    #expect(Rational32(approximating: .infinity, signed: false) == nil)
    #expect(Rational32(approximating: 4_294_967_295, signed: false) == Rational32(4_294_967_295, 1))
    #expect(Rational32(approximating: 1e-300, signed: true) == Rational32(0, 1))
  }

  private static let sample = GainMapMetadata(
    kind: .iso, baseHeadroom: 0, alternateHeadroom: 2.5, min: [-0.5, -0.25, 0], max: [2.5, 2.25, 2],
    gamma: [1, 1.1, 0.9], isMultichannel: true, usesBaseColorSpace: false)

  @Test func readingWhatWasWrittenGivesTheSameNumbers() throws {
    let iso = try #require(ISO21496(Self.sample))
    var warnings: [Warning] = []
    for container in [ISO21496.Container.tmap, .jpeg] {
      let bytes = iso.serialized(for: container)
      #expect(bytes.count == (container == .tmap ? 142 : 141))
      let back = try #require(
        container == .tmap
          ? parseISO21496(tmapPayload: bytes[...], warnings: &warnings)
          : parseISO21496(jpegPayload: bytes[...], warnings: &warnings))
      var expected = Self.sample
      expected.rawPayload = iso.serialized(for: .jpeg)
      #expect(back == expected)
      // Unchanged metadata is written from its own fractions again.
      #expect(ISO21496(back)?.serialized(for: .jpeg) == back.rawPayload)
    }
    #expect(warnings.isEmpty)
  }

  @Test func equalRowsBecomeOneRecord() throws {
    var metadata = Self.sample
    metadata.min = [0, 0, 0]
    metadata.max = [2, 2, 2]
    metadata.gamma = [1, 1, 1]
    #expect(try #require(ISO21496(metadata)).serialized(for: .jpeg).count == 61)
  }

  @Test func aTmapPayloadWithoutItsVersionByteIsReadWithAWarning() throws {
    let bytes = try #require(ISO21496(Self.sample)).serialized(for: .jpeg)
    var warnings: [Warning] = []
    let back = parseISO21496(tmapPayload: bytes[...], warnings: &warnings)
    #expect(back?.max == Self.sample.max)
    #expect(warnings.map(\.code) == ["gainmap.prefix"])
  }

  @Test func theBackwardDraftExchangesBothSides() throws {
    // 0x0C: common denominator and backward direction; base 0, alternate 2.3, offsets 0.01 and 0.02.
    var bytes: [UInt8] = [0, 0, 0, 0, 0x0C]
    for value in [10_000, 0, 23_000, 0, 23_000, 10_000, 100, 200] as [UInt32] {
      withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }
    var warnings: [Warning] = []
    let back = try #require(parseISO21496(jpegPayload: bytes[...], warnings: &warnings))
    #expect(back.baseHeadroom == 2.3 && back.alternateHeadroom == 0)
    #expect(back.baseOffset[0] == 0.02 && back.alternateOffset[0] == 0.01)
    #expect(warnings.map(\.code) == ["gainmap.legacy"])
  }

  @Test func gainsThatOverflowAFloatAreRefused() throws {
    var metadata = Self.sample
    metadata.max = [2, 128, 2]
    let bytes = try #require(ISO21496(metadata)).serialized(for: .jpeg)
    var warnings: [Warning] = []
    #expect(parseISO21496(jpegPayload: bytes[...], warnings: &warnings) == nil)
    #expect(warnings.map(\.code) == ["gainmap.invalid"])
  }

  @Test func cutAndNoisyPayloadsNeverTrap() throws {
    let whole = try #require(ISO21496(Self.sample)).serialized(for: .tmap)
    var warnings: [Warning] = []
    for count in 0..<whole.count where count != 61 && count != 141 {
      #expect(parseISO21496(tmapPayload: whole[..<count], warnings: &warnings) == nil)
    }
    var state: UInt64 = 3
    var readable = 0
    for _ in 0..<3000 {
      var bytes = whole
      for _ in 0..<4 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 24)
      }
      guard let back = parseISO21496(tmapPayload: bytes[...], warnings: &warnings) else { continue }
      readable += 1
      let numbers = [back.baseHeadroom, back.alternateHeadroom] + back.min + back.max + back.gamma
      #expect((numbers + back.baseOffset + back.alternateOffset).allSatisfy { $0.isFinite })
      #expect(back.gamma.allSatisfy { $0 > 0 } && zip(back.min, back.max).allSatisfy { $0 <= $1 })
    }
    #expect(readable > 100)
  }

  // MARK: hdrgm

  @Test func hdrgmHasDefaultsAndExchangesSidesForAnHDRBase() throws {
    var warnings: [Warning] = []
    let plain = try #require(
      HDRGainMapXMP.parse(
        ["Version": ["1.0"], "GainMapMax": ["2.5"], "HDRCapacityMax": ["2.5"]], warnings: &warnings))
    #expect(plain.min == [0, 0, 0] && plain.max == [2.5, 2.5, 2.5] && plain.gamma == [1, 1, 1])
    #expect(plain.baseOffset == [1.0 / 64, 1.0 / 64, 1.0 / 64] && plain.baseHeadroom == 0 && !plain.isMultichannel)
    let swapped = try #require(
      HDRGainMapXMP.parse(
        [
          "Version": ["1.0"], "GainMapMax": ["1,2,3"], "HDRCapacityMax": ["3"], "BaseRenditionIsHDR": ["True"],
          "OffsetSDR": ["0.01"], "OffsetHDR": ["0.02"],
        ], warnings: &warnings))
    #expect(swapped.baseHeadroom == 3 && swapped.alternateHeadroom == 0 && swapped.max == [1, 2, 3])
    #expect(swapped.baseOffset[0] == 0.02 && swapped.alternateOffset[0] == 0.01 && swapped.baseIsHDR)
    #expect(warnings.isEmpty)
  }

  @Test(arguments: [
    ["GainMapMax": ["2"]], ["GainMapMax": ["nan"]], ["GainMapMax": ["0x10"]], ["GainMapMax": ["1", "2"]],
    ["Gamma": ["0"]], ["OffsetSDR": ["-0.01"]], ["GainMapMin": ["9"]], ["HDRCapacityMax": ["0"]], ["Version": ["2.0"]],
    ["BaseRenditionIsHDR": ["maybe"]], ["GainMapMax": ["128"]], ["GainMapMax": [""]],
    ["OffsetSDR": ["1e10"]], ["GainMapMin": ["-1e300"]],
  ])
  func impossibleHdrgmValuesAreRefused(change: [String: [String]]) {
    var properties = ["Version": ["1.0"], "GainMapMax": ["2"], "HDRCapacityMax": ["2"]]
    properties.merge(change) { _, new in new }
    var warnings: [Warning] = []
    let isGood = change == ["GainMapMax": ["2"]]
    #expect((HDRGainMapXMP.parse(properties, warnings: &warnings) != nil) == isGood)
    #expect(warnings.map(\.code) == (isGood ? [] : ["gainmap.invalid"]))
  }
}

/// Equal to 15 digits: the JSON reader of Foundation rounds the last one differently.
private func agree(_ left: [Double], _ right: [Double]) -> Bool {
  left.count == right.count && zip(left, right).allSatisfy { abs($0 - $1) <= 1e-15 * abs($1) }
}

/// A row of the vectors' file.
private struct GainMapVector {
  var id: String
  var input: [String: Any]
  var output: [String: Any]
}

private func gainMapVectors(_ kind: String) throws -> [GainMapVector] {
  let file = try #require(SharedData.json("specs/gain-map-vectors.json"))
  let all = try #require(file["vectors"] as? [[String: Any]])
  return all.filter { $0["kind"] as? String == kind }.map {
    GainMapVector(
      id: $0["id"] as? String ?? "", input: $0["in"] as? [String: Any] ?? [:],
      output: $0["out"] as? [String: Any] ?? [:])
  }
}

private func hexBytes(_ text: String) -> [UInt8] {
  let digits = Array(text)
  return stride(from: 0, to: digits.count - 1, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
}
