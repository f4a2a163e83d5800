import CPURender
import HDRCore
import HDRPlan
import Kernels
import TestPlans
import Testing

@Suite struct ColorCubeTests {
  /// A look that bends the channels and mixes them a little.
  static func look(_ c: [Double]) -> [Double] {
    let (x, y, z) = (c[0], c[1], c[2])
    return [x * (1.1 - 0.1 * x) + 0.03 * y * z, y * (0.9 + 0.12 * y) - 0.01, z * (1.05 - 0.08 * z) + 0.04 * x * y]
  }

  /// The look as a cube of `size` nodes a side.
  static func cube(_ size: Int) -> CubeLUT {
    let nodes = (0..<size).map { Double($0) / Double(size - 1) }
    var values: [Float] = []
    for b in nodes { for g in nodes { for r in nodes { values += look([r, g, b]).map { Float($0) } } } }
    return CubeLUT(
      shaper: nil, cube: CubeLUT.Table3D(size: size, domainMin: [0, 0, 0], domainMax: [1, 1, 1], values: values))
  }

  static func light(peak: Double) -> FilterPicture {
    let noise = FilterPicture.noise(hasAlpha: true)
    return FilterPicture(width: noise.width, height: noise.height) { x, y in
      var p = noise[x, y]
      for c in 0..<3 { p[c] = Double(E32.float(half: E32.half(Float((p[c] + 0.5) / 16.5 * peak)))) }
      return p
    }
  }

  func edited(_ picture: FilterPicture, _ lut: CubeLUT, _ values: [String: FilterValue]) throws -> FilterPicture {
    try picture.edited(
      [FilterStep("color-cube", values.merging(["lut": .word("look")]) { own, _ in own })],
      inputs: ["look": FilterInput(lut)])
  }

  @Test(arguments: ["tetrahedral", "trilinear"]) func linearValuesGoThroughTheLattice(interpolation: String) throws {
    let picture = Self.light(peak: 1)
    let result = try edited(
      picture, Self.cube(65),
      ["space": .word("linear-bt2020"), "interpolation": .word(interpolation)])
    // Curvature of the look times an eighth of a cell squared.
    result.expectColors(of: picture, 1e-4) { Self.look($0) }
  }

  @Test func lutSpaceDecidesPrimariesAndCurve() throws {
    let picture = Self.light(peak: 0.3)
    let there = Primaries.bt2020.matrix(to: .displayP3)!, back = Primaries.displayP3.matrix(to: .bt2020)!
    let identity = try edited(picture, Self.cube(65), ["space": .word("p3")])
    identity.expectColors(of: picture, 5e-3) { c in
      back * Self.look((there * c).map(Transfer.sRGBEncode)).map(Transfer.sRGBDecode)
    }
  }

  /// Compares the filter with the recipe's own LUTs.
  @Test(arguments: ["linear", "srgb", "gamma22-p3", "p3", "pq", "hlg-p3"])
  func colorCubeDoesTheSameAsALUTOfTheRecipe(space: String) throws {
    let picture = FilterPicture.noise(hasAlpha: true), lut = Self.cube(17)
    var recipe = RenderRecipe(
      target: OutputSignal(primaries: 9, encoding: .linear, sink: .floatPlanes), tone: .none, gamut: .none)
    recipe.luts = [LUTChoice(lut: lut, space: ColorSpace(space)!)]
    let image = CPUBackend.best.render(try Planner.plan(picture.source, recipe), threads: 1)
    let result = try edited(picture, lut, ["space": .word(space)])
    result.expect(1e-6) { x, y in
      var p = picture[x, y]
      for c in 0..<3 {
        let plane = image.channels[c]
        p[c] = Double(
          (plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes).load(as: Float.self))
      }
      return p
    }
  }

  /// An identity stays one far above its domain; clamped it ends at white.
  @Test func extrapolationIsAChoice() throws {
    let values: [Float] = [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1]
    let lut = CubeLUT(
      shaper: nil, cube: .init(size: 2, domainMin: [0, 0, 0], domainMax: [1, 1, 1], values: values))
    let picture = FilterPicture.noise()
    let space: [String: FilterValue] = ["space": .word("bt2020-linear")]
    try edited(picture, lut, space).expectColors(of: picture, 4e-6) { $0 }
    try edited(picture, lut, space.merging(["extrapolate": .flag(false)]) { $1 }).expectColors(of: picture, 1e-6) {
      $0.map { min(max($0, 0), 1) }
    }
  }

  @Test("a mask decides between two LUTs") func twoLUTs() throws {
    let picture = Self.light(peak: 1), mask = TransitionTests.mask(picture.width, picture.height)
    let result = try picture.edited(
      [
        FilterStep(
          "color-cubes-mixed-with-mask",
          [
            "lut0": .word("look"), "lut1": .word("curves"), "mask": .word("mask"), "space": .word("linear-bt2020"),
          ])
      ],
      inputs: [
        "look": FilterInput(Self.cube(65)), "curves": FilterInput(ColorScaleTests.line(513)),
        "mask": FilterInput(.picture(mask.source)),
      ])
    result.expect(1e-4) { x, y in
      let c = picture[x, y], m = mask[x, y].x
      let a = Self.look([c.x, c.y, c.z]), b = ColorScaleTests.curves([c.x, c.y, c.z])
      let mixed = (0..<3).map { a[$0] * (1 - m) + b[$0] * m }
      return SIMD4(mixed[0], mixed[1], mixed[2], c.w)
    }
  }

  @Test func inputsOfTheWrongKindAreErrors() throws {
    let picture = FilterPicture.noise(), cube = FilterInput(Self.cube(2))
    #expect(throws: PlanError.invalidParameter("input \"a\" is no LUT")) {
      try picture.edited(
        [FilterStep("color-cube", ["lut": .word("a")])], inputs: ["a": FilterInput(.picture(picture.source))])
    }
    #expect(throws: PlanError.invalidParameter("input \"a\" is a LUT and no picture")) {
      try picture.edited([FilterStep("source-over", ["input": .word("a")])], inputs: ["a": cube])
    }
    #expect(throws: PlanError.self) {
      try picture.edited([FilterStep("color-cube", ["lut": .word("b")])], inputs: ["a": cube])
    }
  }
}
