import HDRCore
import HDRPlan
import ImageFiles
import TestPlans
import TestSupport
import Testing

/// R'G'B' codes of the whole path (file, plan, executor) against libheif, libavif and libpng.
@Suite(.serialized, .enabled(if: SharedData.hasImages, "skipped: no data"))
struct CodeOracleTests {
  static let names = Oracle.tables(endingIn: [".codes.tsv", ".base-codes.tsv", ".map-codes.tsv"]).filter {
    !$0.contains(".jxl.")
  }

  /// Bounds in codes of the file's depth where both sides do the same arithmetic: theirs are whole codes, ours are not.
  static let roundingBounds = Bounds(median: 0.3, p95: 0.6)

  /// Bounds in codes of the file's depth. libpng: the same numbers. 4:4:4: rounding. Subsampled: libheif repeats chroma
  /// samples, libavif's libyuv takes them for centred; both show at colour edges only, which made files are full of.
  static func bounds(_ name: String, _ image: SampleImage) -> Bounds {
    if name.contains("libpng") { return Bounds(median: 0, p95: 0) }
    if image.model != .ycc || image.chroma == .s444 { return roundingBounds }
    // 29x100 pixels of saturated noise.
    if name.hasPrefix("RGB_10__29x100") { return Bounds(median: 4, p95: 50) }
    return Bounds(median: 0.6, p95: name.hasPrefix("made_") ? 25 : 5)
  }

  @Test(arguments: names)
  func codesAreThoseOfOtherPrograms(name: String) throws {
    let table = try #require(OracleTable(name))
    var source = try Oracle.source(table)
    if name.hasSuffix(".map-codes.tsv") {
      source = try #require(source.auxiliaryGainMap)
    }
    let (recipe, signal) = source.signalRecipe
    source = signal
    let file = try Oracle.image(of: table)
    try compare(source, recipe, table).check(
      Self.bounds(name, source.image), file: file, oracle: name, unit: "codes")
    if name.contains("libheif"), source.image.chroma != .s444, source.image.model == .ycc {
      // libheif repeats chroma samples where we interpolate; with repeated samples only rounding is left.
      source.image = source.image.withNearestChroma
      try compare(source, recipe, table).check(
        Self.roundingBounds, file: file, oracle: name + ", its chroma", unit: "codes")
    }
  }

  private func compare(_ source: SourceImage, _ recipe: RenderRecipe, _ table: OracleTable) throws -> Agreement {
    let picture = Oracle.render(try Planner.plan(source, recipe), for: table)
    #expect("\(picture.width)x\(picture.height)" == table.header["size"])
    let peak = Double(1 << source.image.bitDepth - 1)
    return Agreement(
      table.rows.flatMap { row in zip(picture.rgb(row.x, row.y), row.values).map { abs($0 * peak - $1) } })
  }
}
