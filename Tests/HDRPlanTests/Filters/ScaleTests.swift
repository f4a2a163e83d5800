import HDRCore
import HDRPlan
import TestPlans
import Testing

@Suite struct ScaleTests {
  static func sinc(_ x: Double) -> Double {
    x == 0 ? 1 : ExactMath.cosSin(degrees: 180 * x).sin / (x * 3.141592653589793)
  }

  static func kernel(_ method: String) -> (support: Double, weight: (Double) -> Double) {
    switch method {
    case "lanczos": return (3, { abs($0) < 3 ? sinc($0) * sinc($0 / 3) : 0 })
    case "bilinear": return (1, { max(0, 1 - abs($0)) })
    default:
      // Mitchell and Netravali with B = 1/3, C = 1/3, as they print it.
      return (
        2,
        { x in
          let d = abs(x)
          if d < 1 { return (7 * d * d * d - 12 * d * d + 16.0 / 3) / 6 }
          return d < 2 ? (-7.0 / 3 * d * d * d + 12 * d * d - 20 * d + 32.0 / 3) / 6 : 0
        }
      )
    }
  }

  /// Resamples a row or column by the definition: a kernel stretched by the reduction, weights of sum 1 inside.
  static func resampled(_ list: [SIMD4<Double>], to size: Int, _ method: String) -> [SIMD4<Double>] {
    let (support, weight) = kernel(method), step = Double(list.count) / Double(size), stretch = max(1, step)
    if list.count == size { return list }
    return (0..<size).map { i in
      let center = (Double(i) + 0.5) * step - 0.5
      var total = SIMD4<Double>.zero, sum = 0.0
      for j in 0..<list.count where abs(Double(j) - center) <= support * stretch {
        let w = weight((Double(j) - center) / stretch)
        total += list[j] * w
        sum += w
      }
      return total / sum
    }
  }

  static func resampled(_ p: FilterPicture, _ width: Int, _ height: Int, _ method: String) -> FilterPicture {
    let rows = (0..<p.height).map { y in resampled((0..<p.width).map { p.premultiplied($0, y) }, to: width, method) }
    let columns = (0..<width).map { x in resampled(rows.map { $0[x] }, to: height, method) }
    return FilterPicture(width: width, height: height) { x, y in columns[x][y] }
  }

  @Test(
    arguments: ["lanczos", "bicubic", "bilinear"], [(9, 7), (41, 40), (23, 5), (11, 33), (1, 1), (23, 18)])
  func scaledPixelsHaveTheWeightsOfTheDefinition(method: String, size: (Int, Int)) throws {
    for hasAlpha in [false, true] {
      let picture = FilterPicture.noise(hasAlpha: hasAlpha)
      let result = try picture.edited(
        FilterStep(
          "scale",
          [
            "width": .number(Double(size.0)), "height": .number(Double(size.1)), "method": .word(method),
            "b": .number(1.0 / 3), "c": .number(1.0 / 3),
          ]))
      let want = Self.resampled(picture, size.0, size.1, method)
      #expect(result.width == size.0 && result.height == size.1)
      result.expect(hasAlpha ? 2e-4 : 1e-5) { x, y in
        var p = want[x, y]
        // Lobes below zero may take alpha out of 0...1: it is clamped, and colour divided by what it is then.
        p.w = min(max(p.w, 0), 1)
        return p.unpremultiplied
      }
    }
  }

  @Test("area scaling averages the pixels that it covers")
  func areasAreMeans() throws {
    let picture = FilterPicture.noise(width: 24, height: 18)
    let result = try picture.edited(FilterStep("scale", ["factor": .number(0.5), "method": .word("area")]))
    #expect(result.width == 12 && result.height == 9)
    result.expect { x, y in
      (picture[2 * x, 2 * y] + picture[2 * x + 1, 2 * y] + picture[2 * x, 2 * y + 1] + picture[2 * x + 1, 2 * y + 1])
        / 4
    }
  }

  /// The sum over coverage of fractions of pixels.
  @Test func pixelsCoveredInPartCountInPart() throws {
    let picture = FilterPicture.noise(width: 7, height: 1)
    let result = try picture.edited(
      FilterStep("scale", ["width": .number(3), "height": .number(1), "method": .word("area")]))
    result.expect { x, _ in
      var total = SIMD4<Double>.zero
      for j in 0..<7 {
        let from = max(Double(j), Double(x) * 7 / 3), to = min(Double(j + 1), Double(x + 1) * 7 / 3)
        if to > from { total += picture[j, 0] * ((to - from) * 3 / 7) }
      }
      return total
    }
  }

