import HDRCore
import HDRPlan
import Kernels
import TestPlans
import Testing

@Suite struct NeighbourhoodTests {
  static let sizes = [(23, 17), (1, 1), (1, 13), (13, 1), (530, 3)]

  @Test("a box blur is the mean of its square", arguments: sizes, [false, true])
  func boxIsTheMean(size: (Int, Int), hasAlpha: Bool) throws {
    let p = FilterPicture.noise(width: size.0, height: size.1, hasAlpha: hasAlpha)
    for (r, whole, rest) in [(2.0, 2, 0.0), (1.25, 1, 0.25)] {
      try p.edited(FilterStep("box-blur", ["radius": .number(r)])).expect(5e-5) { x, y in
        var total = SIMD4<Double>.zero
        for dy in -whole - 1...whole + 1 {
          for dx in -whole - 1...whole + 1 {
            let weight = (abs(dx) > whole ? rest : 1) * (abs(dy) > whole ? rest : 1)
            total += p.clampedPremultiplied(x + dx, y + dy) * weight
          }
        }
        return (total / ((2 * r + 1) * (2 * r + 1))).unpremultiplied
      }
    }
  }

  @Test(arguments: sizes) func discBlurIsTheMeanOfWhatLiesInside(size: (Int, Int)) throws {
    let p = FilterPicture.noise(width: size.0, height: size.1)
    // Radius 1: the middle is whole; of its four neighbours half a pixel's width is reached, of corners a little.
    let result = try p.edited(FilterStep("disc-blur", ["radius": .number(3)]))
    var weights: [Double] = []
    for dy in -3...3 {
      for dx in -3...3 {
        // 64 x 64 points a pixel.
        var n = 0
        for i in 0..<4096 {
          let u = Double(dx) - 0.5 + (Double(i % 64) + 0.5) / 64, v = Double(dy) - 0.5 + (Double(i / 64) + 0.5) / 64
          if u * u + v * v < 9 { n += 1 }
        }
        weights.append(Double(n) / 4096 / (9 * 3.141592653589793))
      }
    }
    result.expect(3e-3) { x, y in
      (0..<49).reduce(SIMD4<Double>.zero) { $0 + p.clamped(x + $1 % 7 - 3, y + $1 / 7 - 3) * weights[$1] }
    }
    try p.edited(FilterStep("disc-blur", ["radius": .number(0.4)])).expect(0) { x, y in p[x, y] }
  }

  @Test(arguments: sizes, [("convolution-3x3", 3), ("convolution-5x5", 5), ("convolution-7x7", 7)])
  func convolutionsSumNeighboursByWeight(size: (Int, Int), filter: (String, Int)) throws {
    let p = FilterPicture.noise(width: size.0, height: size.1, hasAlpha: true), side = filter.1, reach = side / 2
    let weights = (0..<side * side).map { Double(($0 * 37) % 11 - 5) / 8 }
    let result = try p.edited(
      FilterStep(filter.0, ["weights": .numbers(weights), "bias": .number(-0.25)]))
    result.expect(2e-5) { x, y in
      var total = SIMD4<Double>(repeating: -0.25)
      for i in 0..<side * side { total += p.clamped(x + i % side - reach, y + i / side - reach) * weights[i] }
      total.w = p[x, y].w
      return total
    }
  }

  @Test(arguments: sizes, ["horizontal", "vertical"])
  func lineConvolutionsSumNinePixelsByWeight(size: (Int, Int), name: String) throws {
    let p = FilterPicture.noise(width: size.0, height: size.1, hasAlpha: true), dx = name == "horizontal" ? 1 : 0
    let weights = (0..<9).map { Double(($0 * 37) % 11 - 5) / 8 }
    let result = try p.edited(
      FilterStep("convolution-9-" + name, ["weights": .numbers(weights), "bias": .number(0.5)]))
    result.expect(1e-5) { x, y in
      var total = SIMD4<Double>(repeating: 0.5)
      for i in 0..<9 { total += p.clamped(x + (i - 4) * dx, y + (i - 4) * (1 - dx)) * weights[i] }
      total.w = p[x, y].w
      return total
    }
  }

