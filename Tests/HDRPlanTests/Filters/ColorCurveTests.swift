import HDRCore
import HDRPlan
import Kernels
import TestPlans
import Testing

/// Filters that are a curve of each component.
@Suite struct ColorCurveTests {
  let picture = FilterPicture.noise(hasAlpha: true)

  /// Components from 2^-24 to 2^16 and their negatives.
  static let wide = FilterPicture(width: 160, height: 2) { x, y in
    let v = ExactMath.exp2(Double(x) / 4 - 24) * (y == 0 ? 1 : -1)
    func half(_ x: Double) -> Double { Double(E32.float(half: E32.half(Float(x)))) }
    return SIMD4(half(v), half(v / 2), half(-v), 1)
  }

  @Test(arguments: [0.1, 0.45, 1 / 2.4, 2, 2.2, 3.7, 10]) func powersKeepTheSign(power: Double) throws {
    let step = FilterStep("gamma", ["power": .number(power)])
    for picture in [picture, Self.wide] {
      try picture.edited(step).expectColors(of: picture, 1e-5) { c in
        c.map { min(max(ExactMath.oddPow($0, power), -1_048_576), 1_048_576) }
      }
    }
  }

  @Test func sRGBCurvesGoOnAboveWhite() throws {
    for picture in [picture, Self.wide] {
      try picture.edited(FilterStep("linear-to-srgb")).expectColors(of: picture, 4e-6) { $0.map(Transfer.sRGBEncode) }
      try picture.edited(FilterStep("srgb-to-linear")).expectColors(of: picture, 4e-6) {
        $0.map { min(max(Transfer.sRGBDecode($0), -1_048_576), 1_048_576) }
      }
    }
  }

  @Test func eachComponentHasItsOwnPolynomial() throws {
    let lists: [[Double]] = [[0.1, 0.5, 0.25, -0.01], [0, 0, 0, 1], [-1, 2, 0, 0], [0.5, -0.25, 0.3, 0.1]]
    let names = ["red-coefficients", "green-coefficients", "blue-coefficients", "alpha-coefficients"]
    for picture in [picture, FilterPicture.noise(seed: 3)] {
      let result = try picture.edited(
        FilterStep("color-polynomial", Dictionary(uniqueKeysWithValues: zip(names, lists.map { .numbers($0) }))))
      result.expect { x, y in
        var q = picture[x, y]
        for i in 0..<4 {
          let v = q[i], a = lists[i]
          q[i] = a[0] + a[1] * v + a[2] * v * v + a[3] * v * v * v
        }
        q.w = min(max(q.w, 0), 1)
        return q
      }
    }
  }

  /// Squares and cubes on a picture of headroom above 2 are worth a word; lines are not, nor is dark light.
  @Test func polynomialsOfBrightPicturesWarn() throws {
    func codes(_ red: [Double], ev: Double) throws -> [String] {
      var recipe = RenderRecipe(
        target: OutputSignal(primaries: 9, encoding: .linear, sink: .floatPlanes), tone: .none, gamut: .none)
      recipe.edits = [
        FilterStep("exposure", ["ev": .number(ev)]),
        FilterStep("color-polynomial", ["red-coefficients": .numbers(red)]),
      ]
      return try Planner.plan(FilterPicture.noise().source, recipe).report.warnings.map(\.code)
    }
    #expect(try codes([0, 0.9, 0.1, 0], ev: 0).contains("filter.polynomial"))
    #expect(try codes([0, 0.9, 0, 0.1], ev: -1).contains("filter.polynomial"))
    #expect(try !codes([0.1, 0.9, 0, 0], ev: 0).contains("filter.polynomial"))
    #expect(try !codes([0, 0.9, 0.1, 0], ev: -2).contains("filter.polynomial"))
  }

  @Test func polynomialOfTheLargestLightIsFinite() throws {
    let step = FilterStep("color-polynomial", ["red-coefficients": .numbers([0, 0, 0, 100])])
    let bright = FilterPicture(width: 3, height: 1) { x, _ in SIMD4(x == 0 ? -65504 : 65504, 1, 1, 1) }
    let result = try bright.edited([step, step, step, step], inputs: [:])
    #expect(result.pixels.map(\.x) == [-1_048_576, 1_048_576, 1_048_576])
  }

  @Test func clampCutsEachComponent() throws {
    let low = [-0.25, 0.5, 2, 0.2], high = [0.5, 3, 1, 0.8]
    for picture in [picture, FilterPicture.noise(seed: 4)] {
      try picture.edited(FilterStep("color-clamp", ["min": .numbers(low), "max": .numbers(high)])).expect(0) { x, y in
        var q = picture[x, y]
        for i in 0..<4 { q[i] = Double(Float(min(max(q[i], low[i]), high[i]))) }
        return q
      }
    }
  }

