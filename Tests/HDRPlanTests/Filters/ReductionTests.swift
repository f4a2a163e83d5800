import CPURender
import HDRCore
import HDRPlan
import Kernels
import TestPlans
import Testing

@Suite struct ReductionTests {
  static let extents: [[Double]?] = [nil, [3, 2, 7, 9], [-5, 10, 300, 300]]

  /// Pixels of a part of a picture.
  static func part(_ p: FilterPicture, _ extent: [Double]?) -> [SIMD4<Double>] {
    let r = extent ?? [0, 0, Double(p.width), Double(p.height)]
    let xs = max(0, Int(r[0]))..<min(p.width, Int(r[0] + r[2])),
      ys = max(0, Int(r[1]))..<min(p.height, Int(r[1] + r[3]))
    return ys.flatMap { y in xs.map { x in p[x, y] } }
  }

  static func step(_ name: String, _ extent: [Double]?, _ values: [String: FilterValue] = [:]) -> FilterStep {
    FilterStep(name, values.merging(extent.map { ["extent": .numbers($0)] } ?? [:]) { a, _ in a })
  }

  /// Sizes below, at and beyond one block.
  static let pictures = [
    FilterPicture.noise(hasAlpha: true), FilterPicture.noise(), FilterPicture.noise(width: 1, height: 1),
    FilterPicture.noise(width: 300, height: 130, hasAlpha: true),
    FilterPicture.noise(width: 4200, height: 70, seed: 5),
  ]

  @Test("an area average is the mean of its extent", arguments: pictures.indices)
  func mean(index: Int) throws {
    let picture = Self.pictures[index]
    for extent in Self.extents where index != 2 || extent == nil {
      let all = Self.part(picture, extent)
      let result = try picture.edited(Self.step("area-average", extent))
      #expect(result.width == 1 && result.height == 1)
      result.expect(2e-6) { _, _ in
        CompositingTests.straight(
          all.map(CompositingTests.premultiplied).reduce(.zero, +) / Double(all.count))
      }
    }
  }

  @Test("area extremes are the largest and smallest components of the extent", arguments: pictures.indices)
  func extremes(index: Int) throws {
    let picture = Self.pictures[index]
    for extent in Self.extents where index != 2 || extent == nil {
      let all = Self.part(picture, extent)
      let low = all.reduce(all[0], pointwiseMin), high = all.reduce(all[0], pointwiseMax)
      try picture.edited(Self.step("area-maximum", extent)).expect(0) { _, _ in high }
      try picture.edited(Self.step("area-minimum", extent)).expect(0) { _, _ in low }
      let both = try picture.edited(Self.step("area-min-max", extent))
      #expect(both.width == 2 && both.height == 1)
      both.expect(0) { x, _ in x == 0 ? low : high }
      let solid = try picture.edited(Self.step("area-maximum-alpha", extent))
      #expect(solid[0, 0].w == high.w)
      #expect(all.contains(solid[0, 0]))
    }
  }

  /// Light on the edges of bins, outside and everywhere; counts are exact.
  @Test("a logarithmic histogram counts every pixel in exactly one bin", arguments: [64, 1, 7, 700], [false, true])
  func stopsAreCounted(count: Int, hasAlpha: Bool) throws {
    var picture = FilterPicture.noise(width: 150, height: 90, hasAlpha: hasAlpha)
    for i in picture.pixels.indices where i % 3 == 0 {
      let edge = ExactMath.exp2(Double(i % 40) - 24)
      picture.pixels[i] = SIMD4(edge, -edge, edge * 1.5, picture.pixels[i].w)
    }
    let low = -10.0, high = 4.0
    func bins(_ extent: [Double]?) -> [SIMD4<Double>] {
      var result = [SIMD4<Double>](repeating: .zero, count: count)
      for p in Self.part(picture, extent) {
        for channel in 0..<4 {
          func half(_ x: Double) -> Double { Double(E32.float(half: E32.half(Float(x)))) }
          let v = half(p[channel])
          let stops = ExactMath.log2(max(v, ExactMath.exp2(-24)))
          let q = channel == 3 ? v * Double(count) : (min(max(stops, low), high) - low) * Double(count) / (high - low)
          result[min(Int(q.rounded(.down)), count - 1)][channel] += 1
        }
      }
      return result
    }
    for extent in Self.extents {
      let result = try picture.edited(
        Self.step("area-logarithmic-histogram", extent, ["count": .number(Double(count))]))
      #expect(result.width == count && result.height == 1)
      let pixels = Double(Self.part(picture, extent).count), want = bins(extent)
      result.expect(1e-7) { x, _ in
        var p = want[x] / pixels
        if !hasAlpha { p.w = 1 }
        return p
      }
      // The shares are those of whole counts.
      for (got, counts) in zip(result.pixels, want) { #expect((got * pixels).rounded(.toNearestOrEven).x == counts.x) }
    }
  }

  @Test func linearHistogramTakesOnlySDR() throws {
    var picture = FilterPicture.noise(width: 70, height: 66)
    for i in picture.pixels.indices { picture.pixels[i].x = Double(i % 16) / 2 }
    #expect(throws: PlanError.self) { try picture.edited(FilterStep("area-histogram")) }
    let darker = FilterStep("exposure", ["ev": .number(-3)])
    let result = try picture.edited(darker, FilterStep("area-histogram", ["count": .number(8), "scale": .number(2)]))
    var want = [SIMD4<Double>](repeating: SIMD4(0, 0, 0, 1), count: 8)
    for p in picture.pixels {
      for channel in 0..<3 {
        want[min(max(Int((p[channel] / 8 * 8).rounded(.down)), 0), 7)][channel] += 2 / Double(picture.pixels.count)
      }
    }
    result.expect(2e-7) { x, _ in want[x] }
  }

  @Test func impossibleExtentsAndBinsAreErrors() {
    let picture = FilterPicture.noise()
    for step in [
      FilterStep("area-average", ["extent": .numbers([30, 0, 5, 5])]),
      FilterStep("area-logarithmic-histogram", ["minimum-stop": .number(2), "maximum-stop": .number(2.5)]),
      FilterStep("area-logarithmic-histogram", ["count": .number(2049)]),
    ] {
      #expect(throws: PlanError.self) { try picture.edited(step) }
    }
  }
}
