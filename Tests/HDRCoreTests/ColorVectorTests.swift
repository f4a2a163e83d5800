import Foundation
import HDRCore
import TestSupport
import Testing

/// Every group of the colour vectors that is binary64 maths.
@Suite(.enabled(if: SharedData.hasVectors, "skipped: no data"))
struct ColorVectorTests {
  let vectors = SharedData.json("specs/color-vectors.json") ?? [:]

  func group(_ name: String) -> [String: Any] { vectors[name] as? [String: Any] ?? [:] }
  func rows(_ name: String, _ key: String = "rows") -> [[String: Any]] { group(name)[key] as? [[String: Any]] ?? [] }

  @Test func pqEOTFGivesTheLightOfTheVectors() {
    let all = rows("pq", "eotf")
    #expect(all.count >= 20)
    for row in all {
      expectClose(Transfer.pqEOTF(row.number("signal")), row.number("nits"), abs: 1e-12, rel: 1e-11)
    }
  }

  @Test func pqInverseEOTFGivesTheSignalsOfTheVectors() {
    for row in rows("pq", "inverse_eotf") {
      let signal = Transfer.pqInverseEOTF(row.number("nits"))
      expectClose(signal, row.number("signal"), abs: 1e-14, rel: 1e-12)
      #expect(Int((signal * 65535 + 0.5).rounded(.down)) == Int(row.number("code16_full")))
      let narrow = SampleRange(bits: 10, fullRange: false).codes([signal, 0, 0], bits: 10)[0]
      #expect(narrow == Int(row.number("code10_narrow")))
    }
    for row in rows("pq", "negative_odd_extension") {
      expectClose(Transfer.pqInverseEOTF(row.number("nits")), row.number("signal"), abs: 1e-14, rel: 1e-12)
    }
  }

  @Test func hlgOETFAndItsInverseFollowTheVectors() {
    for row in rows("hlg_oetf", "inverse_oetf") {
      expectClose(Transfer.hlgInverseOETF(row.number("signal")), row.number("scene"), abs: 1e-14, rel: 1e-12)
    }
    for row in rows("hlg_oetf", "oetf") {
      expectClose(Transfer.hlgOETF(row.number("scene")), row.number("signal"), abs: 1e-14, rel: 1e-12)
    }
  }

  @Test func hlgSystemGammaFollowsPeakAndSurround() {
    for row in rows("hlg_gamma") {
      expectClose(Transfer.hlgGamma(peak: row.number("Lw")), row.number("gamma_rule"), abs: 1e-13, rel: 0)
      expectClose(Transfer.hlgExtendedGamma(peak: row.number("Lw")), row.number("gamma_extended"), abs: 1e-13, rel: 0)
    }
    for row in rows("hlg_gamma", "surround") {
      let gamma = Transfer.hlgExtendedGamma(peak: row.number("Lw"), surround: row.number("Lamb"))
      expectClose(gamma, row.number("gamma_extended"), abs: 1e-13, rel: 0)
    }
  }

  @Test func hlgEOTFAndItsInverseFollowTheVectors() {
    for row in rows("hlg_eotf") {
      let nits = Transfer.hlgEOTF(row.numbers("signal"), peak: row.number("Lw"), black: row.number("LB"))
      expectClose(nits, row.numbers("nits"), abs: 1e-10, rel: 1e-11)
    }
    for row in rows("hlg_inverse_eotf") {
      let signal = Transfer.hlgInverseEOTF(row.numbers("nits"), peak: row.number("Lw"))
      expectClose(signal, row.numbers("signal"), abs: 1e-12, rel: 1e-11)
    }
  }

  @Test func sdrCurvesFollowTheVectors() {
    for row in rows("sdr_curves") {
      let x = row.number("x")
      expectClose(Transfer.sRGBDecode(x), row.number("srgb_decode"), abs: 1e-14, rel: 1e-13)
      expectClose(Transfer.sRGBEncode(x), row.number("srgb_encode"), abs: 1e-14, rel: 1e-13)
      expectClose(Transfer.bt709InverseOETF(x), row.number("bt709_inverse_oetf"), abs: 1e-14, rel: 1e-13)
      expectClose(Transfer.bt709OETF(x), row.number("bt709_oetf"), abs: 1e-14, rel: 1e-13)
      expectClose(ExactMath.oddPow(x, 2.4), row.number("bt1886_decode"), abs: 1e-14, rel: 1e-13)
    }
    for row in rows("sdr_curves", "bt1886_with_black") {
      let nits = Transfer.bt1886EOTF(row.number("signal"), white: row.number("Lw"), black: row.number("LB"))
      expectClose(nits, row.number("nits"), abs: 1e-12, rel: 1e-12)
    }
  }

