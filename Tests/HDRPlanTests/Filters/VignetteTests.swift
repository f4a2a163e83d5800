import HDRCore
import HDRPlan
import TestPlans
import Testing

@Suite struct VignetteTests {
  static func formula(
    _ picture: FilterPicture, _ x: Int, _ y: Int, _ center: [Double], _ radius: Double, _ intensity: Double,
    _ falloff: Double
  ) -> SIMD4<Double> {
    let dx = Double(x) + 0.5 - center[0], dy = Double(y) + 0.5 - center[1], d = (dx * dx + dy * dy).squareRoot()
    let inner = radius * (1 - falloff), outer = radius * (1 + falloff)
    let t = min(max((d - inner) / (outer - inner), 0), 1)
    var q = picture[x, y] * max(1 - intensity * t * t * (3 - 2 * t), 0)
    q.w = picture[x, y].w
    return q
  }

  @Test(arguments: [[30.0, 1, 0.5], [12, 0.7, 1], [25, -0.8, 0.2], [40, 1, 0.05], [1000, 1, 0.5], [3, 0.5, 0.3]])
  func gainFallsWithTheDistance(values: [Double]) throws {
    let picture = FilterPicture.noise(width: 97, height: 61, hasAlpha: true)
    for center in [[20.0, 40], [-15, 3.25]] {
      let result = try picture.edited(
        FilterStep(
          "vignette-effect",
          [
            "center": .numbers(center), "radius": .number(values[0]), "intensity": .number(values[1]),
            "falloff": .number(values[2]),
          ]))
      result.expect(values[2] < 0.1 ? 2e-4 : 2e-5) { x, y in
        Self.formula(picture, x, y, center, values[0], values[1], values[2])
      }
    }
  }

  /// The table at its own fineness: a ramp of distances a hundredth of a pixel apart.
  @Test(arguments: [0.02, 0.05, 0.2, 0.5, 1]) func theTableStaysWithinItsWorstError(falloff: Double) throws {
    let white = FilterPicture(width: 1, height: 1) { _, _ in SIMD4(1, 1, 1, 1) }
    var worst = 0.0
    for i in 0..<300 {
      let center = [-20 * (1 - falloff) - Double(i) / 299 * 40 * falloff, 0.5]
      let got = try white.edited(
        FilterStep(
          "vignette-effect",
          ["center": .numbers(center), "radius": .number(20), "falloff": .number(falloff)]))[0, 0]
      worst = max(worst, abs(got.x - Self.formula(white, 0, 0, center, 20, 1, falloff).x))
    }
    #expect(worst < (falloff < 0.1 ? 2e-4 : 2e-5), "\(worst)")
  }

  @Test func vignetteMeasuresFromTheMiddleInHalfDiagonals() throws {
    let picture = FilterPicture.noise(width: 40, height: 30)
    let result = try picture.edited(FilterStep("vignette", ["intensity": .number(1), "radius": .number(0.8)]))
    result.expect(2e-5) { x, y in Self.formula(picture, x, y, [20, 15], 0.5 * 50 * 0.8, 1, 0.5) }
  }

  @Test func theMiddleIsTheDefaultCenter() throws {
    let picture = FilterPicture.noise(width: 40, height: 30)
    try picture.edited(FilterStep("vignette-effect", ["radius": .number(14)])).expect(2e-5) { x, y in
      Self.formula(picture, x, y, [20, 15], 14, 1, 0.5)
    }
  }
}
