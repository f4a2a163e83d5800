import HDRCore
import HDRPlan
import TestPlans
import Testing

/// Filters that look colours up: color-curves, color-map, false-color.
@Suite struct ColorScaleTests {
  static func curves(_ rgb: [Double]) -> [Double] {
    let x = rgb.map { min(max($0, 0), 1) }
    return [x[0] * (1.2 - 0.2 * x[0]), x[1] * x[1] * (0.5 + 0.5 * x[1]), 1 - x[2]]
  }

  /// The curves as a LUT of `size` values.
  static func line(_ size: Int) -> CubeLUT {
    let values = (0..<size).flatMap { i in
      curves([Double](repeating: Double(i) / Double(size - 1), count: 3)).map { Float($0) }
    }
    return CubeLUT(
      shaper: CubeLUT.Table1D(size: size, domainMin: [0, 0, 0], domainMax: [1, 1, 1], values: values), cube: nil)
  }

  static func edited(
    _ p: FilterPicture, _ lut: CubeLUT, _ values: [String: FilterValue]
  ) throws -> FilterPicture {
    try p.edited(
      [FilterStep("color-curves", values.merging(["curves": .word("c")]) { own, _ in own })],
      inputs: ["c": FilterInput(lut)], content: .sdr)
  }

  static let linear: [String: FilterValue] = ["space": .word("linear-bt2020")]

  @Test("each component goes through its curve and is cut beyond the domain") func curvesOfComponents() throws {
    let p = ColorCubeTests.light(peak: 1.5)
    try Self.edited(p, Self.line(513), Self.linear).expectColors(of: p, 2e-6) { Self.curves($0) }
    let wide = Self.linear.merging(["domain": .numbers([-1, 3])]) { $1 }
    try Self.edited(p, Self.line(513), wide).expectColors(of: p, 2e-6) { rgb in
      Self.curves(rgb.map { ($0 + 1) / 4 })
    }
  }

  @Test func colorCurvesTakeHDROnlyInPQ() throws {
    let filter = try #require(Filters.named("colorCurves")), bright = Headroom(factor: 8)
    let takes = (filter.takes(bright, FilterValues()), filter.takes(bright, FilterValues(["space": .word("pq")])))
    #expect(takes == (false, true))
  }

  @Test func wrongCurvesAndDomainsAreNamed() {
    let p = FilterPicture.noise()
    let notOne = "color-curves wants one 1D table, and input \"c\" has other parts"
    #expect(throws: PlanError.invalidParameter("\(notOne)")) {
      try Self.edited(p, ColorCubeTests.cube(2), [:])
    }
    #expect(throws: PlanError.invalidParameter("color-curves: the domain's end is not above its start")) {
      try Self.edited(p, Self.line(4), ["domain": .numbers([1, 1])])
    }
  }

  @Test("a pixel's luminance is its place in the scale", arguments: [1, 2, 5], [false, true])
  func mapOfLuminance(height: Int, hasAlpha: Bool) throws {
    let noise = FilterPicture.noise(hasAlpha: true)
    let p = FilterPicture(width: noise.width, height: noise.height) { x, y in
      SIMD4(noise[x, y].x / 10, noise[x, y].y / 10, noise[x, y].z / 10, noise[x, y].w)
    }.halved
    for width in [1, 7] {
      let scale = FilterPicture.noise(width: width, height: height, seed: 4, hasAlpha: hasAlpha)
      let row = (0..<width).map { x in
        (0..<height).reduce(SIMD4<Double>.zero) { $0 + scale.premultiplied(x, $1) } / Double(height)
      }
      let result = try p.edited(
        [FilterStep("color-map", ["gradient": .word("scale")])], inputs: ["scale": FilterInput(.picture(scale.source))],
        content: .sdr)
      FilterPicture(width: p.width, height: p.height) { CompositingTests.premultiplied(result[$0, $1]) }.expect(1e-4) {
        x, y in
        let c = p[x, y], light = min(max(0.2627 * c.x + 0.678 * c.y + 0.0593 * c.z, 0), 1)
        let place = light * Double(width - 1), left = min(Int(place), max(width - 2, 0)), f = place - Double(left)
        return (row[left] * (1 - f) + row[min(left + 1, width - 1)] * f) * c.w
      }
    }
  }

  @Test func aLUTIsNoScale() {
    #expect(throws: PlanError.invalidParameter("input \"c\" is a LUT and no picture")) {
      try FilterPicture.noise().edited(
        [FilterStep("color-map", ["gradient": .word("c")])], inputs: ["c": FilterInput(ColorCubeTests.cube(2))],
        content: .sdr)
    }
  }

  @Test("false colours go on beyond the second") func falseColors() throws {
    let p = FilterPicture.noise(hasAlpha: true)
    let dark = FilterValues(["c": .numbers([0.2, 0, 0.5])]), bright = FilterValues(["c": .numbers([1, 1.2, 0.1])])
    let result = try p.edited(
      FilterStep("false-color", ["color0": .numbers([0.2, 0, 0.5]), "color1": .numbers([1, 1.2, 0.1])]))
    let toWide = Primaries.bt709.matrix(to: .bt2020)!
    func light(_ values: FilterValues) -> [Double] {
      guard case .numbers(let list) = values.values["c"] else { return [] }
      return toWide * list.map { Transfer.sRGBDecode($0) }
    }
    let a = light(dark), b = light(bright)
    result.expectColors(of: p, 2e-6) { rgb in
      let y = 0.2627 * rgb[0] + 0.678 * rgb[1] + 0.0593 * rgb[2]
      return (0..<3).map { a[$0] + y * (b[$0] - a[$0]) }
    }
  }
}
