import HDRCore
import HDRPlan
import TestPlans
import Testing

@Suite struct ToneMapHeadroomTests {
  @Test(arguments: [[8.0, 1], [8, 2.5], [16, 4], [2, 4]])
  func lightFollowsReferenceWhiteBetweenHeadrooms(values: [Double]) throws {
    let picture = FilterPicture.noise(hasAlpha: true)
    let result = try picture.edited(
      FilterStep(
        "tone-map-headroom", ["source-headroom": .number(values[0]), "target-headroom": .number(values[1])]))
    let content = Headroom(factor: values[0]).stops, display = Headroom(factor: values[1]).stops
    let curves = ReferenceWhiteCurves.make(contentStops: content)
    result.expectColors(of: picture, 1e-4) { c in
      if display >= content { return c }
      let v = max(c[0], c[1], c[2], 0.5)
      let gain = ReferenceWhiteTone.log2Gain(v, curves: curves, contentStops: content, displayStops: display)
      return c.map { $0 * ExactMath.exp2(gain) }
    }
  }

  /// The headroom after the filters before counts, if no source headroom is given.
  @Test func headroomAfterEarlierFiltersIsTheSource() throws {
    let picture = FilterPicture.noise(), target: [String: FilterValue] = ["target-headroom": .number(2)]
    let dark = FilterStep("exposure", ["ev": .number(-1)])
    let own = try picture.edited(dark, FilterStep("tone-map-headroom", target))
    let told = try picture.edited(
      dark,
      FilterStep(
        "tone-map-headroom", target.merging(["source-headroom": .number(Headroom.nominal.factor / 2)]) { $1 }))
    own.expect(1e-6) { x, y in told[x, y] }
  }

  @Test func thePeakBecomesTheTargetHeadroom() throws {
    let peak = FilterPicture(width: 1, height: 1) { _, _ in SIMD4(8, 8, 8, 1) }
    let result = try peak.edited(
      FilterStep("tone-map-headroom", ["source-headroom": .number(8), "target-headroom": .number(1)]))
    #expect(abs(result[0, 0].x - 1) < 1e-4)
  }
}
