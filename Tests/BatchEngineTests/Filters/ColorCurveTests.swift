import HDRCore
import Testing

/// Filters that are a curve of each component.
@Suite struct ColorCurveTests {
  let picture = FilterPicture.noise(hasAlpha: true)

  /// Components from 2^-24 to 2^16 and their negatives.
  static let wide = FilterPicture(width: 160, height: 2) { x, y in
    let v = ExactMath.exp2(Double(x) / 4 - 24) * (y == 0 ? 1 : -1)
    let half = Double(E32.float(half: E32.half(Float(v))))
    return SIMD4(half, half / 2, -half, 1)
  }

  @Test(arguments: [0.1, 0.45, 1 / 2.4, 2, 2.2, 3.7, 10]) func powersKeepTheSign(power: Double) throws {
    let step = FilterStep("gamma", ["power": .number(power)])
    for picture in [picture, Self.wide] {
      try picture.edited(step).expectColors(of: picture, 1e-5) { c in
        c.map { v in
          let p = min(ExactMath.pow(abs(v), power), 1_048_576)
          // Halves below 2^-30 are 0, and so is their power.
          return abs(v) < 0x1p-30 ? 0 : (v < 0 ? -p : p)
        }
      }
    }
  }

  @Test func sRGBCurvesGoOnAboveWhite() throws {
    for picture in [picture, Self.wide] {
      try picture.edited(FilterStep("linearToSRGB")).expectColors(of: picture, 4e-6) { $0.map(Transfer.sRGBEncode) }
      try picture.edited(FilterStep("sRGBToLinear")).expectColors(of: picture, 4e-6) {
        $0.map { min(max(Transfer.sRGBDecode($0), -1_048_576), 1_048_576) }
      }
    }
  }

  @Test func polynomialOfEachComponent() throws {
    let lists: [[Double]] = [[0.1, 0.5, 0.25, -0.01], [0, 0, 0, 1], [-1, 2, 0, 0], [0.5, -0.25, 0.3, 0.1]]
    let names = ["redCoefficients", "greenCoefficients", "blueCoefficients", "alphaCoefficients"]
    for picture in [picture, FilterPicture.noise(seed: 3)] {
      let result = try picture.edited(
        FilterStep("colorPolynomial", Dictionary(uniqueKeysWithValues: zip(names, lists.map { .numbers($0) }))))
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

  @Test func polynomialOfTheLargestLightIsFinite() throws {
    let step = FilterStep("colorPolynomial", ["redCoefficients": .numbers([0, 0, 0, 100])])
    let bright = FilterPicture(width: 3, height: 1) { x, _ in SIMD4(x == 0 ? -65504 : 65504, 1, 1, 1) }
    let result = try bright.edited([step, step, step, step], inputs: [:])
    #expect(result.pixels.map(\.x) == [-1_048_576, 1_048_576, 1_048_576])
  }

  @Test func clampCutsEachComponent() throws {
    let low = [-0.25, 0.5, 2, 0.2], high = [0.5, 3, 1, 0.8]
    for picture in [picture, FilterPicture.noise(seed: 4)] {
      try picture.edited(FilterStep("colorClamp", ["min": .numbers(low), "max": .numbers(high)])).expect(0) { x, y in
        var q = picture[x, y]
        for i in 0..<4 { q[i] = Double(Float(min(max(q[i], low[i]), high[i]))) }
        return q
      }
    }
  }

  @Test func thresholdIsReached() throws {
    try picture.edited(FilterStep("colorThreshold", ["threshold": .number(picture[0, 0].x)]))
      .expectColors(of: picture, 0) { $0.map { $0 >= picture[0, 0].x ? 1 : 0 } }
  }

  @Test(arguments: [1.0, 6, 7.5, 1000]) func stepsGoOnAboveWhite(levels: Double) throws {
    let step = FilterStep("colorPosterize", ["levels": .number(levels)])
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
    let n = points.count
    let d = (0..<n - 1).map { (points[$0 + 1][1] - points[$0][1]) / (points[$0 + 1][0] - points[$0][0]) }
    var m = [d[0]] + (1..<n - 1).map { d[$0 - 1] * d[$0] > 0 ? (d[$0 - 1] + d[$0]) / 2 : 0 } + [d[n - 2]]
    for k in 0..<n - 1 {
      if d[k] == 0 {
        m[k] = 0
        m[k + 1] = 0
      } else if (m[k] * m[k] + m[k + 1] * m[k + 1]) > 9 * d[k] * d[k] {
        let tau = 3 * abs(d[k]) / (m[k] * m[k] + m[k + 1] * m[k + 1]).squareRoot()
        m[k] *= tau
        m[k + 1] *= tau
      }
    }
    return { v in
      if v <= points[0][0] { return points[0][1] + (extrapolates ? m[0] * (v - points[0][0]) : 0) }
      if v >= points[n - 1][0] { return points[n - 1][1] + (extrapolates ? m[n - 1] * (v - points[n - 1][0]) : 0) }
      let k = (0..<n - 1).last { points[$0][0] <= v }!, h = points[k + 1][0] - points[k][0], t = (v - points[k][0]) / h
      let h00 = 2 * t * t * t - 3 * t * t + 1, h10 = t * t * t - 2 * t * t + t
      let h01 = -2 * t * t * t + 3 * t * t, h11 = t * t * t - t * t
      return h00 * points[k][1] + h10 * h * m[k] + h01 * points[k + 1][1] + h11 * h * m[k + 1]
    }
  }

  static let lists: [[[Double]]] = [
    [[0, 0], [0.25, 0.15], [0.5, 0.5], [0.75, 0.9], [1, 1]],
    [[0, 0.1], [0.2, 0.2], [0.5, 0.6], [0.7, 0.6], [1, 0.8]],
    [[-0.3, -0.1], [0.1, 0.05], [1, 1.2], [2, 1.9], [3, 2]],
    [[0, 1], [0.25, 0.9], [0.5, 0.2], [0.75, 0.1], [1, 0]],
  ]

  @Test(arguments: lists, [true, false])
  func fivePointsInEncodedValues(points: [[Double]], extrapolates: Bool) throws {
    let picture = FilterPicture.noise(width: 61, height: 47, hasAlpha: true), f = Self.curve(points, extrapolates)
    var values: [String: FilterValue] = ["extrapolate": .flag(extrapolates)]
    // In any order.
    for (i, point) in points.reversed().enumerated() { values["point\(i)"] = .numbers(point) }
    for picture in [picture, ColorCurveTests.wide] {
      try picture.edited(FilterStep("toneCurve", values)).expectColors(of: picture, 4e-5) {
        $0.map { min(max(Transfer.sRGBDecode(f(Transfer.sRGBEncode($0))), -1_048_576), 1_048_576) }
      }
    }
  }

  @Test func equalPlacesAreAnError() {
    #expect(throws: PlanError.self) {
      try FilterPicture.noise().edited(FilterStep("toneCurve", ["point1": .numbers([0.5, 0.2])]))
    }
  }
}
