import CPURender
import HDRComparison
import HDRCore
import HDRPlan
import HDRRecipe
import TestSupport
import Testing

/// Metrics that the CPU computes from light: FLIP, SSIM, ssimulacra2, charts, shifts.
@Suite struct HostMetricTests {
  static let hasVectors = SharedData.url("specs/compare-vectors.json") != nil
  let vectors = SharedData.json("specs/compare-vectors.json") ?? [:]
  typealias Pictures = LightComparisonTests

  private func compare(
    _ a: SampleImage, _ b: SampleImage, isSDR: Bool, bandPixels: Int = 1 << 19, pool: BandPool = Pictures.pool
  ) -> [Metric: MetricValue] {
    LightComparison(a, b, Set(Metric.allCases), isSDR: isSDR, pool: pool, bandPixels: bandPixels) {
      CPUBackend.best.render($0, pool: pool).image
    }.values
  }

  @Test(.enabled(if: hasVectors, "skipped: no data")) func picturesHaveTheNumbersOfTheVectors() throws {
    let cases = try #require((vectors["images"] as? [String: Any])?["cases"] as? [[String: Any]])
    #expect(cases.count == 24)
    for row in cases {
      let width = Int(row.number("width")), height = Int(row.number("height"))
      let name = try #require(row["b"] as? String), title: Comment = "\(width)x\(height), \(name)"
      let a = Pictures.example(width, height), b = Pictures.distorted(width, height, name)
      let hdr = compare(a, b, isSDR: false), sdr = compare(a, b, isSDR: true)
      func check(_ found: Double?, _ expected: Double, _ tolerance: Double, _ what: String) {
        let found = found ?? .nan
        #expect(abs(found - expected) <= tolerance, "\(title), \(what): \(found), not \(expected)")
      }
      let flip = try #require(row["HDR_FLIP"] as? [String: Double])
      check(hdr[.flip]?[.mean], flip["mean"] ?? .nan, 2e-4, "flip")
      check(hdr[.flip]?[.max], flip["max"] ?? .nan, 2e-4, "largest flip")
      let exposures = try #require(hdr[.flip]?.pixels?.exposures)
      check(exposures.start, flip["start"] ?? .nan, 1e-4, "start")
      // The median of an even number of pixels is rounded otherwise by the oracle.
      check(exposures.stop, flip["stop"] ?? .nan, 0.005, "stop")
      #expect(exposures.count == Int(flip["count"] ?? 0), title)
      check(sdr[.flip]?[.mean], row.number("LDR_FLIP_at_headroom_1"), 2e-4, "flip of SDR")
      #expect(sdr[.flip]?.pixels?.exposures == nil, title)
      check(hdr[.ssim]?[nil], row.number("PU_SSIM"), 2e-5, "ssim")
      check(sdr[.ssimulacra2]?[nil], row.number("ssimulacra2_at_headroom_1"), 0.02, "ssimulacra2")
      check(hdr[.peakShare]?[nil], row.number("peak_p99.99_stops"), 1e-5, "peak-p99.99")
      let shift = try #require(row["phase_shift"] as? [Double]), found = hdr[.shift]?.shift
      guard shift[2] >= 0.8 else {
        #expect(found == nil, title)
        continue
      }
      check(found?.x, shift[0], 0.01, "shift x")
      check(found?.y, shift[1], 0.01, "shift y")
      check(found?.score, shift[2], 0.01, "score of the shift")
    }
  }

  @Test("8-bit codes change in the middle between the light of two")
  func codesAreTheNearest() {
    for code in 1...255 {
      let middle = Float(Transfer.sRGBDecode((Double(code) - 0.5) / 255))
      #expect(DisplayCodes.code(middle) == code)
      #expect(DisplayCodes.code(middle.nextDown) == code - 1)
    }
    #expect([0, 1, 49].map { DisplayCodes.code($0) } == [0, 255, 255])
  }

  @Test("equal pictures have the best numbers", arguments: [false, true])
  func equalPicturesAreEqual(isSDR: Bool) {
    let picture = Pictures.example(64, 48), values = compare(picture, picture, isSDR: isSDR)
    #expect(values[.flip]?[.max] == 0 && values[.shift]?[nil] == 0 && values[.peakShare]?[nil] == 0)
    #expect(values[.ssim]?[nil] == 1)
    #expect(values[.ssimulacra2]?[nil] == (isSDR ? 100 : nil))
    #expect(values[.delta2000]?[.max] == (isSDR ? 0 : nil) && values[.deltaOK]?[.max] == (isSDR ? 0 : nil))
  }

  @Test("bands and threads change no number", arguments: [false, true])
  func bandsChangeNothing(isSDR: Bool) {
    let a = Pictures.example(70, 211), b = Pictures.distorted(70, 211, "noise: a*(1+0.05*n)")
    let whole = compare(a, b, isSDR: isSDR), pool = BandPool(threads: 1)
    defer { pool.close() }
    #expect(whole.count == (isSDR ? 17 : 14))
    for pixels in [70 * 16, 70 * 48] {
      #expect(compare(a, b, isSDR: isSDR, bandPixels: pixels, pool: pool) == whole)
    }
  }