  @Test func signalOfPQIsScaledWhereAskedFor() throws {
    let picture = FilterPicture(width: 16, height: 1) { x, _ in SIMD4(x < 8 ? 0.1 : 16, 1, 4, 1) }
    let step: [String: FilterValue] = ["width": .number(24), "height": .number(1)]
    let linear = try picture.edited(FilterStep("scale", step))
    let pq = try picture.edited(FilterStep("scale", step.merging(["space": .word("pq")]) { $1 }))
    // Ringing in light goes far below black and scales with the highlight; in the signal it stays small.
    #expect((0..<24).map { linear[$0, 0].x }.min()! < -0.5)
    #expect((0..<24).map { pq[$0, 0].x }.min()! > 0.03)
    let signal = FilterPicture(width: 16, height: 1) { x, _ in
      let p = picture[x, 0]
      return SIMD4(
        TransferCurve.pq.encode(p.x), TransferCurve.pq.encode(p.y), TransferCurve.pq.encode(p.z), 1)
    }
    let want = Self.resampled(signal, 24, 1, "lanczos")
    pq.expect(1e-4) { x, _ in
      let p = want[x, 0]
      return SIMD4(TransferCurve.pq.decode(p.x), TransferCurve.pq.decode(p.y), TransferCurve.pq.decode(p.z), 1)
    }
  }

  @Test("a scaled picture has the rounded size")
  func sizesFollow() throws {
    func size(_ values: [String: FilterValue]) throws -> [Int] {
      let p = try FilterPicture.noise(width: 30, height: 20).edited(FilterStep("scale", values))
      return [p.width, p.height]
    }
    #expect(try size([:]) == [30, 20])
    #expect(try size(["factor": .number(0.5)]) == [15, 10])
    #expect(try size(["factor": .number(0.5), "aspect-ratio": .number(2)]) == [30, 10])
    #expect(try size(["width": .number(15)]) == [15, 10])
    #expect(try size(["height": .number(40)]) == [60, 40])
    #expect(try size(["width": .number(3), "height": .number(50)]) == [3, 50])
    #expect(try size(["factor": .number(0.001)]) == [1, 1])
    #expect(throws: PlanError.self) {
      try FilterPicture.noise(width: 30, height: 20).edited(
        FilterStep("scale", ["width": .number(65536), "height": .number(65536)]))
    }
  }

  @Test func thumbnailsAreMeansAndNeverLarger() throws {
    let picture = FilterPicture.noise(width: 40, height: 20, hasAlpha: true)
    let small = try picture.edited(FilterStep("thumbnail", ["size": .number(10)]))
    #expect(small.width == 10 && small.height == 5)
    small.expect(1e-5) { x, y in
      var total = SIMD4<Double>.zero
      for i in 0..<16 { total += picture.premultiplied(4 * x + i % 4, 4 * y + i / 4) / 16 }
      return total.unpremultiplied
    }
    let same = try picture.edited(FilterStep("thumbnail", ["size": .number(100)]))
    #expect(same.width == 40 && same.height == 20)
    let line = try FilterPicture.noise(width: 200, height: 1).edited(FilterStep("thumbnail", ["size": .number(10)]))
    #expect(line.width == 10 && line.height == 1)
  }
}

@Suite struct StretchCropTests {
  static func edited(_ p: FilterPicture, _ w: Double, _ h: Double, crop: Double, center: Double) throws -> FilterPicture
  {
    try p.edited(
      FilterStep(
        "stretch-crop",
        ["size": .numbers([w, h]), "crop-amount": .number(crop), "center-stretch-amount": .number(center)]))
  }

  @Test("a stretch crop with crop amount 1 does not stretch")
  func onlyCropping() throws {
    let picture = FilterPicture.noise(width: 24, height: 16)
    try Self.edited(picture, 12, 16, crop: 1, center: 0).expect { x, y in picture[x + 6, y] }
    try Self.edited(picture, 24, 8, crop: 1, center: 0.5).expect { x, y in picture[x, y + 4] }
  }

  @Test func evenStretchingIsScaling() throws {
    let picture = FilterPicture.noise(width: 24, height: 16)
    let stretched = try Self.edited(picture, 12, 16, crop: 0, center: 1)
    // Twice as high as it fits: half the size, and then columns of twice the height.
    stretched.expect { x, y in (picture[2 * x, y] + picture[2 * x + 1, y]) / 2 }
  }

  /// A ramp shows where places come from: the cubic of the definition.
  @Test(arguments: [0.0, 0.25, 0.8], [0.0, 0.5]) func placesFollowTheCubic(center: Double, crop: Double) throws {
    let size = 400, height = 300
    // Ramps down the columns; 300 rows to 800, 400 columns to 800: the height is stretched.
    let picture = FilterPicture(width: size, height: height) { _, y in SIMD4(Double(y) / 16, 0, 0, 1) }
    let result = try Self.edited(picture, 800, 800, crop: crop, center: center)
    let ratio = 4.0 / 3, e = ExactMath.pow(ratio, 1 - crop), a = min(1.5, 1 / (1 / e + (1 - 1 / e) * center))
    for y in stride(from: 20, to: 780, by: 7) {
      func place(_ y: Double) -> Double {
        let t = y / 400 - 1
        return 150 + 150 * (a * t + (1 - a) * t * t * t)
      }
      let want = ((place(Double(y)) + place(Double(y + 1))) / 2 - 0.5) / 16
      #expect(abs(result[11, y].x - want) < 1e-3, "row \(y)")
    }
  }
}
