import HDRCore
import HDRPlan
import Kernels
import TestPlans
import Testing

@Suite struct HighlightShadowTests {
  static func smoothstep(_ a: Double, _ b: Double, _ x: Double) -> Double {
    let t = min(max((x - a) / (b - a), 0), 1)
    return t * t * (3 - 2 * t)
  }

  static func gain(_ l: Double, _ shadow: Double, _ highlight: Double, stops: Double) -> Double {
    ExactMath.exp2(
      2 * shadow * (1 - smoothstep(-6, -1, l)) - 2 * (1 - highlight) * smoothstep(-2, stops + 0.5, l))
  }

  /// Light of many sizes, with some that is negative.
  static func picture(hasAlpha: Bool) -> FilterPicture {
    var noise = FilterPicture.noise(width: 41, height: 29, seed: 5, hasAlpha: hasAlpha)
    for i in noise.pixels.indices {
      let scale = ExactMath.exp2(Double(-(i % 17)))
      for c in 0..<3 { noise.pixels[i][c] = Double(E32.float(half: E32.half(Float(noise.pixels[i][c] * scale)))) }
    }
    return noise
  }

  static func logLuminance(_ p: SIMD4<Double>) -> Double {
    ExactMath.log2(max(luminance([p.x, p.y, p.z]), 0x1p-12))
  }

  @Test(arguments: [[1.0, 1], [-0.5, 0.3], [0, 0], [0.7, 0.5]])
  func gainFollowsThePixelsLuminance(amounts: [Double]) throws {
    let picture = Self.picture(hasAlpha: true)
    let step = FilterStep(
      "highlight-shadow", ["shadow-amount": .number(amounts[0]), "highlight-amount": .number(amounts[1])])
    try picture.edited(step).expect(2e-5) { x, y in
      let p = picture[x, y]
      var q = p * Self.gain(Self.logLuminance(p), amounts[0], amounts[1], stops: Headroom.nominal.stops)
      q.w = p.w
      return q
    }
  }

  /// The headroom is the one after the filters before.
  @Test func highlightsBeginWhereTheContentEnds() throws {
    let picture = Self.picture(hasAlpha: false), amounts = [0.4, 0.25]
    let step = FilterStep(
      "highlight-shadow", ["shadow-amount": .number(amounts[0]), "highlight-amount": .number(amounts[1])])
    let result = try picture.edited(FilterStep("exposure", ["ev": .number(1)]), step)
    result.expect(2e-5) { x, y in
      var p = picture[x, y] * 2
      p *= Self.gain(Self.logLuminance(p), amounts[0], amounts[1], stops: Headroom.nominal.stops + 1)
      p.w = 1
      return p
    }
  }

  @Test(arguments: [0.5, 2.0]) func gainFollowsBlurredLogLuminance(sigma: Double) throws {
    let picture = Self.picture(hasAlpha: true), reach = Int((3 * sigma).rounded(.up))
    func weight(_ d: Int) -> Double { ExactMath.exp(-0.5 * Double(d * d) / (sigma * sigma)) }
    let sum = (-reach...reach).map(weight).reduce(0, +)
    let step = FilterStep(
      "highlight-shadow",
      ["shadow-amount": .number(0.8), "highlight-amount": .number(0.2), "radius": .number(sigma)])
    try picture.edited(step).expect(3e-5) { x, y in
      var l = 0.0
      for dy in -reach...reach {
        for dx in -reach...reach {
          let px = min(max(x + dx, 0), picture.width - 1), py = min(max(y + dy, 0), picture.height - 1)
          l += Self.logLuminance(picture[px, py]) * weight(dx) * weight(dy) / (sum * sum)
        }
      }
      var q = picture[x, y] * Self.gain(l, 0.8, 0.2, stops: Headroom.nominal.stops)
      q.w = picture[x, y].w
      return q
    }
  }
}