  @Test func primariesHaveTheMatricesOfTheVectors() {
    let sets = group("primaries")["sets"] as? [String: [String: Any]] ?? [:]
    var seen = 0
    for (name, set) in sets {
      guard let code = Int(name), let primaries = Primaries(code: code) else { continue }
      seen += 1
      let want = (set["rgb_to_xyz"] as? [[Double]] ?? []).flatMap { $0 }
      expectClose(primaries.rgbToXYZ?.rows ?? [], want, abs: 1e-13, rel: 1e-12)
      let back = (set["xyz_to_rgb"] as? [[Double]] ?? []).flatMap { $0 }
      expectClose(primaries.rgbToXYZ?.inverse?.rows ?? [], back, abs: 1e-13, rel: 1e-12)
      // Of X Y Z themselves (code 10) only Y is light.
      if code != 10 { expectClose(primaries.luminance, set.numbers("luma_from_primaries"), abs: 1e-13, rel: 1e-12) }
    }
    #expect(seen >= 10)
    expectClose(Primaries.xyz(Primaries.d65), group("primaries").numbers("white_D65_XYZ"), abs: 1e-13, rel: 1e-12)
  }

  @Test func matricesBetweenPrimariesFollowTheVectors() {
    for row in rows("rgb_to_rgb") {
      guard let a = row["from"] as? Int, let b = row["to"] as? Int, let from = Primaries(code: a),
        let to = Primaries(code: b)
      else {
        continue
      }
      let want = (row["matrix"] as? [[Double]] ?? []).flatMap { $0 }
      expectClose(from.matrix(to: to)?.rows ?? [], want, abs: 1e-12, rel: 1e-11)
    }
  }

  @Test func bradfordAdaptsD65ToD50AndBack() {
    let d65 = Primaries.xyz(Primaries.d65)
    let want = (group("bradford")["D65_to_D50"] as? [[Double]] ?? []).flatMap { $0 }
    let d50 = group("primaries").numbers("white_D50_icc")
    expectClose(Primaries.bradford(from: d65, to: d50).rows, want, abs: 1e-12, rel: 1e-12)
    let back = (group("bradford")["D50_to_D65"] as? [[Double]] ?? []).flatMap { $0 }
    expectClose(Primaries.bradford(from: d50, to: d65).rows, back, abs: 1e-12, rel: 1e-12)
  }

  @Test func yCbCrCodesAreThoseOfTheVectors() {
    let all = rows("ycbcr")
    #expect(all.count == 144)
    for row in all {
      let ycc = YCbCr(kr: row.number("kr"), kb: row.number("kb")), bits = Int(row.number("bits"))
      let range = SampleRange(bits: bits, fullRange: row["full_range"] as? Bool ?? false)
      let values = ycc.fromRGB(row.numbers("rgb"))
      expectClose(values, row.numbers("ycbcr"), abs: 1e-13, rel: 0)
      let codes = range.codes(values, bits: bits)
      #expect(codes == row.numbers("code").map { Int($0) })
      expectClose(range.values(codes), row.numbers("decoded_ycbcr"), abs: 1e-13, rel: 0)
      expectClose(ycc.toRGB(range.values(codes)), row.numbers("decoded_rgb"), abs: 1e-13, rel: 0)
    }
    func weights(_ matrix: Int, _ primaries: Int) -> [Double] {
      YCbCr(matrix: matrix, primaries: primaries).map { [$0.kr, $0.kb] } ?? []
    }
    let listed = group("ycbcr")["kr_kb"] as? [String: [Double]] ?? [:]
    #expect(listed.count == 6)
    for (code, want) in listed { #expect(Int(code).map { weights($0, 1) } == want) }
    expectClose(weights(12, 12), group("ycbcr").numbers("kr_kb_derived_12_p3d65"), abs: 1e-12, rel: 0)
    expectClose(weights(12, 9), group("ycbcr").numbers("kr_kb_derived_12_bt2020"), abs: 1e-12, rel: 0)
  }

  @Test func ictcpFollowsTheVectorsThereAndBack() {
    for row in rows("ictcp") {
      expectClose(ICtCp.fromNits(row.numbers("rgb_nits_bt2020")), row.numbers("ictcp_pq"), abs: 1e-12, rel: 1e-11)
      expectClose(ICtCp.toNits(row.numbers("ictcp_pq")), row.numbers("inverse_rgb_nits"), abs: 1e-12, rel: 1e-11)
    }
  }
}
