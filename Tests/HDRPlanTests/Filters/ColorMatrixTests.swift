import HDRCore
import HDRPlan
import TestPlans
import Testing

extension FilterPicture {
  /// Compares with a formula of R, G, B of the same pixel of another picture; alpha is that pixel's.
  func expectColors(
    of picture: FilterPicture, _ tolerance: Double = 2e-6, sourceLocation: SourceLocation = #_sourceLocation,
    _ formula: ([Double]) -> [Double]
  ) {
    expect(tolerance, sourceLocation: sourceLocation) { x, y in
      let p = picture[x, y], c = formula([p.x, p.y, p.z])
      return SIMD4(c[0], c[1], c[2], p.w)
    }
  }
}

/// Luminance of the working space: BT.2020's (BT.2100 table 5).
func luminance(_ c: [Double]) -> Double { 0.2627 * c[0] + 0.6780 * c[1] + 0.0593 * c[2] }

/// Filters that are a matrix and an offset.
@Suite struct ColorMatrixTests {
  let picture = FilterPicture.noise(hasAlpha: true)

  @Test(arguments: [[1.7, 0.3, 1.4], [0, 0, 1], [1, -0.5, 0.25], [0.5, 0, 1], [3, 2, 0]])
  func saturationComesFirstThenBrightnessThenContrast(values: [Double]) throws {
    let step = FilterStep(
      "color-controls",
      ["saturation": .number(values[0]), "brightness": .number(values[1]), "contrast": .number(values[2])])
    try picture.edited(step).expectColors(of: picture, 1e-5) { c in
      c.map { ((luminance(c) + values[0] * ($0 - luminance(c)) + values[1]) - 0.5) * values[2] + 0.5 }
    }
  }

  @Test func rowsSumAllFourComponents() throws {
    let rows: [[Double]] = [[0.5, 0.2, -0.3, 1], [0, 2, 0, 0.5], [0.1, 0.1, 0.1, -2], [0.05, -0.02, 0, 0.9]]
    let bias = [0.1, -0.2, 0.3, 0.04]
    for picture in [picture, FilterPicture.noise(seed: 9)] {
      let result = try picture.edited(
        FilterStep(
          "color-matrix",
          [
            "r-vector": .numbers(rows[0]), "g-vector": .numbers(rows[1]), "b-vector": .numbers(rows[2]),
            "a-vector": .numbers(rows[3]), "bias": .numbers(bias),
          ]))
      result.expect(1e-5) { x, y in
        let p = picture[x, y]
        var q = SIMD4<Double>.zero
        for i in 0..<4 { q[i] = (0..<4).map { rows[i][$0] * p[$0] }.reduce(bias[i], +) }
        q.w = min(max(q.w, 0), 1)
        return q
      }
    }
  }

  @Test func colorMatrixWithoutAlphaIsAMatrixAndAnOffset() throws {
    let result = try picture.edited(
      FilterStep("color-matrix", ["g-vector": .numbers([0.5, 0.25, 0, 0]), "bias": .numbers([0, 0, -1, 0])]))
    result.expectColors(of: picture) { [$0[0], 0.5 * $0[0] + 0.25 * $0[1], $0[2] - 1] }
  }

  @Test func invertedLightIsNegativeAboveWhite() throws {
    try picture.edited(FilterStep("color-invert")).expectColors(of: picture) { $0.map { 1 - $0 } }
  }

  @Test(arguments: [0, 0.4, 1]) func monochromeIsAShadeOfTheColor(intensity: Double) throws {
    let linear = [0.9, 0.2, 1.5].map { Transfer.sRGBDecode($0) }
    let color = (Primaries.bt709.matrix(to: .bt2020) ?? .identity) * linear
    let step = FilterStep("color-monochrome", ["color": .numbers([0.9, 0.2, 1.5]), "intensity": .number(intensity)])
    try picture.edited(step).expectColors(of: picture) { c in
      (0..<3).map { (1 - intensity) * c[$0] + intensity * luminance(c) * color[$0] }
    }
  }

