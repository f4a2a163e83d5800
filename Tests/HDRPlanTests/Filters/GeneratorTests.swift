import HDRCore
import HDRPlan
import TestPlans
import Testing

@Suite struct GeneratorTests {
  static let bright: [Double] = [1.6, -0.2, 0.4, 1], glass: [Double] = [0.2, 0.9, 1.4, 0.25]

  /// Linear BT.2020 with stops added, and alpha.
  static func light(_ color: [Double], _ stops: Double = 0) throws -> SIMD4<Double> {
    let m = try #require(Primaries.bt709.matrix(to: .bt2020))
    let p = (m * color.prefix(3).map { Transfer.sRGBDecode($0) }).map { $0 * ExactMath.exp2(stops) }
    return SIMD4(p[0], p[1], p[2], color[3])
  }

  /// Mix of premultiplied colours, divided by alpha again.
  static func mix(_ a: SIMD4<Double>, _ b: SIMD4<Double>, _ t: Double) -> SIMD4<Double> {
    let alpha = a.w * (1 - t) + b.w * t
    var c = (a * a.w * (1 - t) + b * b.w * t) / max(alpha, 1e-9)
    c.w = alpha
    return c
  }

  static func run(
    _ name: String, _ values: [String: FilterValue], hasAlpha: Bool = false
  ) throws -> FilterPicture {
    var all = values
    all["color0"] = .numbers(bright)
    all["color1"] = .numbers(glass)
    return try FilterPicture.noise(hasAlpha: hasAlpha).edited(FilterStep(name, all))
  }

  static func unit(_ t: Double) -> Double { min(max(t, 0), 1) }
  static func smooth(_ t: Double) -> Double { unit(t) * unit(t) * (3 - 2 * unit(t)) }

  @Test("a constant colour is the same everywhere", arguments: [0, 2.0])
  func oneColor(stops: Double) throws {
    let want = try Self.light(Self.glass, stops)
    try FilterPicture.noise().edited(
      FilterStep("constant-color", ["color": .numbers(Self.glass), "exposure": .number(stops)])
    ).expect { _, _ in want }
  }

  @Test("a checkerboard has squares of its width and sharpness", arguments: [1, 0.5, 0.0])
  func squares(sharpness: Double) throws {
    let a = try Self.light(Self.bright), b = try Self.light(Self.glass), width = 5.0
    let result = try Self.run(
      "checkerboard",
      ["center": .numbers([3, -2.25]), "width": .number(width), "sharpness": .number(sharpness)], hasAlpha: true)
    func odd(_ x: Double) -> Double {
      let cell = x.rounded(.down), e = min(x - cell, cell + 1 - x)
      let h = sharpness == 1 ? 1 : Self.smooth(0.5 + e / (1 - sharpness))
      return Int(cell) & 1 == 0 ? 1 - h : h
    }
    result.expect(4e-6) { x, y in
      let u = odd((Double(x) + 0.5 - 3) / width), v = odd((Double(y) + 0.5 + 2.25) / width)
      return Self.mix(a, b, u * (1 - v) + v * (1 - u))
    }
    if sharpness == 1 {
      // Whole cells: the colours themselves.
      #expect(result.pixels.allSatisfy { abs($0.w - 1) < 1e-7 || abs($0.w - 0.25) < 1e-7 })
    }
  }

  @Test func stripesAreUpright() throws {
    let a = try Self.light(Self.bright, -1), b = try Self.light(Self.glass, -1)
    try Self.run(
      "stripes", ["center": .numbers([0, 0]), "width": .number(4), "exposure": .number(-1)]
    ).expect(4e-6) { x, _ in (x / 4) & 1 == 0 ? a : b }
  }

  @Test("a linear gradient changes along its line only", arguments: [false, true])
  func alongALine(smooth: Bool) throws {
    let a = try Self.light(Self.bright), b = try Self.light(Self.glass), p = [2.0, 3], q = [19.0, 11]
    try Self.run(
      "linear-gradient", ["point0": .numbers(p), "point1": .numbers(q), "smooth": .flag(smooth)], hasAlpha: true
    ).expect(4e-6) { x, y in
      let dx = q[0] - p[0], dy = q[1] - p[1]
      let t = ((Double(x) + 0.5 - p[0]) * dx + (Double(y) + 0.5 - p[1]) * dy) / (dx * dx + dy * dy)
      return Self.mix(a, b, smooth ? Self.smooth(t) : Self.unit(t))
    }
  }

  @Test("a radial gradient changes between its two circles", arguments: [[2.0, 9], [9, 2], [6, 6]])
  func betweenCircles(radii: [Double]) throws {
    let a = try Self.light(Self.bright), b = try Self.light(Self.glass)
    try Self.run(
      "radial-gradient",
      ["center": .numbers([11.3, 8]), "radius0": .number(radii[0]), "radius1": .number(radii[1])]
    ).expect(4e-6) { x, y in
      let dx = Double(x) + 0.5 - 11.3, dy = Double(y) + 0.5 - 8, d = (dx * dx + dy * dy).squareRoot()
      return Self.mix(
        a, b, radii[0] == radii[1] ? (d > radii[0] ? 1 : 0) : Self.unit((d - radii[0]) / (radii[1] - radii[0])))
    }
  }

  @Test("a Gaussian gradient is a Gaussian of its radius about its centre")
  func spot() throws {
    let a = try Self.light(Self.bright), b = try Self.light(Self.glass)
    // No centre: the picture's.
    try Self.run("gaussian-gradient", ["radius": .number(12)]).expect(4e-6) { x, y in
      let dx = Double(x) + 0.5 - 11.5, dy = Double(y) + 0.5 - 8.5
      return Self.mix(a, b, 1 - ExactMath.exp(-(dx * dx + dy * dy) / (2 * 4 * 4)))
    }
  }

  @Test func opaqueColorsHideAlphaAndSayTheirHeadroom() throws {
    let result = try FilterPicture.noise(hasAlpha: true).edited(
      FilterStep("checkerboard", ["color0": .numbers([2, 2, 2])]))
    #expect(result.pixels.allSatisfy { $0.w == 1 })
    var recipe = RenderRecipe(target: OutputSignal(encoding: .linear, sink: .rgba16f))
    recipe.edits = [
      FilterStep("checkerboard", ["color0": .numbers([2, 2, 2]), "exposure": .number(1)])
    ]
    let headroom = try #require(recipe.headroom(afterEditing: Headroom(factor: 40)))
    #expect(abs(headroom.factor - 2 * Transfer.sRGBDecode(2)) < 1e-9)
    recipe.edits = [FilterStep("constant-color", ["color": .numbers([0.2, 0.2, 0.2])])]
    #expect(recipe.headroom(afterEditing: Headroom(factor: 40))?.factor == 1)
  }

  /// A generator as an input has the size that it is given, or the picture's.
  @Test("a generator has the size that it is given, else the picture's")
  func madeOfNothing() throws {
    let step = FilterStep("constant-color", ["color": .numbers([1, 1, 1])]), picture = FilterPicture.noise()
    for (width, height) in [(nil, nil), (5, 3)] as [(Int?, Int?)] {
      let result = try picture.edited(
        [FilterStep("source-over", ["input": .word("light")])],
        inputs: ["light": FilterInput(.generated(step, width: width, height: height))])
      result.expect { x, y in
        x < width ?? 100 && y < height ?? 100 ? SIMD4(1, 1, 1, 1) : picture[x, y]
      }
    }
    #expect(throws: PlanError.self) {
      try picture.edited(FilterStep("linear-gradient", ["point1": .numbers([0, 0])]))
    }
  }
}
