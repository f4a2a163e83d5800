import HDRCore
import HDRPlan
import ImageFiles
import TestPlans
import TestSupport
import Testing

/// Apple's maps against other programs.
///
/// hdr-conversion and apple-hdr-heic use Apple's formula, one with each decoding of the map. libavif and libultrahdr read the
/// map as ISO 21496-1 with its codes unchanged, which is not Apple's formula; they are compared with that reading of ours
/// first, which shows that headroom, map and base are the same, and then with ours as it is.
@Suite(.serialized, .enabled(if: SharedData.hasImages, "skipped: no data"))
struct AppleOracleTests {
  /// The oracle's reading of the map.
  enum Reading: String, Sendable {
    case apple = ""
    /// libavif: ISO with minimum 0, maximum log2(headroom), the codes as they are.
    case iso = ", codes as ISO"
    /// libultrahdr: the same, and the linear headroom of the XMP taken for stops.
    case isoMistakenHeadroom = ", codes as ISO, XMP headroom as stops"
    /// Apple's formula; of the file the `tmap` is taken, as by default.
    case tmap = " against the tmap"
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var table: String
    var reading = Reading.apple
    var transfer = AppleMapTransfer.bt709
    var display: Double?
    /// Base as 8-bit R'G'B' with the nearest chroma sample, as libheif hands it on.
    var sameCodes = false
    var bounds: Bounds
    var testDescription: String { table + reading.rawValue + (sameCodes ? ", from the same codes" : "") }
  }

  static let conversion = "hdr-conversion-0.1.6"
  static let greyhounds = "greyhounds-looking-for-a-table.heic"
  static let ios18 = "ios18_tmap_crop_1280x1792.heic"

  /// Usual: chroma and the rounding of 8-bit codes (half a code of a dark one is 1 %). From the same codes what is left is
  /// libheif's rounding, one code here and there, and the sampling of half-size maps, which is bicubic there.
  static let cases: [Case] = [
    Case(table: "DJI_1_0226_D.heic.\(conversion).full.tsv", bounds: Bounds(median: 0.01, p95: 0.04)),
    Case(
      table: "DJI_1_0226_D.heic.\(conversion).full.tsv", sameCodes: true, bounds: Bounds(median: 0.0005, p95: 0.015)),
    Case(
      table: "DJI_1_0226_D.heic.\(conversion).2x.tsv", display: 2, sameCodes: true,
      bounds: Bounds(median: 0.0005, p95: 0.015)),
    Case(
      table: "DJI_1_0226_D.heic.apple-hdr-heic-0.1.0.full.tsv", transfer: .srgb, sameCodes: true,
      bounds: Bounds(median: 0.0005, p95: 0.015)),
    Case(table: "\(greyhounds).\(conversion).full.tsv", bounds: Bounds(median: 0.01, p95: 0.04)),
    Case(table: "\(greyhounds).\(conversion).full.tsv", sameCodes: true, bounds: Bounds(median: 0.001, p95: 0.005)),
    Case(
      table: "\(greyhounds).\(conversion).2x.tsv", display: 2, sameCodes: true,
      bounds: Bounds(median: 0.001, p95: 0.005)),
    Case(
      table: "\(greyhounds).apple-hdr-heic-0.1.0.full.tsv", transfer: .srgb, sameCodes: true,
      bounds: Bounds(median: 0.001, p95: 0.005)),
    // The auxiliary reading of a file whose tmap goes first.
    Case(table: "\(ios18).\(conversion).full.tsv", sameCodes: true, bounds: Bounds(median: 0.001, p95: 0.02)),
    Case(
      table: "\(ios18).\(conversion).2x.tsv", display: 2, sameCodes: true, bounds: Bounds(median: 0.001, p95: 0.02)),
    Case(
      table: "apple_gainmap_new.jpg.libavif-1.4.2.full.tsv", reading: .iso, bounds: Bounds(median: 0.01, p95: 0.04)),
    Case(
      table: "apple_gainmap_new.jpg.libavif-1.4.2.2x.tsv", reading: .iso, display: 2,
      bounds: Bounds(median: 0.01, p95: 0.04)),
    Case(
      table: "apple_gainmap_new.jpg.libultrahdr-2.0.2.full.tsv", reading: .isoMistakenHeadroom,
      bounds: Bounds(median: 0.005, p95: 0.06)),
    Case(
      table: "apple_gainmap_new.jpg.libultrahdr-2.0.2.2x.tsv", reading: .isoMistakenHeadroom, display: 2,
      bounds: Bounds(median: 0.01, p95: 0.04)),
    // As a user gets them: what the formulas and the decodings of the map differ by.
    Case(table: "apple_gainmap_new.jpg.libavif-1.4.2.full.tsv", bounds: Bounds(median: 0.02, p95: 0.15)),
    Case(table: "apple_gainmap_new.jpg.libavif-1.4.2.2x.tsv", display: 2, bounds: Bounds(median: 0.015, p95: 0.12)),
    Case(table: "apple_gainmap_new.jpg.libultrahdr-2.0.2.full.tsv", bounds: Bounds(median: 0.03, p95: 0.55)),
    Case(table: "apple_gainmap_new.jpg.libultrahdr-2.0.2.2x.tsv", display: 2, bounds: Bounds(median: 0.01, p95: 0.12)),
    Case(table: "DJI_1_0226_D.heic.\(conversion).2x.tsv", display: 2, bounds: Bounds(median: 0.01, p95: 0.04)),
    Case(table: "DJI_1_0226_D.heic.apple-hdr-heic-0.1.0.full.tsv", bounds: Bounds(median: 0.08, p95: 0.1)),
    Case(table: "\(greyhounds).\(conversion).2x.tsv", display: 2, bounds: Bounds(median: 0.01, p95: 0.04)),
    Case(table: "\(greyhounds).apple-hdr-heic-0.1.0.full.tsv", bounds: Bounds(median: 0.05, p95: 0.08)),
    Case(table: "\(ios18).\(conversion).full.tsv", reading: .tmap, bounds: Bounds(median: 0.07, p95: 0.09)),
    Case(table: "\(ios18).\(conversion).2x.tsv", reading: .tmap, display: 2, bounds: Bounds(median: 0.09, p95: 0.11)),
  ]

