import GPURender
import HDRCore
import HDRPlan
import Kernels

extension VerificationCases {
  /// Returns cases of JPEG scans: noise, whose blocks have all coefficients, and a ramp, whose blocks have few.
  static func codecs(pixels: Int) -> [VerificationCase] {
    var cases: [VerificationCase] = []
    // Not whole blocks, and more than one row of MCUs: of an even height with rows of chroma to repeat, of an odd one;
    // without subsampling, enough blocks for several groups of runs.
    for (chroma, least) in [(ChromaSubsampling.s420, 22), (.s422, 21), (.s444, 101)] {
      let height = max(rows(pixels) & ~1, least)
      let noise = Plan.copying(
        TestPictures.randomCodes(width: width, height: height, format: .uint8, seed: 90))
      let light = TestPictures.lightHalves(width: width, height: height, peak: 1, seed: 91)
      let ramp = plan(light, sink: .rgba8) { _ in [] }
      for (quality, isOptimized) in [(1, false), (50, true), (50, false), (90, true), (90, false), (100, false)] {
        let coding = JPEGCoding(
          JPEGLayout(width: width, height: height, chroma: chroma), JPEGTables(quality: quality),
          isOptimized: isOptimized)
        for (name, plan) in [("noise", noise), ("ramp", ramp)] {
          cases.append(
            VerificationCase(
              name: "JPEG \(chroma.rawValue), quality \(quality), \(isOptimized ? "own tables, " : "")\(name)",
              plan: plan, coding: coding))
        }
      }
    }
    return cases
  }
}
