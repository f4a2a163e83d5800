import HDRCore
import HDRPlan
import Kernels
import TestPlans
import Testing

@Suite struct VibranceTests {
  /// Hue by its definition in all sectors of HSV, in degrees.
  static func hue(_ c: [Double]) -> Double {
    let most = c.max()!, range = most - c.min()!
    if range == 0 { return 0 }
    let sector =
      most == c[0] ? (c[1] - c[2]) / range : (most == c[1] ? 2 + (c[2] - c[0]) / range : 4 + (c[0] - c[1]) / range)
    return sector < 0 ? 60 * sector + 360 : 60 * sector
  }

  static func formula(_ c: [Double], _ amount: Double) -> [Double] {
    let most = c.max()!, s = min(max((most - c.min()!) / max(most, 1e-4), 0), 1)
    let away = abs(hue(c) - 30), t = min(max(1 - min(away, 360 - away) / 25, 0), 1)
    let k = 1 + amount * (1 - s) * (1 - 0.5 * t * t * (3 - 2 * t))
    return c.map { luminance(c) + k * ($0 - luminance(c)) }
  }

  @Test(arguments: [-1, -0.3, 0.5, 1]) func vibranceFollowsItsFormulaForPaleAndPureColors(amount: Double) throws {
    let step = FilterStep("vibrance", ["amount": .number(amount)])
    let noise = FilterPicture.noise(width: 61, height: 47, hasAlpha: true)
    // Hues all around, pale ones and some near skin, up to 16.
    let hues = FilterPicture(width: 72, height: 20) { x, y in
      let light = 0.05 * ExactMath.exp2(Double(y) * 0.4), h = Double(x) / 12
      func ramp(_ v: Double) -> Double { min(max(v, 0), 1) }
      let pure = [
        ramp(abs(h - 3) - 1), ramp(2 - abs(h - 2)), ramp(2 - abs(h - 4)),
      ]
      let c = pure.map { Double(E32.float(half: E32.half(Float(light * (0.7 + 0.3 * $0))))) }
      return SIMD4(c[0], c[1], c[2], 1)
    }
    for picture in [noise, hues] {
      try picture.edited(step).expectColors(of: picture, 1e-5) { Self.formula($0, amount) }
    }
  }

  @Test func greysAndBlackStay() throws {
    let greys = FilterPicture(width: 5, height: 1) { x, _ in
      let v = [-0.5, 0, 0.25, 1, 16][x]
      return SIMD4(v, v, v, 1)
    }
    try greys.edited(FilterStep("vibrance", ["amount": .number(1)])).expect(1e-6) { x, y in greys[x, y] }
  }
}
