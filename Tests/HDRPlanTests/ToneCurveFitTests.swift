import HDRCore
import HDRPlan
import TestSupport
import Testing

/// Curves of ST 2094-50 that are fitted to two renditions (docs/tone-formulas.md#fitted-curves).
@Suite struct ToneCurveFitTests {
  /// Greys of 2^-6 to 2^3, and what a curve makes of them.
  private static func pair(_ curve: (Double) -> Double) -> (hdr: ReducedLight, sdr: ReducedLight) {
    let (width, height) = (200, 100)
    let light = (0..<width * height).map { ExactMath.exp2(-6 + 9 * Double($0) / Double(width * height - 1)) }
    func picture(_ light: [Double]) -> ReducedLight {
      ReducedLight(width: width, height: height, rgb: light.flatMap { [$0, 0.5 * $0, 0.25 * $0] })
    }
    return (picture(light), picture(light.map(curve)))
  }

  private static func fit(_ curve: (Double) -> Double) -> ToneMetadataFit? {
    let (hdr, sdr) = pair(curve)
    // Displays between get the geometric mean, which the mix of the metadata is.
    return ToneMetadataFit(hdr) { (stops: Double) -> ReducedLight? in
      if stops == 0 { return sdr }
      let share = stops / 3
      return ReducedLight(
        width: hdr.width, height: hdr.height,
        rgb: zip(hdr.rgb, sdr.rgb).map { ExactMath.pow($0, share) * ExactMath.pow($1, 1 - share) })
    }
  }

  @Test func curvesOfTheLargestComponentAreFound() throws {
    let reinhard = try #require(Self.fit { $0 * (1 + $0 / 64) / (1 + $0) })
    #expect(reinhard.errors.stops.p95 < 0.02 && reinhard.errors.deltaE.p95 < 1)
    #expect(reinhard.points <= 12 && reinhard.metadata.alternates.count == 1 && reinhard.brighterShare == 0)
    let knee = try #require(Self.fit { $0 < 0.6 ? $0 : 0.6 + 0.4 * ExactMath.log2($0 / 0.6) / 3.8 })
    #expect(knee.errors.stops.p95 < 0.015 && knee.points <= 16)
    expectClose(knee.metadata.baselineHeadroom ?? 0, 3, abs: 0.01, rel: 0)
    #expect(knee.metadata.staysInside)
    // The same curve gives the same bytes.
    #expect(Self.fit { $0 * (1 + $0 / 64) / (1 + $0) }?.payload == reinhard.payload)
  }

  @Test("a rendition between that is no mix gets a curve of its own")
  func alternates() throws {
    let (hdr, sdr) = Self.pair { min($0, 1) }
    let fit = try #require(
      ToneMetadataFit(hdr) { (stops: Double) -> ReducedLight? in
        stops == 0
          ? sdr
          : ReducedLight(width: hdr.width, height: hdr.height, rgb: hdr.rgb.map { min($0, ExactMath.exp2(stops)) })
      })
    #expect(fit.metadata.alternates.map(\.headroom) == [0, 1, 2])
    #expect(fit.errors.stops.p95 < 0.05)
    let light = fit.metadata.log2Gains([3, 3, 3], displayStops: 1)[0]
    expectClose(light, ExactMath.log2(2.0 / 3), abs: 0.05, rel: 0)
  }

  @Test func lightWithoutHeadroomGetsNoCurve() {
    let (_, sdr) = Self.pair { min($0, 1) }
    #expect(ToneMetadataFit(sdr) { (_: Double) -> ReducedLight? in sdr } == nil)
    let black = ReducedLight(width: 4, height: 4, rgb: [Double](repeating: 0, count: 48))
    #expect(ToneMetadataFit(black) { (_: Double) -> ReducedLight? in black } == nil)
  }

  @Test("an SDR rendition that is brighter is cut at the HDR one, and counted")
  func brighter() throws {
    let fit = try #require(Self.fit { $0 < 0.5 ? 1.5 * $0 : min($0, 1) })
    #expect(fit.brighterShare > 0.3)
    let gains = fit.metadata.log2Gains([0.2, 0.2, 0.2], displayStops: 0)
    #expect(abs(gains[0]) < 0.02)
  }

  @Test func outputsThatFallArePooled() {
    // Outputs 10, 30, 20, 40 of equal weights become 10, 25, 25, 40.
    var groups = [(0, 10), (100, -70), (200, -180), (300, -260)].map {
      ToneCurveFit.Group(x: $0.0, gain: $0.1, count: 25)
    }
    ToneCurveFit.pool(&groups)
    #expect(groups.map { $0.gain + $0.x } == [10, 25, 25, 40])
    #expect(ToneCurveFit.smoothed([0, 16, 0, 0]) == [0, 80, 64, 0])
  }

  @Test("a picture is made small by means of its blocks")
  func reduction() throws {
    let image = SampleImage.interleaved(width: 5, height: 2, channelCount: 4, format: .float16, bitDepth: 16)
    let base = image.channels[0].buffer.base.assumingMemoryBound(to: Float16.self)
    for index in 0..<40 { base[index] = Float16(index % 4 == 3 ? 9 : index) }
    base[0] = .nan
    let small = try #require(ReducedLight(image, longSide: 3))
    #expect((small.width, small.height) == (3, 1))
    // Red of the pixels 1, 5 and 6 beside NaN, which makes the block black; then 2, 3, 7, 8, then 4, 9.
    #expect(small.rgb[0] == 0 && small.rgb[3] == (8 + 12 + 28 + 32) / 4.0 && small.rgb[6] == (16 + 36) / 2.0)
    #expect(small.largest(2) == (18 + 38) / 2.0)
    #expect(ReducedLight(SampleImage.planar(width: 2, height: 2, model: .grey, format: .uint8, bitDepth: 8)) == nil)
  }

  // MARK: Vectors

  @Test(.enabled(if: SharedData.url("specs/formats-2026-vectors.json") != nil, "skipped: no vectors"))
  func payloadsAndCurvesAreThoseOfTheVectors() throws {
    let group = try #require(SharedData.json("specs/formats-2026-vectors.json")?["hagc"] as? [String: Any])
    let rows = ((group["files"] as? [[String: Any]]) ?? []) + ((group["curves"] as? [[String: Any]]) ?? [])
    #expect(rows.count == 3)
    for row in rows {
      let x = try #require(row["X"] as? [Double]), gain = try #require(row["G"] as? [Double])
      let text = try #require(row["payload"] as? String)
      let payload = stride(from: 0, to: text.count, by: 2).compactMap { UInt8(text.dropFirst($0).prefix(2), radix: 16) }
      let metadata = try HeadroomAdaptiveMetadata(parsing: payload), curve = metadata.alternates[0].curve
      let coded = CodedToneCurve(
        headroom: 0, x: x.map { Int(($0 * 1000).rounded()) }, reduction: gain.map { Int((-$0 * 10_000).rounded()) })
      let baseline = Int(((metadata.baselineHeadroom ?? 0) * 10_000).rounded())
      #expect(HeadroomAdaptiveMetadata.payload(baseline: baseline, [coded]) == payload)
      #expect(curve == coded.curve)
      for point in (row["eval"] as? [[Double]]) ?? [] {
        expectClose(curve.evaluate(point[0]), point[1], abs: 1e-9, rel: 0)
      }
    }
    #expect(group["rwtmo_payload"] as? String == "004059dc80")
  }
}