  @Test(arguments: cases)
  func lightIsThatOfOtherPrograms(_ expected: Case) throws {
    let table = try #require(OracleTable(expected.table))
    var source = try Oracle.source(table)
    if expected.table.hasPrefix(Self.ios18) {
      #expect(source.gainMap?.metadata.kind == .iso)
      if expected.reading != .tmap {
        source.gainMap?.metadata = GainMapMetadata(AppleGainMap(version: 131_072, xmpHeadroom: 6.902454))
      }
    }
    let apple = source.gainMap?.metadata.apple
    switch expected.reading {
    case .apple: #expect(apple?.headroom != nil)
    case .tmap: #expect(apple == nil)
    case .iso: source.gainMap?.metadata = try #require(apple?.isoMetadata)
    case .isoMistakenHeadroom:
      let mistaken = AppleGainMap(headroom: Headroom(stops: try #require(apple?.headroom)))
      source.gainMap?.metadata = try #require(mistaken.isoMetadata)
    }
    if expected.sameCodes {
      source.image = source.image.withNearestChroma
      source = try source.roundedToRGB()
    }
    let display = expected.display ?? ContentHeadroom.ofFile(source).headroom?.factor ?? 1
    var recipe = RenderRecipe(
      target: OutputSignal(primaries: 12, encoding: .linear, sink: .rgba16f),
      display: .headroom(Headroom(factor: display)), gamut: .none, appleMapTransfer: expected.transfer)
    recipe.beyond = .keep
    let picture = Oracle.render(try Planner.plan(source, recipe), for: table)
    #expect("\(picture.width)x\(picture.height)" == table.header["size"])
    let errors = table.rows.flatMap { row in
      zip(picture.rgb(row.x, row.y), row.values).map { got, want in
        abs(max(got, 0) - want) / max(got, want, 0.02)
      }
    }
    Agreement(errors).check(
      expected.bounds, file: try Oracle.image(of: table),
      oracle: expected.table + expected.reading.rawValue + (expected.sameCodes ? ", from the same codes" : ""),
      unit: "%")
  }

  /// Tables that the cases are about; EveryFileTests finds one that is in no list.
  static let names = Set(cases.map(\.table))

  /// A map that is darker or lighter by the wrong decoding is seen: sRGB against the values for BT.709.
  @Test func theOtherDecodingIsFurtherOff() throws {
    let table = try #require(OracleTable("\(Self.greyhounds).\(Self.conversion).full.tsv"))
    let source = try Oracle.source(table)
    let medians = try [AppleMapTransfer.bt709, .srgb, .pow1961].map { transfer in
      let recipe = RenderRecipe(
        target: OutputSignal(primaries: 12, encoding: .linear, sink: .rgba16f), display: .high, gamut: .none,
        appleMapTransfer: transfer)
      let picture = Oracle.render(try Planner.plan(source, recipe), for: table)
      return percentile(
        table.rows.flatMap { row in
          zip(picture.rgb(row.x, row.y), row.values).map { abs($0 - $1) / max($0, $1, 0.02) }
        }, 0.5)
    }
    #expect(medians[0] < 0.01 && medians[1] > 0.02 && medians[2] > medians[0])
  }
}
