import Foundation
import HDRCore
import HDRPlan
import Testing

@Suite struct UchimuraTests {
  /// The published form: three pieces with weights (GT tone mapping, CEDEC 2017).
  private func published(_ x: Double, peak P: Double, a: Double, m: Double, l: Double, c: Double) -> Double {
    let l0 = (P - m) * l / a, S0 = m + l0, S1 = m + a * l0, C2 = a * P / (P - S1), CP = -C2 / P
    let t = min(max(x / m, 0), 1), w0 = 1 - t * t * (3 - 2 * t), w2: Double = x < S0 ? 0 : 1, w1 = 1 - w0 - w2
    let toe = m * Foundation.pow(x / m, c), line = m + a * (x - m),
      shoulder = P - (P - S1) * Foundation.exp(CP * (x - S0))
    return toe * w0 + line * w1 + shoulder * w2
  }

  @Test(
    "the curve is the published one, for displays of any headroom and other parameters", arguments: [1, 2, 4.9, 16])
  func follows(peak: Double) {
    for (a, m, l, c) in [(1, 0.22, 0.4, 1.33), (1.4, 0.1, 0.7, 2), (0.6, 0.5, 0, 1)] {
      let values = ToneValues(["contrast": a, "start": m, "length": l, "toe": c])
      for step in 0...300 {
        let x = Double(step) * 0.05
        let want = published(x, peak: peak, a: a, m: m, l: l, c: c)
        #expect(abs(Uchimura.curve(x, peak: peak, values) - want) <= 1e-12 * max(1, want), "\(x), \(a) \(m) \(l) \(c)")
      }
    }
  }

  @Test("the pieces meet, the middle is straight, and the peak is neared and not reached")
  func isWhole() {
    let joint = 0.22 + (4 - 0.22) * 0.4
    #expect(abs(Uchimura.curve(joint - 1e-9, peak: 4) - Uchimura.curve(joint + 1e-9, peak: 4)) < 1e-8)
    for x in [0.3, 0.7, 1, 1.5] { #expect(abs(Uchimura.curve(x, peak: 4) - x) < 1e-12) }
    #expect(Uchimura.curve(20, peak: 4) < 4 && Uchimura.curve(20, peak: 4) > 3.99)
    #expect(Uchimura.curve(0, peak: 4) == 0)
  }
}