  @Test func lightAtTheThresholdBecomesWhite() throws {
    try picture.edited(FilterStep("color-threshold", ["threshold": .number(picture[0, 0].x)]))
      .expectColors(of: picture, 0) { $0.map { $0 >= picture[0, 0].x ? 1 : 0 } }
  }

  @Test(arguments: [1.0, 6, 7.5, 1000]) func posterizedStepsGoOnAboveWhite(levels: Double) throws {
    let step = FilterStep("color-posterize", ["levels": .number(levels)])
    for picture in [picture, Self.wide] {
      try picture.edited(step).expectColors(of: picture, 1e-6) { c in
        c.map { v in
          // The step is chosen in binary32.
          let q = Double(Float(Float(v) * Float(levels)) + 0.5)
          return abs(q) < 4_194_304 ? q.rounded(.down) / levels : v
        }
      }
    }
  }
}

@Suite struct ToneCurveTests {
  /// Value and slope of the Hermite form, written from the paper.
  static func curve(_ points: [[Double]], _ extrapolates: Bool) -> (Double) -> Double {
    let x = points.map { $0[0] }, y = points.map { $0[1] }, last = points.count - 1
    let d: [Double] = (0..<last).map { k in
      let rise = y[k + 1] - y[k]
      return rise / (x[k + 1] - x[k])
    }
    var m: [Double] = [d[0]]
    for k in 1..<last { m.append(d[k - 1] * d[k] > 0 ? (d[k - 1] + d[k]) / 2 : 0) }
    m.append(d[last - 1])
    for k in 0..<last {
      let square: Double = m[k] * m[k] + m[k + 1] * m[k + 1]
      if d[k] == 0 {
        m[k] = 0
        m[k + 1] = 0
      } else if square > 9 * d[k] * d[k] {
        let tau: Double = 3 * abs(d[k]) / square.squareRoot()
        m[k] *= tau
        m[k + 1] *= tau
      }
    }
    return { v in
      if v <= x[0] { return y[0] + (extrapolates ? m[0] * (v - x[0]) : 0) }
      if v >= x[last] { return y[last] + (extrapolates ? m[last] * (v - x[last]) : 0) }
      let k = (0..<last).last { x[$0] <= v }!, h = x[k + 1] - x[k], t = (v - x[k]) / h, t2 = t * t, t3 = t2 * t
      let h01: Double = 3 * t2 - 2 * t3, h10: Double = t3 - 2 * t2 + t, h11: Double = t3 - t2
      let values: Double = (1 - h01) * y[k] + h01 * y[k + 1]
      return values + h * (h10 * m[k] + h11 * m[k + 1])
    }
  }

  static let lists: [[[Double]]] = [
    [[0, 0], [0.25, 0.15], [0.5, 0.5], [0.75, 0.9], [1, 1]],
    [[0, 0.1], [0.2, 0.2], [0.5, 0.6], [0.7, 0.6], [1, 0.8]],
    [[-0.3, -0.1], [0.1, 0.05], [1, 1.2], [2, 1.9], [3, 2]],
    [[0, 1], [0.25, 0.9], [0.5, 0.2], [0.75, 0.1], [1, 0]],
  ]

  @Test(arguments: lists, [true, false])
  func fivePointsMakeACurveOfEncodedValues(points: [[Double]], extrapolates: Bool) throws {
    let picture = FilterPicture.noise(width: 61, height: 47, hasAlpha: true), f = Self.curve(points, extrapolates)
    var values: [String: FilterValue] = ["extrapolate": .flag(extrapolates)]
    // In any order.
    for (i, point) in points.reversed().enumerated() { values["point\(i)"] = .numbers(point) }
    for picture in [picture, ColorCurveTests.wide] {
      // Where the curve ends in a corner, the segment of the table that it lies in rounds it.
      let tolerance = extrapolates ? 2e-5 : 2e-4
      try picture.edited(FilterStep("tone-curve", values)).expectColors(of: picture, tolerance) {
        $0.map { min(max(Transfer.sRGBDecode(f(Transfer.sRGBEncode($0))), -1_048_576), 1_048_576) }
      }
    }
  }

  @Test func pointsAtEqualPlacesAreAnError() {
    #expect(throws: PlanError.self) {
      try FilterPicture.noise().edited(FilterStep("tone-curve", ["point1": .numbers([0.5, 0.2])]))
    }
  }
}