  @Test func sepiaKeepsLuminanceAndIsWarm() throws {
    let result = try picture.edited(FilterStep("sepia-tone"))
    for (was, new) in zip(picture.pixels, result.pixels) {
      let before = luminance([was.x, was.y, was.z])
      #expect(abs(luminance([new.x, new.y, new.z]) - before) < 1e-5 * max(1, before))
      if before > 0.01 { #expect(new.x > new.y && new.y > new.z) }
    }
  }

  /// Rodrigues' formula with cross and dot products, and the shear.
  @Test(arguments: [0, 0.3, -2.5, 12.56, 2.0943951023931953]) func hueTurnsAboutGrey(angle: Double) throws {
    // Cosine and sine of a very small part of the angle, doubled twenty times.
    let t = angle / 1_048_576
    var (cosine, sine) = (1 - t * t / 2, t - t * t * t / 6)
    for _ in 0..<20 { (cosine, sine) = (cosine * cosine - sine * sine, 2 * sine * cosine) }
    try picture.edited(FilterStep("hue-adjust", ["angle": .number(angle)])).expectColors(of: picture, 1e-5) { c in
      let mean = (c[0] + c[1] + c[2]) / 3, k = 1 / 3.0.squareRoot()
      let cross = [k * (c[2] - c[1]), k * (c[0] - c[2]), k * (c[1] - c[0])]
      let turned = (0..<3).map { c[$0] * cosine + cross[$0] * sine + mean * (1 - cosine) }
      return turned.map { $0 + luminance(c) - luminance(turned) }
    }
  }

  @Test func redTurnsTowardsGreen() throws {
    let red = FilterPicture(width: 1, height: 1) { _, _ in SIMD4(1, 0, 0, 1) }
    let result = try red.edited(FilterStep("hue-adjust", ["angle": .number(2.0943951023931953)]))[0, 0]
    #expect(result.y > result.x + 0.99 && abs(result.x - result.z) < 1e-6)
  }

  @Test func whiteBecomesTheColor() throws {
    let linear = [1, 0.5, 0.25].map { Transfer.sRGBDecode($0) }
    let color = (Primaries.bt709.matrix(to: .bt2020) ?? .identity) * linear
    try picture.edited(FilterStep("white-point-adjust", ["color": .numbers([1, 0.5, 0.25])]))
      .expectColors(of: picture) { c in (0..<3).map { c[$0] * color[$0] } }
  }

  @Test func headroomsFollowRowSums() {
    func after(_ step: FilterStep, _ factor: Double = 4) -> Double? {
      var recipe = RenderRecipe(target: OutputSignal(encoding: .linear, sink: .rgba16f))
      recipe.edits = [step]
      return recipe.headroom(afterEditing: Headroom(factor: factor))?.factor
    }
    func near(_ a: Double?, _ b: Double) -> Bool { a.map { abs($0 - b) < 1e-9 } ?? false }
    #expect(near(after(FilterStep("color-matrix", ["g-vector": .numbers([1, 1, -1, 0])])), 8))
    #expect(after(FilterStep("color-matrix", ["bias": .numbers([0.1, 0, 0, 0])])) == nil)
    #expect(after(FilterStep("color-matrix", ["r-vector": .numbers([20, 0, 0, 0])])) == nil)
    #expect(near(after(FilterStep("color-matrix", ["a-vector": .numbers([0, 0, 0, 0.5])])), 4))
    #expect(near(after(FilterStep("white-point-adjust")), 4))
    #expect(after(FilterStep("color-controls")) == nil)
    #expect(after(FilterStep("hue-adjust")) == nil)
    #expect(near(after(FilterStep("gamma", ["power": .number(0.5)])), 2))
    #expect(near(after(FilterStep("color-clamp", ["max": .numbers([0.5, 2, 1, 1])])), 2))
    #expect(near(after(FilterStep("tone-map-headroom", ["target-headroom": .number(2)])), 2))
    #expect(near(after(FilterStep("tone-map-headroom", ["target-headroom": .number(8)])), 4))
    #expect(near(after(FilterStep("color-threshold")), 1))
    #expect(near(after(FilterStep("color-posterize", ["levels": .number(3)])), 4))
    #expect(near(after(FilterStep("vignette", ["intensity": .number(0.5)])), 4))
    #expect(near(after(FilterStep("vignette-effect", ["intensity": .number(-1)])), 8))
    #expect(near(after(FilterStep("linear-to-srgb")), Transfer.sRGBEncode(4)))
    #expect(near(after(FilterStep("srgb-to-linear")), Transfer.sRGBDecode(4)))
  }
}