  @Test("tiny pictures have no shift, SSIM or score, and FLIP of any size", arguments: [(1, 1), (7, 7), (15, 16)])
  func tinyPicturesLackNumbers(width: Int, height: Int) {
    let a = LightPicture.light(width: width, height: height) { x, y in [100, Double(40 * x + y), 3] }
    let b = LightPicture.light(width: width, height: height) { x, y in [90, Double(30 * x + y), 4] }
    for isSDR in [false, true] {
      let values = compare(a, b, isSDR: isSDR)
      #expect(values[.shift] == nil && values[.ssim] == nil)
      #expect((values[.ssimulacra2] == nil) == (!isSDR || width < 8))
      #expect((values[.flip]?[.max] ?? 0) > 0)
    }
  }

  @Test("black has no exposure and no shift, and black that is half of a picture is bounded")
  func blackIsBounded() throws {
    let black = LightPicture.light(width: 32, height: 32) { _, _ in [0, 0, 0] }
    let grey = LightPicture.light(width: 32, height: 32) { _, _ in [100, 100, 100] }
    for (a, b) in [(black, black), (black, grey)] {
      let values = compare(a, b, isSDR: false)
      #expect(values[.flip] == nil && values[.shift] == nil)
    }
    #expect(compare(black, black, isSDR: true)[.flip]?[.max] == 0)
    #expect(compare(black, black, isSDR: false)[.peakShare]?[nil] == 0)
    #expect(compare(black, grey, isSDR: false)[.peakShare] == nil)
    #expect(compare(grey, black, isSDR: false)[.peakShare]?[nil] == -.infinity)
    let lamp = LightPicture.light(width: 32, height: 32) { x, _ in x < 4 ? [10_000, 9000, 8000] : [0, 0, 0] }
    let exposures = try #require(compare(lamp, lamp, isSDR: false)[.flip]?.pixels?.exposures)
    #expect((2...24).contains(exposures.count))
  }

  @Test("one bright pixel moves the peak and not its 99.99th percentile")
  func percentilesForgivePixels() {
    let a = LightPicture.light(width: 200, height: 100) { _, _ in [100, 100, 100] }
    let b = LightPicture.light(width: 200, height: 100) { x, y in x == 9 && y == 7 ? [800, 1, 1] : [100, 100, 100] }
    let values = compare(a, b, isSDR: false)
    expectClose(values[.peak]?[nil] ?? .nan, 3, abs: 1e-5, rel: 0)
    #expect(values[.peakShare]?[nil] == 0)
  }

  @Test("the shift of a large picture is found where it varies")
  func shiftsAreFoundInLargePictures() throws {
    // Flat but for a patch on the lower right.
    func nits(_ x: Int, _ y: Int) -> [Double] {
      guard x > 600, y > 300 else { return [50, 50, 50] }
      let light = 20 + Double((x * x * 7 + y * y * 13 + x * y * 5) % 211)
      return [light, light, light]
    }
    let a = LightPicture.light(width: 1100, height: 700, nits)
    let b = LightPicture.light(width: 1100, height: 700) { nits($0 + 2, $1 - 3) }
    let shift = try #require(compare(a, b, isSDR: false)[.shift]?.shift)
    #expect(abs(shift.x + 2) < 0.05 && abs(shift.y - 3) < 0.05, "\(shift)")
  }

  @Test(.enabled(if: hasVectors, "skipped: no data")) func chartsHaveTheDistancesOfTheVectors() throws {
    let patches = try #require((vectors["dE_2000"] as? [String: Any])?["rows"] as? [[String: Any]])
    #expect(patches.count == 12)
    for row in patches {
      let a = row.numbers("lab_a"), b = row.numbers("lab_b")
      let found = ChartColor(a[0], a[1], a[2]).difference2000(to: ChartColor(b[0], b[1], b[2]))
      expectClose(found, row.number("dE"), abs: 1e-8, rel: 1e-9)
    }
    let codes = try #require((vectors["sdr_dE"] as? [String: Any])?["rows"] as? [[String: Any]])
    #expect(codes.count >= 8)
    for row in codes {
      let a = row.numbers("srgb_a"), b = row.numbers("srgb_b")
      func light(_ codes: [Double]) -> [Double] { codes.map { Transfer.sRGBDecode($0 / 255) } }
      let (p, q) = (light(a), light(b))
      let lab = ChartColor(lab: p[0], p[1], p[2])
      expectClose(
        lab.difference2000(to: ChartColor(lab: q[0], q[1], q[2])), row.number("dE2000"), abs: 1e-7, rel: 1e-7)
      let ok = ChartColor(oklab: p[0], p[1], p[2])
      expectClose(ok.distance(to: ChartColor(oklab: q[0], q[1], q[2])), row.number("dE_OK"), abs: 1e-7, rel: 1e-7)
      // The same from light, rounded to codes.
      let back = Primaries.bt709.matrix(to: .bt2020) ?? .identity
      func picture(_ light: [Double]) -> SampleImage {
        LightPicture.row([(back * light).map { max(0, $0 * ReferenceWhite.nits) }])
      }
      let values = compare(picture(p), picture(q), isSDR: true)
      expectClose(values[.delta2000]?[.max] ?? .nan, row.number("dE2000"), abs: 0.01, rel: 0.002)
      expectClose(values[.deltaOK]?[.max] ?? .nan, row.number("dE_OK"), abs: 1e-5, rel: 0.002)
    }
  }
}
