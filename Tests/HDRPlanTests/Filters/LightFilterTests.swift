import HDRCore
import HDRPlan
import TestPlans
import Testing

/// Rules of the filters of `LightVectorTests` that no vector has.
@Suite struct LightFilterTests {
  @Test(
    "values that change nothing leave every bit",
    arguments: [
      FilterStep("color-cross-polynomial"), FilterStep("bokeh-blur", ["radius": .number(0), "softness": .number(0)]),
      FilterStep("spot-color", ["closeness1": .number(0), "closeness2": .number(0), "closeness3": .number(0)]),
    ])
  func identities(step: FilterStep) throws {
    for hasAlpha in [false, true] {
      let picture = FilterPicture.noise(hasAlpha: hasAlpha)
      #expect(try picture.edited(step).pixels == picture.pixels, "\(step.name)")
    }
  }

  @Test("components keep alpha, light above white and below 0")
  func components() throws {
    let picture = FilterPicture.noise(hasAlpha: true)
    for (name, choose) in [("maximum-component", { max($0, $1) }), ("minimum-component", { min($0, $1) })]
      as [(String, (Double, Double) -> Double)]
    {
      try picture.edited(FilterStep(name)).expect(0) { x, y in
        let p = picture[x, y], one = choose(choose(p.x, p.y), p.z)
        return SIMD4(one, one, one, p.w)
      }
    }
  }

  @Test("a picture of one colour and alpha stays so under means", arguments: ["bokeh-blur", "edge-preserve-upsample"])
  func oneColor(name: String) throws {
    let flat = FilterPicture(width: 23, height: 17) { _, _ in SIMD4(16, -0.5, 1, 0.5) }
    var step = FilterStep(name)
    if name == "edge-preserve-upsample" { step.values.values["small"] = .word("flat") }
    try flat.edited(step, inputs: ["flat": flat]).expect(1e-5) { _, _ in SIMD4(16, -0.5, 1, 0.5) }
  }

  @Test("a guided filter that is its own guide keeps strong edges and evens weak ones")
  func ownGuide() throws {
    let wall = FilterPicture(width: 40, height: 9) { x, y in
      let v = (x < 20 ? 0.2 : 4) + Double((x + y) % 2) * 0.002
      return SIMD4(v, v, v, 1)
    }
    let step = FilterStep("guided-filter", ["guide": .word("wall"), "radius": .number(2), "epsilon": .number(1e-3)])
    let result = try wall.edited(step, inputs: ["wall": wall])
    #expect(result[19, 4].x < 0.25 && result[20, 4].x > 3.9)
    #expect(abs(result[5, 4].x - result[6, 4].x) < 0.001)
  }

  @Test(
    "tiny pictures and places far away give finite pixels",
    arguments: [
      "spot-light", "rounded-rectangle-generator", "rounded-rectangle-stroke-generator", "star-shine-generator",
      "sunbeams-generator", "lenticular-halo-generator", "mesh-generator", "shaded-material", "bokeh-blur",
      "gabor-gradients", "canny-edge-detector", "edge-preserve-upsample", "guided-filter", "page-curl-transition",
      "page-curl-with-shadow-transition", "kmeans", "area-bounds-red", "spot-color", "color-cross-polynomial",
    ])
  func extremes(name: String) throws {
    for (width, height) in [(1, 1), (1, 700), (700, 1)] {
      let picture = FilterPicture.noise(width: width, height: height, hasAlpha: true)
      for isHigh in [nil, false, true] as [Bool?] {
        var step = FilterStep(name)
        for parameter in step.filter?.parameters ?? [] {
          switch (parameter.kind, isHigh) {
          case (.input(nil), _): step.values.values[parameter.name] = .word("other")
          case (.number(_, let range), let isHigh?):
            step.values.values[parameter.name] = .number(isHigh ? range.upperBound : range.lowerBound)
          case (.vector(nil, 2, let range), let isHigh?):
            step.values.values[parameter.name] = .numbers(
              [Double](repeating: isHigh ? range.upperBound : range.lowerBound, count: 2))
          default: break
          }
        }
        let result = try picture.edited(step, inputs: ["other": FilterPicture.noise(width: 3, height: 2, seed: 2)])
        #expect(result.pixels.allSatisfy { p in (0..<4).allSatisfy { p[$0].isFinite } }, "\(name) \(width)x\(height)")
        #expect(result.pixels.allSatisfy { (0...1).contains($0.w) }, "\(name) \(width)x\(height)")
      }
    }
  }

  @Test("clusters of a few colours are those colours, with their shares as alpha")
  func clusters() throws {
    let colors = [SIMD4(8.0, 0.5, 0.25, 1), SIMD4(0.125, 0.25, 2, 1), SIMD4(0.5, -0.25, 0.5, 0.5)]
    let picture = FilterPicture(width: 90, height: 70) { x, _ in colors[x / 30] }
    let result = try picture.edited(FilterStep("kmeans", ["count": .number(3)]))
    #expect([result.width, result.height] == [3, 1])
    let found = result.pixels.sorted { $0.x > $1.x }
    for (got, want) in zip(found, [(colors[0], 0.4), (colors[2], 0.2), (colors[1], 0.4)]) {
      for channel in 0..<3 { #expect(abs(got[channel] - want.0[channel]) < 1e-5) }
      #expect(abs(got.w - want.1) < 1e-6)
    }
    let start = FilterPicture(width: 4, height: 2) { x, y in SIMD4(y == 0 ? Double(x) : 100, 0, 0, 1) }
    let given = try picture.edited(
      FilterStep("kmeans", ["count": .number(4), "means": .word("start"), "passes": .number(0)]),
      inputs: ["start": start])
    #expect(given.pixels.map(\.x) == [0, 1, 2, 3])
  }

  @Test(
    "values that make no picture are errors",
    arguments: [
      FilterStep("mesh-generator", ["mesh": .word("1/2/3")]), FilterStep("mesh-generator", ["mesh": .word(";")]),
      FilterStep("mesh-generator", ["mesh": .word("0/0/1/1; 0/0/1/x")]),
      FilterStep("rounded-rectangle-generator", ["extent": .numbers([0, 0, -1, 4])]),
      FilterStep("spot-light", ["light-position": .numbers([4, 4, 1]), "light-points-at": .numbers([4, 4, 1])]),
      FilterStep("kmeans", ["count": .number(9), "means": .word("small")]),
      FilterStep("area-bounds-red", ["extent": .numbers([90, 0, 4, 4])]),
    ])
  func faults(step: FilterStep) throws {
    let picture = FilterPicture.noise(width: 16, height: 12)
    #expect(throws: PlanError.self) { try picture.edited(step, inputs: ["small": FilterPicture.noise(width: 8)]) }
  }

  @Test("light of generators is no brighter than they say", arguments: [0.5, 2])
  func headrooms(strength: Double) throws {
    for (name, key) in [("star-shine-generator", "cross-opacity"), ("lenticular-halo-generator", "striation-strength")]
    {
      let step = FilterStep(name, ["center": .numbers([11.5, 8.5]), key: .number(strength), "exposure": .number(3)])
      var recipe = RenderRecipe(target: OutputSignal(encoding: .linear, sink: .rgba16f))
      recipe.edits = [step]
      let bound = try #require(recipe.headroom(afterEditing: .sdr)).factor
      let most = try FilterPicture.noise().edited(step).pixels.map { max($0.x, $0.y, $0.z) }.max() ?? 0
      #expect(most <= bound * 1.00001 && bound > 8, "\(name)")
    }
  }
}