  @Test(arguments: sizes, [false, true]) func medianIsTheFifthOfNine(size: (Int, Int), hasAlpha: Bool) throws {
    let p = FilterPicture.noise(width: size.0, height: size.1, hasAlpha: hasAlpha)
    try p.edited(FilterStep("median")).expect(hasAlpha ? 1e-5 : 0) { x, y in
      let nine = (0..<9).map { p.clampedPremultiplied(x + $0 % 3 - 1, y + $0 / 3 - 1) }
      var middle = SIMD4<Double>.zero
      for channel in 0..<4 { middle[channel] = nine.map { $0[channel] }.sorted()[4] }
      return middle.unpremultiplied
    }
  }

  static func luminance(_ c: SIMD4<Double>) -> Double { c.x * 0.2627 + c.y * 0.678 + c.z * 0.0593 }

  @Test(arguments: [false, true], ["unsharp-mask", "sharpen-luminance", "bloom", "gloom"])
  func sharpeningAndGlowMixAPixelWithItsBlur(hasAlpha: Bool, name: String) throws {
    for (width, height) in [(23, 17), (1, 1), (600, 2)] {
      // Dark and light, negative too.
      let noise = FilterPicture.noise(width: width, height: height, hasAlpha: hasAlpha)
      let p = FilterPicture(width: width, height: height) { x, y in
        var c = noise[x, y] / ((x + y) % 3 == 0 ? 1 : 16)
        c.w = noise[x, y].w
        return c
      }.halved
      let blurred = p.gaussian(1.7), key = name == "sharpen-luminance" ? "sharpness" : "intensity"
      let result = try p.edited(FilterStep(name, ["radius": .number(1.7), key: .number(0.75)]))
      result.expect(2e-4) { x, y in
        let c = p[x, y], g = blurred[x, y], one = SIMD4<Double>(repeating: 1)
        var want = c
        switch name {
        case "unsharp-mask": want = c + (c - g) * 0.75
        case "sharpen-luminance": want = c + SIMD4(repeating: (Self.luminance(c) - Self.luminance(g)) * 0.75)
        case "bloom": want = c + g * (one - pointwiseMin(c, one)) * 0.75
        default: want = c - pointwiseMax(c, .zero) * (one - pointwiseMin(g, one)) * 0.75
        }
        want.w = c.w
        return want
      }
    }
  }

  @Test("small differences of luminance are blurred, larger ones sharpened", arguments: [false, true])
  func noise(hasAlpha: Bool) throws {
    let noise = FilterPicture.noise(hasAlpha: hasAlpha)
    let p = FilterPicture(width: noise.width, height: noise.height) { x, y in
      var c = SIMD4<Double>(4, 3, 2, 1) + noise[x, y] / (x < 11 ? 512 : 8)
      c.w = noise[x, y].w
      return c
    }.halved
    let blurred = p.gaussian(1)
    let step = FilterStep("noise-reduction", ["noise-level": .number(0.1), "sharpness": .number(0.5)])
    let result = try p.edited(step)
    var shares: Set<Double> = []
    result.expect(1e-4) { x, y in
      let c = p[x, y], g = blurred[x, y], d = abs(Self.luminance(c) - Self.luminance(g))
      let t = min(max((d - 0.05) / 0.15, 0), 1), share = t * t * (3 - 2 * t)
      shares.insert(share)
      var want = g + (c - g) * (share * 1.5)
      want.w = c.w
      return want
    }
    #expect(shares.contains(0) && shares.contains(1))
  }

  @Test func nothingHappensWithoutAnAmount() throws {
    let p = FilterPicture.noise(hasAlpha: true)
    try p.edited(FilterStep("unsharp-mask", ["intensity": .number(0)])).expect(0) { x, y in p[x, y] }
    try p.edited(FilterStep("box-blur", ["radius": .number(0)])).expect(0) { x, y in p[x, y] }
  }
}

extension FilterPicture {
  /// Rounded to halves, as a file has them.
  var halved: FilterPicture {
    FilterPicture(width: width, height: height) { x, y in
      var p = self[x, y]
      for i in 0..<4 { p[i] = Double(E32.float(half: E32.half(Float(p[i])))) }
      return p
    }
  }
}
