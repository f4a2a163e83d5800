import HDRCore
import HDRPlan

extension VerificationCases {
  static func edges() -> [VerificationCase] {
    var cases: [VerificationCase?] = []
    for (w, h) in [(1, 1), (1, 7), (7, 1), (2, 3), (3, 2), (1025, 2), (17, 33)] {
      let image = TestPictures.randomPlanes(
        width: w, height: h, bits: 10, chroma: .s420, siting: .left, seed: UInt64(w * 100 + h))
      for orientation in [Orientation.up, .right, .down] {
        let base = source(
          image, primaries: CICP.Primaries.bt2020, transfer: CICP.Transfer.pq, matrix: CICP.Matrix.bt2020, full: true,
          orientation: orientation)
        let mapped = withGainMap(
          base, width: max(1, w / 2), height: max(1, h / 2), rgb: true, gamma: [1, 1, 1], hdrBase: true)
        cases += [
          recipe(
            "edge \(w)x\(h) orientation \(orientation.rawValue) to 4:2:0", base,
            RenderRecipe(target: OutputSignal(encoding: .pq, sink: .planarYCC))),
          recipe(
            "edge \(w)x\(h) orientation \(orientation.rawValue) with map", mapped,
            RenderRecipe(target: OutputSignal(encoding: .sdr, sink: .rgba8))),
        ]
      }
    }
    return cases.compactMap { $0 }
  }
}
