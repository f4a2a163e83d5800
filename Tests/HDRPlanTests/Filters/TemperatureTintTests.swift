import HDRCore
import HDRPlan
import TestPlans
import Testing

@Suite struct TemperatureTintTests {
  /// Whites of CIE 15 (D50, D65, D75) and illuminant A, and how near the approximations come to their x, y: daylight is
  /// the locus' own formula, rounded to four digits; Kim's cubic is off by 6e-4 there.
  static let whites: [(t: Double, x: Double, y: Double, tolerance: Double)] = [
    (5002.78, 0.3457, 0.3586, 1.5e-4), (6503.6, 0.3127, 0.3291, 1.5e-4), (7504.2, 0.2990, 0.3149, 1.5e-4),
    (2856, 0.4476, 0.4074, 6e-4),
  ]

  static func adaptation(_ from: (Double, Double), _ to: (Double, Double)) -> Matrix3 {
    let m = Primaries.bt2020.rgbToXYZ!
    func xyz(_ c: (Double, Double)) -> [Double] { [c.0 / c.1, 1, (1 - c.0 - c.1) / c.1] }
    return m.inverse! * Primaries.bradford(from: xyz(from), to: xyz(to)) * m
  }

  /// CIE XYZ of what D65 white becomes.
  static func white(_ target: [Double]) throws -> [Double] {
    let white = FilterPicture(width: 1, height: 1) { _, _ in SIMD4(1, 1, 1, 1) }
    let p = try white.edited(
      FilterStep("temperature-tint", ["neutral": .numbers([0.3127, 0.3290]), "target-neutral": .numbers(target)]))[0, 0]
    return Primaries.bt2020.rgbToXYZ! * [p.x, p.y, p.z]
  }

  @Test(arguments: whites.indices) func temperaturesAreKnownWhites(index: Int) throws {
    let known = Self.whites[index], xyz = try Self.white([known.t, 0]), sum = xyz[0] + xyz[1] + xyz[2]
    #expect(abs(xyz[0] / sum - known.x) < known.tolerance)
    #expect(abs(xyz[1] / sum - known.y) < known.tolerance)
    #expect(abs(xyz[1] - 1) < 1e-6)
  }

  @Test func chromaticitiesAdaptByBradford() throws {
    let picture = FilterPicture.noise()
    let result = try picture.edited(
      FilterStep(
        "temperature-tint", ["neutral": .numbers([0.3127, 0.3290]), "target-neutral": .numbers([0.3457, 0.3585])]))
    let m = Self.adaptation((0.3127, 0.3290), (0.3457, 0.3585))
    result.expectColors(of: picture, 1e-5) { m * $0 }
  }

  /// A positive tint moves the white by tint/3000 in CIE 1960 u, v, towards smaller v, across the locus.
  @Test(arguments: [-60, 30, 90]) func tintGoesAlongTheIsotherm(tint: Double) throws {
    func whiteUV(_ values: [Double]) throws -> (u: Double, v: Double) {
      let xyz = try Self.white(values)
      let d = xyz[0] + 15 * xyz[1] + 3 * xyz[2]
      return (4 * xyz[0] / d, 6 * xyz[1] / d)
    }
    let plain = try whiteUV([5600, 0]), tinted = try whiteUV([5600, tint])
    let warmer = try whiteUV([5590, 0]), cooler = try whiteUV([5610, 0])
    let du = tinted.u - plain.u, dv = tinted.v - plain.v
    #expect(abs((du * du + dv * dv).squareRoot() - abs(tint) / 3000) < 1e-6)
    #expect(dv * tint < 0)
    let tu = cooler.u - warmer.u, tv = cooler.v - warmer.v
    #expect(abs(du * tu + dv * tv) < 1e-2 * ((du * du + dv * dv) * (tu * tu + tv * tv)).squareRoot())
  }

  @Test(arguments: [[1000.0, 0], [0.3, 0.01], [0.7, 0.6]]) func whatIsNoWhiteIsAnError(values: [Double]) {
    #expect(throws: PlanError.self) {
      try FilterPicture.noise().edited(FilterStep("temperature-tint", ["neutral": .numbers(values)]))
    }
  }

  @Test func equalWhitesChangeNothing() throws {
    let picture = FilterPicture.noise()
    try picture.edited(FilterStep("temperature-tint")).expect(0) { picture[$0, $1] }
  }
}
