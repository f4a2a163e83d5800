import HDRCore
import HDRPlan
import TestSupport
import Testing

/// The groups of the tone-mapping vectors whose operators exist.
@Suite(.enabled(if: SharedData.hasVectors, "skipped: no data"))
struct ToneVectorTests {
  let vectors = SharedData.json("specs/tone-mapping-vectors.json") ?? [:]

  func rows(_ name: String, _ key: String = "rows") -> [[String: Any]] {
    (vectors[name] as? [String: Any])?[key] as? [[String: Any]] ?? []
  }

  @Test("the BT.2390 EETF follows its formula")
  func bt2390Curve() {
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

  @Test func referenceWhiteCurvesAreThoseOfTheVectors() {
    for row in rows("rwtmo", "metadata") {
      let stops = row.number("H_baseline")
      let curves = ReferenceWhiteCurves.make(contentStops: stops)
      let want = row["alternates"] as? [[String: Any]] ?? []
      #expect(curves.count == want.count)
      for (curve, alternate) in zip(curves, want) {
        expectClose(curve.headroom, alternate.number("H_alt"), abs: 1e-12, rel: 1e-12)
        for (key, got) in [("X", curve.x), ("G", curve.gain), ("M", curve.slope)] where alternate[key] != nil {
          expectClose(got, alternate.numbers(key), abs: 1e-12, rel: 1e-12)
        }
      }
    }
  }

  @Test func referenceWhiteGainsAreThoseOfTheVectors() {
    let all = rows("rwtmo")
    #expect(all.count == 135)
    for row in all {
      let content = Headroom(factor: row.number("content_headroom")),
        display = Headroom(factor: row.number("target_headroom"))
      let stops = min(content.stops, 6), rgb = row["rgb_in_bt2020"] as? [Double]
      let v = rgb?.max() ?? row.number("max_rgb_in")
      let gain = ReferenceWhiteTone.log2Gain(
        v, curves: ReferenceWhiteCurves.make(contentStops: stops), contentStops: stops,
        displayStops: display.stops)
      expectClose(gain, row.number("log2_gain"), abs: 1e-12, rel: 1e-12)
      let want = rgb == nil ? [row.number("out")] : row.numbers("rgb_out")
      expectClose((rgb ?? [v]).map { $0 * ExactMath.exp2(gain) }, want, abs: 1e-12, rel: 1e-12)
    }
  }

  /// Checks the distance of the standard's eight samples from the exact Bezier on an SDR display; the vectors took the
  /// largest difference of fewer points.
  @Test func sampledCurvesLeaveTheBezierAsTheVectorsSay() {
    let all = rows("rwtmo", "analytic_bezier_difference")
    #expect(all.count == 7)
    for row in all {
      let content = Headroom(factor: row.number("content_headroom"))
      let curves = ReferenceWhiteCurves.make(contentStops: content.stops)
      let exact = ReferenceWhiteExact.operations(content: content, display: .sdr)
      var worst = 0.0
      for i in 0...8000 {
        let v = ExactMath.exp2(content.stops * Double(i) / 8000)
        let gain = ReferenceWhiteTone.log2Gain(
          v, curves: curves, contentStops: content.stops, displayStops: 0)
        worst = max(worst, abs(v * ExactMath.exp2(gain) - run(exact, [v, v, v])[0]))
      }
      expectClose(worst, row.number("max_abs_diff"), abs: 0, rel: 0.02)
    }
  }

  @Test func hlgAdaptsToThePeaksOfTheVectors() {
    for row in rows("hlg_peak_adaptation") {
      let s = row.number("signal")
      expectClose(Transfer.hlgEOTF([s, s, s], peak: row.number("Lw"))[1], row.number("nits"), abs: 1e-10, rel: 1e-11)
    }
  }

  @Test("SDR signals become light with white at 203 cd/m², as in BT.2408")
  func directMapping() {
    for row in rows("bt2408_direct_mapping") {
      let nits = 203 * ExactMath.oddPow(row.number("sdr_signal"), 2.4)
      expectClose(nits, row.number("nits"), abs: 1e-10, rel: 1e-10)
      expectClose(Transfer.pqInverseEOTF(nits), row.number("pq_signal"), abs: 1e-10, rel: 1e-10)
    }
  }

  /// Stages in Double on a pixel.
  func run(_ operations: [ToneOperation], _ rgb: [Double]) -> [Double] { operations.reduce(rgb) { $1.apply($0) } }

  @Test func bt2390AppliesToRGBInFourWays() {
    let all = rows("bt2390", "rgb_application")
    #expect(all.count == 6)
    for row in all {
      let content = Headroom(factor: row.number("src_max") / 203),
        display = Headroom(factor: row.number("dst_max") / 203)
      let rgb = row.numbers("rgb_nits_bt2020").map { $0 / 203 }
      let ways: [(any ToneOperator.Type, String)] = [
        (BT2390.self, "maxRGB"), (BT2390Luminance.self, "luminance"), (BT2390Channel.self, "per_channel"),
        (BT2390ICtCp.self, "ictcp"),
      ]
      for (tone, key) in ways {
        let got = run(tone.operations(content: content, display: display), rgb).map { $0 * 203 }
        expectClose(got, row.numbers(key), abs: 1e-9, rel: 1e-10, key)
      }
    }
  }

  @Test("BT.2446 method A follows its formula")
  func bt2446A() {
    for row in rows("bt2446_a", "luma_curve") {
      let peak = row.number("Lhdr"), shown = row.number("Lsdr"), y = row.number("Yprime")
      let (yp, yc, luma) = BT2446A.luma(y, contentPeak: peak, displayPeak: shown)
      expectClose([yp, yc, luma], ["Yp", "Yc", "Ysdr_prime"].map { row.number($0) }, abs: 1e-12, rel: 1e-12)
      expectClose(shown * ExactMath.pow(luma, 2.4), row.number("nits_out"), abs: 1e-9, rel: 1e-10)
      expectClose(
        BT2446A.inverseLuma(luma, contentPeak: peak, displayPeak: shown), row.number("inverse_exact_Yprime"),
        abs: 1e-11, rel: 1e-11)
    }
    let all = rows("bt2446_a", "rgb")
    #expect(all.count == 12)
    for row in all where row.number("Lhdr") == 1000 && row.number("Lsdr") == 100 {
      let operations = BT2446A.operations(content: .nominal, display: .sdr, ToneValues(["strict": 1]))
      let got = run(operations, row.numbers("rgb_linear_over_Lhdr_bt2020").map { $0 * 1000 / 203 })
      expectClose(got, row.numbers("linear_sdr_clipped"), abs: 1e-11, rel: 1e-11)
    }
    for row in rows("bt2446_a", "rgb") where row.number("Lsdr") == 203 {
      let operations = BT2446A.operations(content: Headroom(factor: row.number("Lhdr") / 203), display: .sdr)
      let got = run(operations, row.numbers("rgb_linear_over_Lhdr_bt2020").map { $0 * row.number("Lhdr") / 203 })
      expectClose(got, row.numbers("linear_sdr_clipped"), abs: 1e-11, rel: 1e-11)
    }
    let inverse = (((vectors["bt2446_a"] as? [String: Any])?["inverse"]) as? [String: Any])?["rows"]
    let back = inverse as? [[String: Any]] ?? []
    #expect(back.count == 20)
    for row in back {
      let signal = row.numbers("rgb_prime_sdr")
      let y = 0.2627 * signal[0] + 0.6780 * signal[1] + 0.0593 * signal[2]
      expectClose(BT2446AInverse.expanded(y).luma, row.number("Yhdr"), abs: 1e-9, rel: 1e-11)
      let got = run(BT2446AInverse.operations(content: .sdr, display: .nominal), signal.map { ExactMath.pow($0, 2.4) })
      expectClose(got.map { $0 * 203 }, row.numbers("nits"), abs: 1e-9, rel: 1e-10)
    }
  }

  @Test("the shoulder after BT.2446 method B follows its formula")
  func bt2446B() {
    let group = vectors["bt2446_b"] as? [String: Any] ?? [:]
    expectClose(BT2446B.knee, group.number("knee_nits"), abs: 1e-10, rel: 1e-12)
    expectClose(BT2446B.shoulder, group.number("shoulder_scale_s"), abs: 1e-10, rel: 1e-12)
    for row in rows("bt2446_b", "curve") {
      let y = row.number("nits_in_291_display"), sdr = BT2446B.compressed(y)
      expectClose(sdr, row.number("nits_out_sdr"), abs: 1e-9, rel: 1e-10)
      expectClose(BT2446B.expanded(sdr), row.number("inverse_nits"), abs: 1e-9, rel: 1e-10)
    }
    for row in rows("bt2446_b", "from_hlg") {
      let s = row.number("hlg_signal_grey")
      let nits = Transfer.hlgEOTF([s, s, s], peak: 1000)[1]
      expectClose(BT2446B.nits291(nits / 1000), row.number("nits_291_gamma103"), abs: 1e-9, rel: 1e-10)
      let got = run(BT2446B.operations(content: .nominal, display: .sdr), [nits / 203, nits / 203, nits / 203])
      expectClose(got[1] * 100, row.number("nits_sdr"), abs: 1e-9, rel: 1e-10)
    }
    for row in rows("bt2446_b", "hdr1000_equivalence") {
      let nits = row.number("nits_1000")
      expectClose(BT2446B.nits291(nits / 1000), row.number("nits_291"), abs: 1e-9, rel: 1e-10)
    }
  }

  @Test("BT.2446 method C follows its formula with derived and published constants")
  func bt2446C() {
    typealias Constants = BT2446C.Constants
    let group = vectors["bt2446_c"] as? [String: Any] ?? [:]
    for (key, constants) in [("derived_hlg", Constants.hlg), ("derived_pq", .pq), ("published", .published)] {
      let want = group[key] as? [String: Any] ?? [:]
      for (name, got) in [("k1", constants.k1), ("k2", constants.k2), ("k3", constants.k3), ("k4", constants.k4)] {
        expectClose(got, want.number(name), abs: 1e-9, rel: 1e-10, "\(key) \(name)")
      }
    }
    for row in rows("bt2446_c", "luminance") {
      let y = row.number("nits_in")
      for (key, back, constants) in [
        ("published_constants", "inverse_of_published", Constants.published),
        ("derived_hlg", "inverse_of_derived_hlg", .hlg),
      ] {
        expectClose(constants.compressed(y), row.number(key), abs: 1e-9, rel: 1e-10)
        expectClose(constants.expanded(row.number(key)), row.number(back), abs: 1e-9, rel: 1e-10)
      }
      expectClose(Constants.pq.compressed(y), row.number("derived_pq"), abs: 1e-9, rel: 1e-10)
    }
    let all = rows("bt2446_c", "rgb")
    #expect(all.count == 21)
    for row in all {
      let values = ToneValues([
        "crosstalk": row.number("alpha"), "chroma": row.number("sigma"), "published": 1,
      ])
      // Without the cut at SDR white, which the vectors leave to the encoder.
      let operations = BT2446C.operations(content: Headroom(factor: row.number("peak") / 203), display: .sdr, values)
        .dropLast()
      let got = run(Array(operations), row.numbers("rgb_nits_bt2020").map { $0 / 203 }).map { $0 * 100 }
      // The binary32 column: luminance by the primaries' own weights, the vectors take 0.2627, 0.6780, 0.0593.
      expectClose(got, row.numbers("rgb_sdr_nits"), abs: 1e-4, rel: 1e-5)
    }
    let inverse = rows("bt2446_c", "inverse_rgb")
    #expect(inverse.count == 5)
    for row in inverse {
      let values = ToneValues(["crosstalk": row.number("alpha"), "published": 1])
      let operations = BT2446CInverse.operations(content: .sdr, display: Headroom(factor: 4), values)
      let got = run(operations, row.numbers("rgb_sdr_nits").map { $0 / 100 }).map { $0 * 203 }
      expectClose(got, row.numbers("rgb_hdr_nits"), abs: 1e-4, rel: 1e-5)
    }
  }

  @Test("hlg-ootf shows HLG with the display's own gamma")
  func hlgOOTFOperator() {
    for row in rows("hlg_peak_adaptation") {
      let s = row.number("signal"), peak = row.number("Lw")
      let v = Transfer.hlgEOTF([s, s, s], peak: 1000)[1] / 203
      let got = run(HLGPeak.operations(content: .nominal, display: Headroom(factor: peak / 203)), [v, v, v])[1] * 203
      expectClose(got, row.number("nits"), abs: 1e-10, rel: 1e-11)
    }
  }

  @Test("Reinhard, Hable, ACES and PBR Neutral follow their formulas")
  func extras() {
    let w = 1000 / 203.0, grey = rows("extras", "grey")
    #expect(grey.count == 12)
    for row in grey {
      let x = row.number("x")
      expectClose(Reinhard.curve(x, white: w), row.number("reinhard_extended_white_4.926"), abs: 1e-12, rel: 1e-12)
      expectClose(Hable.curve(x, white: w), row.number("hable_norm_peak_4.926"), abs: 1e-12, rel: 1e-12)
      expectClose(min(ACESNarkowicz.curve(x), 1), row.number("aces_narkowicz"), abs: 1e-12, rel: 1e-12)
      expectClose(ACESHill.map([x, x, x])[1], row.number("aces_hill_grey_unclipped"), abs: 1e-12, rel: 1e-12)
      expectClose(KhronosNeutral.map([x, x, x])[1], row.number("khronos_neutral_grey"), abs: 1e-12, rel: 1e-12)
    }
    for row in rows("extras", "rgb") {
      expectClose(ACESHill.map(row.numbers("rgb")), row.numbers("aces_hill_unclipped"), abs: 1e-12, rel: 1e-12)
      expectClose(KhronosNeutral.map(row.numbers("rgb")), row.numbers("khronos_neutral"), abs: 1e-12, rel: 1e-12)
    }
  }
}
