import Foundation
import HDRCore
import HDRPlan
import ImageFiles
import TestPlans
import TestSupport
import Testing

/// Gain-map pictures rendered to linear light against libavif and libultrahdr.
///
/// The measure is that of the oracles' own comparison: |a - b| / max(a, b, 0.02), over the sampled components.
@Suite(.serialized, .enabled(if: SharedData.hasImages, "skipped: no data"))
struct GainMapOracleTests {
  /// Bounds of a picture against a tool.
  ///
  /// The usual ones are what expected/README.md measured between libavif and libultrahdr themselves: medians of 0.1 to
  /// 0.8 % (8-bit R'G'B' in libavif, half floats in libultrahdr) and 95th percentiles of 0.3 to 7 % (chroma upsampling,
  /// resampling of a small map). `sameCodes` is for a rendition that starts from libavif's own R'G'B' codes; then the
  /// medians are tables and PQ output, below 0.4 %, and the percentiles chroma and size of the map. `sameChroma` is for
  /// repeated chroma samples, libultrahdr's way: 0.5 % are half floats and its table of gains, the percentile is the
  /// size of the map.
  struct Expectation: Sendable {
    var image: String
    /// Part of the table's name that the entry is about; empty for all.
    var tool = ""
    var bounds = Bounds(median: 0.01, p95: 0.04)
    var sameCodes = Bounds(median: 0.004, p95: 0.03)
    var sameChroma = Bounds(median: 0.006, p95: 0.025)
    /// True if `sameCodes` takes the red of a colour map for all channels.
    var mapIsRed = false
    /// Primaries of the values where the table's header does not say them.
    var primaries: Int?
  }

  static let expectations: [Expectation] = [
    // libheif, below libultrahdr, hides the base's P3 from it: the tag says BT.709, the values are those of the file.
    Expectation(image: "aux_YCbCr.heic", tool: "libultrahdr", primaries: 12),
    Expectation(image: "ios18_tmap", tool: "libultrahdr", primaries: 12),
    // The gain map's colour space is asked for (use_base_colour_space = 0) and libultrahdr returns it: BT.2020, not the
    // base's P3 as the header of the table has it. The light that went into the file says so as well
    // (SceneOracleTests).
    Expectation(image: "made_uhdr_pq.jpg", primaries: 9),
    // Colour edges between flat patches, 4:2:0 base: 18 % between the tools, 1.9 % with libultrahdr's chroma.
    Expectation(image: "gain_mapped-test_chart-color_01.jpg", bounds: Bounds(median: 0.002, p95: 0.1)),
    // Dark pixels under 7.6 stops of gain, base and map in 4:2:0: 7 % between the tools, 0.5 % with libultrahdr's
    // chroma.
    Expectation(
      image: "memorial.jpg", bounds: Bounds(median: 0.01, p95: 0.07), sameCodes: Bounds(median: 0.001, p95: 0.04),
      sameChroma: Bounds(median: 0.002, p95: 0.01)),
    // Saturated patches with hard edges in 4:2:0; the half-size map is bilinear here and in libavif, 0.8 % from the
    // same codes, and weighted by distance from the top left in libultrahdr.
    Expectation(
      image: "made_tmap_sdrbase_rgbmap.heic", bounds: Bounds(median: 0.007, p95: 0.08),
      sameCodes: Bounds(median: 0.004, p95: 0.01), sameChroma: Bounds(median: 0.007, p95: 0.06)),
    // The same half-size map with a 4:4:4 base.
    Expectation(
      image: "made_gm_sdrbase_gm400_half.avif", sameCodes: Bounds(median: 0.004, p95: 0.015),
      sameChroma: Bounds(median: 0.006, p95: 0.045)),
    // Gains up to 2^11 from 8-bit codes, and base codes far outside R'G'B': PQ signals up to 1.25 are light here
    // (docs/colour-formulas.md#ycbcr: not clamped), libavif cuts them at 1. From the same codes 0.3 % and 7 % are left.
    // Primaries are unspecified: BT.2020 for PQ, numbers left alone in libavif.
    Expectation(
      image: "color_grid_gainmap_different_grid.avif", bounds: Bounds(median: 0.01, p95: 0.9),
      sameCodes: Bounds(median: 0.005, p95: 0.08), primaries: 9),
    // A colour map with single-channel metadata: this table has the map's red on all three channels. With it 3 % is
    // left (a code of the map is 1.5 %); as the file is, libultrahdr sides with us.
    Expectation(
      image: "made_libultrahdr_pq.heic", tool: "libavif", bounds: Bounds(median: 0.002, p95: 0.6),
      sameCodes: Bounds(median: 0.001, p95: 0.04), mapIsRed: true),
  ]

