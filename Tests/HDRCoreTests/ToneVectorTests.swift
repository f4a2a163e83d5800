import HDRCore
import TestSupport
import Testing

/// The groups of specs/tone-mapping-vectors.json whose operators exist.
@Suite(.enabled(if: SharedData.hasVectors, "skipped: no data"))
struct ToneVectorTests {
  let vectors = SharedData.json("specs/tone-mapping-vectors.json") ?? [:]

  func rows(_ name: String, _ key: String = "rows") -> [[String: Any]] {
    (vectors[name] as? [String: Any])?[key] as? [[String: Any]] ?? []
  }

  @Test func bt2390Curve() {
    let all = rows("bt2390", "curve")
    #expect(all.count == 80)
    for row in all {
      let e = BT2390.eetf(
        row.number("nits_in"), sourceBlack: row.number("src_min"), sourcePeak: row.number("src_max"),
        targetBlack: row.number("dst_min"), targetPeak: row.number("dst_max"))
      expectClose(e.nits, row.number("nits_out"), abs: 1e-9, rel: 1e-10)
      expectClose(e.ks, row.number("KS"), abs: 1e-9, rel: 1e-10)
      expectClose(e.e2, row.number("E2"), abs: 1e-9, rel: 1e-10)
      expectClose(e.e3, row.number("E3"), abs: 1e-9, rel: 1e-10)
    }
  }

  @Test func referenceWhiteMetadata() {
    for row in rows("rwtmo", "metadata") {
      let stops = row.number("H_baseline")
      let curves = ReferenceWhiteTone.curves(contentStops: stops)
      let want = row["alternates"] as? [[String: Any]] ?? []
      #expect(curves.count == want.count)
      for (curve, alternate) in zip(curves, want) {
        expectClose(curve.headroom, alternate.number("H_alt"), abs: 1e-12, rel: 1e-12)
        for (key, got) in [("X", curve.x), ("G", curve.gain), ("M", curve.slope)] where alternate[key] != nil {
          expectClose(got, alternate.numbers(key), abs: 1e-11, rel: 1e-11)
        }
      }
    }
  }

  @Test func referenceWhiteGain() {
    let all = rows("rwtmo")
    #expect(all.count == 135)
    for row in all {
      let content = Headroom(factor: row.number("content_headroom")),
        display = Headroom(factor: row.number("target_headroom"))
      let stops = min(content.stops, 6), rgb = row["rgb_in_bt2020"] as? [Double]
      let v = rgb?.max() ?? row.number("max_rgb_in")
      let gain = ReferenceWhiteTone.log2Gain(
        v, curves: ReferenceWhiteTone.curves(contentStops: stops), contentStops: stops,
        displayStops: display.stops)
      expectClose(gain, row.number("log2_gain"), abs: 1e-11, rel: 1e-11)
      let want = rgb == nil ? [row.number("out")] : row.numbers("rgb_out")
      expectClose((rgb ?? [v]).map { $0 * ExactMath.exp2(gain) }, want, abs: 1e-11, rel: 1e-11)
    }
  }

  @Test func hlgPeakAdaptation() {
    for row in rows("hlg_peak_adaptation") {
      let s = row.number("signal")
      expectClose(Transfer.hlgEOTF([s, s, s], peak: row.number("Lw"))[1], row.number("nits"), abs: 1e-10, rel: 1e-11)
    }
  }

  @Test func directMapping() {
    for row in rows("bt2408_direct_mapping") {
      let nits = 203 * ExactMath.oddPow(row.number("sdr_signal"), 2.4)
      expectClose(nits, row.number("nits"), abs: 1e-10, rel: 1e-10)
      expectClose(Transfer.pqInverseEOTF(nits), row.number("pq_signal"), abs: 1e-10, rel: 1e-10)
    }
  }
}
