import CPURender
import HDRCore
import HDRPlan
import ImageFiles
import TestSupport
import Testing

/// Made files against the light or signal that went into them: no other decoder in between, the encoder's loss
/// included.
@Suite(.serialized, .enabled(if: SharedData.hasImages, "skipped: no data"))
struct SceneOracleTests {
  struct Case: Sendable {
    var file: String
    var scene: String
    /// The unit of the bounds: codes of `depth` bits, or a share for light (depth 0).
    var depth: Int
    var bounds: Bounds
  }

  /// PNG: rounding to 16 bits. AVIF and HEIC: the encoder's quantiser; 4:2:0 shows at the patches' edges. Gain maps:
  /// 8-bit base times 8-bit map of libultrahdr's, which cannot darken; its own decoder is 1.1 % and 50 % off.
  static let cases = [
    Case(
      file: "png/made_pq_bt2020_rgb16_cicp_clli_mdcv.png", scene: "made_scene_s1.pq.tsv", depth: 16,
      bounds: Bounds(median: 0.5, p95: 0.6)),
    Case(
      file: "png/made_hlg_bt2020_rgb16_cicp.png", scene: "made_scene_hlg1.signal.tsv", depth: 16,
      bounds: Bounds(median: 0.5, p95: 0.6)),
    Case(
      file: "heic_hdr/made_hlg_bt2020_10bit_444_lossless.heic", scene: "made_scene_hlg1.signal.tsv", depth: 10,
      bounds: Bounds(median: 0.5, p95: 1)),
    Case(
      file: "heic_hdr/made_hlg_bt2020_10bit_420.heic", scene: "made_scene_hlg1.signal.tsv", depth: 10,
      bounds: Bounds(median: 0.8, p95: 10)),
    Case(
      file: "heic_hdr/made_pq_bt2020_10bit_420.heic", scene: "made_scene_s1.pq.tsv", depth: 10,
      bounds: Bounds(median: 0.8, p95: 10)),
    Case(
      file: "avif_hdr/made_hlg_bt2020_12bit_444.avif", scene: "made_scene_hlg1.signal.tsv", depth: 12,
      bounds: Bounds(median: 3, p95: 20)),
    Case(
      file: "avif_hdr/made_pq_bt2020_10bit_420_lim_clli.avif", scene: "made_scene_s1.pq.tsv", depth: 10,
      bounds: Bounds(median: 1, p95: 10)),
    Case(
      file: "gainmap_jpeg/made_uhdr_pq.jpg", scene: "made_scene_s1.linear.tsv", depth: 0,
      bounds: Bounds(median: 0.02, p95: 0.55)),
    Case(
      file: "heic_gainmap/made_libultrahdr_pq.heic", scene: "made_scene_s1.linear.tsv", depth: 0,
      bounds: Bounds(median: 0.02, p95: 0.55)),
  ]

  @Test(arguments: cases)
  func knownScenesComeBackWithinTheirBounds(_ made: Case) throws {
    let table = try #require(OracleTable(made.scene))
    let source = try decodeImage(try #require(SharedData.bytes("data/images/" + made.file)))
    var recipe = source.signalRecipe.recipe
    if made.depth == 0 {
      recipe = RenderRecipe(target: OutputSignal(primaries: 9, encoding: .linear, sink: .rgba16f), display: .high)
    }
    let picture = CPUBackend.best.render(try Planner.plan(source, recipe), threads: 2)
    let peak = Double(1 << made.depth - 1)
    let errors = table.rows.flatMap { row in
      zip(picture.rgb(row.x, row.y), row.values).map { got, want in
        made.depth == 0 ? abs(got - want) / max(got, want, 0.02) : abs(got - want) * peak
      }
    }
    Agreement(errors).check(
      made.bounds, file: made.file, oracle: made.scene, unit: made.depth == 0 ? "%" : "codes")
  }
}