  /// Tables of Apple's formula have tests of their own.
  static let names = Oracle.tables(endingIn: [".full.tsv", ".alternate.tsv", ".2x.tsv", ".sdr.tsv"]).filter {
    !AppleOracleTests.names.contains($0)
  }

  @Test(arguments: names)
  func lightIsThatOfOtherPrograms(name: String) throws {
    let expectation =
      Self.expectations.first { name.hasPrefix($0.image) && ($0.tool.isEmpty || name.contains($0.tool)) }
      ?? Expectation(image: name)
    let table = try #require(OracleTable(name))
    let source = try Oracle.source(table)
    #expect(source.gainMap != nil)
    let target = OutputSignal(
      primaries: try primaries(table, expectation), encoding: .linear, sink: .rgba16f)
    // Other programs leave what a map makes brighter than the display.
    var recipe = RenderRecipe(target: target, display: .headroom(headroom(name, table, source)))
    recipe.beyond = .keep
    let file = try Oracle.image(of: table)
    try compare(source, recipe, table).check(expectation.bounds, file: file, oracle: name, unit: "%")
    var alike = source
    if table.header["tool"]?.hasPrefix("libultrahdr") == true {
      // libultrahdr repeats chroma samples of base and map: with repeated samples only half floats and a small map's
      // filter are left to differ.
      alike.image = alike.image.withNearestChroma
      if let map = alike.gainMap?.image { alike.gainMap?.image = map.withNearestChroma }
      try compare(alike, recipe, table).check(
        expectation.sameChroma, file: file, oracle: name + ", its chroma", unit: "%")
    }
    guard name.contains("libavif") else { return }
    // libavif starts from R'G'B' codes, rounded and cut to their range, and libheif repeats chroma samples before: from
    // the same codes only the gain map is left to differ.
    if expectation.mapIsRed, let map = alike.gainMap {
      var codes = try map.asSource.roundedToRGB().image
      codes.model = .grey
      codes.channels.removeLast(2)
      alike.gainMap?.image = codes
    }
    if name.contains("libheif") { alike.image = alike.image.withNearestChroma }
    try compare(try alike.roundedToRGB(), recipe, table).check(
      expectation.sameCodes, file: file, oracle: name + ", from the same codes", unit: "%")
  }

  private func compare(_ source: SourceImage, _ recipe: RenderRecipe, _ table: OracleTable) throws -> Agreement {
    let picture = Oracle.render(try Planner.plan(source, recipe), for: table)
    #expect("\(picture.width)x\(picture.height)" == table.header["size"])
    return Agreement(
      table.rows.flatMap { row in
        zip(picture.rgb(row.x, row.y), row.values).map { got, want in
          // Both tools cut at black; libavif's PQ output ends at 10 000 cd/m².
          let light = min(max(got, 0), 10_000 / 203)
          return abs(light - want) / max(light, want, 0.02)
        }
      })
  }

  /// Display headroom that a table was made for.
  private func headroom(_ name: String, _ table: OracleTable, _ source: SourceImage) -> Headroom {
    if let command = table.header["command"], let at = command.range(of: "headroom log2 = "),
      let stops = Double(command[at.upperBound...].prefix { "0123456789.".contains($0) })
    {
      return Headroom(stops: stops)
    }
    if name.hasSuffix(".2x.tsv") { return Headroom(stops: 1) }
    return name.hasSuffix(".sdr.tsv") ? .sdr : ContentHeadroom.ofFile(source).headroom ?? .sdr
  }

  /// Primaries of the values of a table.
  private func primaries(_ table: OracleTable, _ expectation: Expectation) throws -> Int {
    if let code = expectation.primaries { return code }
    let values = try #require(table.header["values"])
    for (word, code) in [
      ("= BT.709", 1), ("= Display P3", 12), ("= CICP 12", 12), ("= CICP 9", 9), ("= CICP 1", 1),
      ("library: Display P3", 12), ("library: BT.709", 1), ("library: BT.2100", 9),
    ] where values.contains(word) { return code }
    return try #require(nil as Int?, "\(values)")
  }
}
