import HDRCore
import HDRPlan
import TestPlans
import Testing

@Suite struct WarpBicubicTests {
  /// Keys' cubic convolution with a = -1/2, by its definition.
  static func kernel(_ distance: Double) -> Double {
    let d = abs(distance)
    if d < 1 { return (1.5 * d - 2.5) * d * d + 1 }
    return d < 2 ? ((-0.5 * d + 2.5) * d - 4) * d + 2 : 0
  }

  /// Premultiplied sum over the pixels around a place in pixel numbers.
  static func sample(_ u: Double, _ v: Double, _ pixel: (Int, Int) -> SIMD4<Double>) -> SIMD4<Double> {
    var sum = SIMD4<Double>.zero
    let x0 = Int(u.rounded(.down)), y0 = Int(v.rounded(.down))
    for y in y0 - 1...y0 + 2 {
      for x in x0 - 1...x0 + 2 { sum += pixel(x, y) * (kernel(u - Double(x)) * kernel(v - Double(y))) }
    }
    return sum
  }

  static func finished(_ p: SIMD4<Double>) -> SIMD4<Double> {
    var q = p
    q.w = min(max(p.w, 0), 1)
    return q.unpremultiplied
  }

  @Test func bicubicSamplesInsideThePictureFollowTheFormula() throws {
    let p = FilterPicture.noise(width: 40, height: 30)
    let result = try p.edited(FilterStep("straighten", ["angle": .number(7), "sampling": .word("bicubic")]))
    let (c, s) = ExactMath.cosSin(degrees: 7)
    let w = Double(result.width), h = Double(result.height)
    #expect(result.width < 40 && result.width > 25)
    result.expect(3e-3) { x, y in
      let dx = Double(x) + 0.5 - w / 2, dy = Double(y) + 0.5 - h / 2
      return Self.finished(
        Self.sample(c * dx - s * dy + 20 - 0.5, s * dx + c * dy + 15 - 0.5, p.clampedPremultiplied))
    }
  }

  @Test("bicubic sampling beyond the border is transparent", arguments: [false, true])
  func overTheBorder(hasAlpha: Bool) throws {
    let p = FilterPicture.noise(width: 19, height: 14, hasAlpha: hasAlpha)
    let values: [String: FilterValue] = [
      "matrix": .numbers([1.3, 0, -2.25, 0, 1.3, 3.5]), "sampling": .word("bicubic"),
    ]
    let result = try p.edited(FilterStep("affine", values))
    #expect(result.pixels.allSatisfy { (0...1).contains($0.w) })
    var compared = 0
    for y in 0..<14 {
      for x in 0..<19 {
        let u = (Double(x) + 0.5 + 2.25) / 1.3 - 0.5, v = (Double(y) + 0.5 - 3.5) / 1.3 - 0.5
        let sum = Self.sample(u, v, p.orNothing)
        let want = Self.finished(sum), got = result[x, y]
        #expect(abs(got.w - want.w) < 1e-5)
        // Where next to nothing is left of alpha colours are that much less certain.
        guard want.w > 0.05 else { continue }
        compared += 1
        for channel in 0..<3 { #expect(abs(got[channel] - want[channel]) < 2e-3 * max(1, abs(want[channel])) / want.w) }
      }
    }
    #expect(compared > 100)
  }

  /// Straight lines stay straight, which is what a = -1/2 is for.
  @Test("bicubic sampling keeps a straight ramp straight")
  func ramps() throws {
    let p = FilterPicture(width: 32, height: 8) { x, y in SIMD4(Double(x) / 4, Double(y), Double(x + y) / 8, 1) }
    let values: [String: FilterValue] = ["matrix": .numbers([1, 0, 0.375, 0, 1, 0.25]), "sampling": .word("bicubic")]
    let result = try p.edited(FilterStep("affine", values))
    for y in 2..<6 {
      for x in 3..<29 {
        #expect(abs(result[x, y].x - (Double(x) - 0.375) / 4) < 1e-5)
        #expect(abs(result[x, y].y - (Double(y) - 0.25)) < 1e-5)
      }
    }
  }
}
