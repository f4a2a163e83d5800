import HDRCore
import HDRPlan
import TestPlans
import Testing

@Suite struct LabTests {
  /// CIE 15:2018 §8.2.1 in D50, the linear part going on below 0.
  static func lab(_ rgb: [Double]) -> [Double] {
    let white = [0.96422, 1, 0.82521]
    let adapt = Primaries.bradford(from: Primaries.xyz(Primaries.d65), to: white)
    let xyz = adapt * (Primaries.bt2020.rgbToXYZ! * rgb)
    let f = zip(xyz, white).map { (v, w) -> Double in
      let t = v / w
      return t > 216.0 / 24389 ? ExactMath.pow(t, 1.0 / 3) : (24389.0 / 27 * t + 16) / 116
    }
    return [116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])]
  }

  @Test("light becomes L*a*b* by its formula", arguments: [false, true]) func fromLight(isNormal: Bool) throws {
    let noise = FilterPicture.noise(hasAlpha: true)
    // Light and shadow.
    let p = FilterPicture(width: noise.width, height: noise.height) { x, y in
      var c = noise[x, y] / ((x + y) % 3 == 0 ? 1 : 512)
      c.w = noise[x, y].w
      return c
    }.halved
    let result = try p.edited(FilterStep("convert-rgb-to-lab", ["normalize": .flag(isNormal)]))
    result.expectColors(of: p, 1e-4) { rgb in
      let v = Self.lab(rgb)
      return isNormal ? [v[0] / 100, (v[1] + 128) / 256, (v[2] + 128) / 256] : v
    }
  }

  @Test func whiteAndGreyAreNeutral() throws {
    let p = FilterPicture(width: 3, height: 1) { x, _ in
      let v = [1.0, 0.184187, 4][x]
      return SIMD4(v, v, v, 1)
    }
    let result = try p.edited(FilterStep("convert-rgb-to-lab"))
    for (x, l) in [(0, 100.0), (1, 50), (2, 168.14)] {
      #expect(abs(result[x, 0].x - l) < 0.02 && abs(result[x, 0].y) < 0.01 && abs(result[x, 0].z) < 0.01)
    }
  }

  @Test("L*a*b* converts back to the same light", arguments: [false, true]) func roundTrip(isNormal: Bool) throws {
    let p = FilterPicture.noise(hasAlpha: true), values: [String: FilterValue] = ["normalize": .flag(isNormal)]
    try p.edited(FilterStep("convert-rgb-to-lab", values), FilterStep("convert-lab-to-rgb", values)).expect(2e-4) {
      p[$0, $1]
    }
  }
}
