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
              plan: plan, compared: .scan(coding)))
        }
      }
    }
    return cases
  }

  /// Returns cases of what is measured: the light of codes of 8 bits, of PQ in both layouts, and extremes of planes.
  static func sums(pixels: Int) -> [VerificationCase] {
    // Fewer and more columns and rows than parts; an odd number of rows of chroma.
    let sizes = [(1, 1), (3, 7), (width, rows(pixels)), (301, 37), (5, 1700)]
    var cases: [VerificationCase] = []
    for (number, (width, height)) in sizes.enumerated() {
      let light = TestPictures.lightHalves(width: width, height: height, peak: 1, seed: 92 + UInt64(number))
      func add(_ measurement: Measurement, _ sink: SinkKind, _ chroma: ChromaSubsampling = .s444, planes: Int = 3) {
        cases.append(
          VerificationCase(
            name: "\(measurement.kernelName), \(chroma.rawValue), \(planes) planes, \(width)x\(height)",
            plan: plan(light, sink: sink, chroma: chroma) { _ in [] }, compared: .sums(measurement)))
      }
      add(.codes, .rgba8)
      add(.pq(bound: 65_535), .rgba16)
      for chroma in [ChromaSubsampling.s420, .s422, .s444] {
        let range = SampleRange(bits: 10, fullRange: chroma == .s444)
        let conversion = CodeConversion(YCbCr(kr: 0.2627, kb: 0.0593), range)
        add(.planarPQ(bound: 40_000, conversion), .planarYCC, chroma)
      }
      for planes in [1, 3] { add(.planes(planes, bound: 0.25), .floatPlanes, planes: planes) }
    }
    return cases
  }
}
