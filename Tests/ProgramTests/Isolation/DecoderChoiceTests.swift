import BatchEngine
import HDRCore
import HDRRender
import ImageFiles
import Testing

extension IsolationTests {
  /// The choice reaches processes that are locked in, and decides no byte.
  @Test(.enabled(if: avcodecMissing() == nil, "skipped: no libavcodec"), arguments: [Isolation.sandbox, .none])
  func theHEVCDecoderDecidesNoByte(isolation: Isolation) throws {
    try copyExample("temple.heic", as: "a.heic")
    let runs = try HEVCDecoder.allCases.map { decoder in
      try run(["a.heic"], kind: .pqPNG) {
        $0.limits.hevcDecoder = decoder
        $0.isolation.isolation = isolation
      }
    }
    #expect(runs.allSatisfy { $0.summary.exitStatus == .success && $0.records.count == 1 })
    let names = runs.map { $0.records.first?.decoder?.prefix { $0 != " " } ?? "" }
    #expect(names == HEVCDecoder.allCases.map { $0 == .libde265 ? "libde265" : "libavcodec" })
    #expect(Set(runs.map { $0.records.first?.outputDigest }).count == 1)
    #expect(runs[0].records.first?.outputDigest != nil)
    #expect(runs.allSatisfy { $0.records.first?.isolation == isolation.rawValue })
  }
}
