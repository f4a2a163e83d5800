import CPURender
import HDRCore
import HDRPlan
import TestPlans
import Testing

/// The tone curve that a file's own renditions imply.
@Suite struct FileCurveTests {
  /// Halves of light, row by row.
  static func halves(_ width: Int, _ height: Int, _ light: (Int, Int) -> Double) -> SampleImage {
    FilterPicture(width: width, height: height) { x, y in
      let v = light(x, y)
      return SIMD4(v, v, v, 0.5)
    }.source.image
  }

  @Test("a known curve is found again, and it rises") func aCurveIsFound() throws {
    func known(_ v: Double) -> Double { 1.2 * v / (1 + 0.7 * v) }
    // Light of 2^-9...2^3, with noise of both signs on the SDR side.
    let hdr = Self.halves(240, 40) { x, _ in ExactMath.exp2(Double(x) / 20 - 9) }
    let sdr = Self.halves(240, 40) { x, y in
      known(ExactMath.exp2(Double(x) / 20 - 9)) * ExactMath.exp2(y % 2 == 0 ? 0.2 : -0.2)
    }
    let curve = try #require(FileCurve(sdr: sdr, hdr: hdr, headroom: Headroom(factor: 8)))
    var before = 0.0
    for step in -160...80 {
      let v = ExactMath.exp2(Double(step) / 16), got = v * curve.factor(v, display: .sdr)
      #expect(got >= before - 1e-12, "falls at \(v)")
      before = got
      if (-8.5...2.9).contains(Double(step) / 16) {
        #expect(abs(got / known(v) - 1) < 0.05, "\(v) becomes \(got) instead of \(known(v))")
      }
      // Nothing is left of it where the display shows all.
      #expect(curve.factor(v, display: Headroom(factor: 8)) == 1)
    }
    let half = curve.factor(4, display: Headroom(stops: 1.5)), all = curve.factor(4, display: .sdr)
    #expect(abs(half * half - all) < 1e-9, "half of the stops at half of the headroom")
    #expect(
      FileCurve(sdr: Self.halves(3, 3) { _, _ in 1 }, hdr: Self.halves(3, 3) { _, _ in 1 }, headroom: .sdr) == nil)
    #expect(FileCurve(sdr: sdr, hdr: Self.halves(3, 3) { _, _ in 1 }, headroom: .sdr) == nil)
  }
}
