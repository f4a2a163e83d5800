import CPURender
import HDRComparison
import HDRCore
import HDRPlan
import HDRRecipe
import TestSupport
import Testing

/// The numbers of two pictures of light.
@Suite struct LightComparisonTests {
  static let pool = BandPool(threads: 2)
  static let hasVectors = SharedData.url("specs/compare-vectors.json") != nil
  let vectors = SharedData.json("specs/compare-vectors.json") ?? [:]

  private func compare(
    _ a: SampleImage, _ b: SampleImage, bandPixels: Int = 1 << 19, pool: BandPool = pool
  ) -> [Metric: MetricValue] {
    LightComparison(a, b, Set(Metric.allCases), pool: pool, bandPixels: bandPixels) {
      CPUBackend.best.render($0, pool: pool).image
    }.values
  }

  private func difference(_ a: [Double], _ b: [Double]) -> Double {
    compare(LightPicture.row([a]), LightPicture.row([b]))[.deltaITP]?[.max] ?? .nan
  }

  @Test(
    "dE ITP of two patches is that of BT.2124",
    arguments: [
      ([203, 203, 203], [203, 203, 203], 0), ([203, 203, 203], [205, 205, 205], 0.737977548789),
      ([1000, 0, 0], [0, 0, 1000], 548.615203617), ([-5, 100, 100], [0, 100, 100], 0),
      ([12_000, 100, 100], [10_000, 100, 100], 0), ([0, 0, 0], [10_000, 10_000, 10_000], 719.999473712),
    ] as [([Double], [Double], Double)])
  func patchesDiffer(a: [Double], b: [Double], expected: Double) {
    expectClose(difference(a, b), expected, abs: 0.01, rel: 1e-4)
  }

  @Test("equal pictures differ in nothing")
  func equalPicturesAreEqual() {
    let picture = Self.example(64, 48)
    let values = compare(picture, picture)
    #expect(values[.deltaITP]?[.max] == 0)
    #expect(values[.deltaSeen]?[.max] == 0)
    #expect(values[.deltaSeen]?[.tile] == 0)
    for metric in [Metric.psnrPQ, .psnrPQLuminance, .psnrPU] { #expect(values[metric]?[nil] == .infinity) }
    for metric in [Metric.bias, .peak, .lost, .hue, .banding] { #expect(values[metric]?[nil] == 0, "\(metric)") }
  }

  @Test("bands and threads change no number")
  func bandsChangeNothing() {
    let a = Self.example(70, 131), b = Self.distorted(70, 131, "noise: a*(1+0.05*n)")
    let whole = compare(a, b)
    let pool = BandPool(threads: 1)
    defer { pool.close() }
    for pixels in [70 * 16, 70 * 48] { #expect(compare(a, b, bandPixels: pixels, pool: pool) == whole) }
  }

  @Test("black has no hue, and its peak is that of black")
  func blackHasNoHue() {
    let black = LightPicture.light(width: 8, height: 8) { _, _ in [0, 0, 0] }
    let values = compare(black, black)
    #expect(values[.hue] == nil)
    #expect(values[.peak]?[nil] == 0)
    let grey = LightPicture.light(width: 8, height: 8) { _, _ in [100, 100, 100] }
    #expect(compare(black, grey)[.peak] == nil)
  }

  @Test(
    "light that was cut is found",
    arguments: [
      ([100, 500, 800, 1000], [100, 500, 500, 500], 0.5), ([100, 500, 500], [100, 500, 500], 0),
      ([1000, 1000], [990, 990], 0), ([150, 190], [100, 100], 0),
    ] as [([Double], [Double], Double)])
  func lostLightIsFound(a: [Double], b: [Double], share: Double) {
    let values = compare(LightPicture.row(a.map { [$0, $0, $0] }), LightPicture.row(b.map { [$0, $0, $0] }))
    #expect(values[.lost]?[nil] == share)
  }

  @Test(
    "bias counts stops from a tenth of a nit on",
    arguments: [
      (203, 203, 0), (203, 406, 1), (406, 203, -1), (0, 0, 0), (0, 0.05, 0), (0, 1, 3.32192809489), (0.2, 0.1, -1),
      (100, 107.177346253629, 0.1),
    ] as [(Double, Double, Double)])
  func biasCountsStops(a: Double, b: Double, stops: Double) {
    let values = compare(LightPicture.row([[a, a, a]]), LightPicture.row([[b, b, b]]))
    expectClose(values[.bias]?[nil] ?? .nan, stops, abs: 1e-5, rel: 0)
  }

  @Test(.enabled(if: hasVectors, "skipped: no data")) func patchesAreThoseOfTheVectors() throws {
    let rows = try #require((vectors["dE_ITP"] as? [String: Any])?["rows"] as? [[String: Any]])
    #expect(rows.count == 15)
    for row in rows {
      expectClose(difference(row.numbers("a"), row.numbers("b")), row.number("dE"), abs: 0.05, rel: 0.001)
    }
  }

  @Test(.enabled(if: hasVectors, "skipped: no data")) func perceptualLuminancesAreThoseOfTheVectors() throws {
    let rows = try #require((vectors["PU21"] as? [String: Any])?["rows"] as? [[String: Any]])
    #expect(rows.count == 15)
    for row in rows {
      let nits = row.number("nits")
      expectClose(PU21.value(nits: nits), max(0, row.number("pu")), abs: 1e-8, rel: 1e-10)
      let light = LightPicture.row([[nits, nits, nits]])
      let image = CPUBackend.best.render(ComparisonPlans.luminances(of: light), pool: Self.pool).image
      let plane = image.channels[1]
      let value = (plane.buffer.base + plane.offset).load(as: Float.self)
      expectClose(Double(value), row.number("pu"), abs: 0.02, rel: 0)
    }
  }

  @Test(.enabled(if: hasVectors, "skipped: no data")) func picturesHaveTheNumbersOfTheVectors() throws {
    let cases = try #require((vectors["images"] as? [String: Any])?["cases"] as? [[String: Any]])
    #expect(cases.count == 24)
    for row in cases {
      let width = Int(row.number("width")), height = Int(row.number("height"))
      let name = try #require(row["b"] as? String), title: Comment = "\(width)x\(height), \(name)"
      let values = compare(Self.example(width, height), Self.distorted(width, height, name))
      for (metric, key) in [(Metric.deltaITP, "dE_ITP"), (.deltaSeen, "dE_seen")] {
        for (aggregate, expected) in try #require(row[key] as? [String: Double]) {
          let found = try #require(values[metric]?[Aggregate(rawValue: aggregate)])
          #expect(abs(found - expected) <= 0.05 + 0.009 * expected, "\(title), \(key) \(aggregate): \(found)")
        }
      }
      for (metric, key) in [(Metric.psnrPQ, "psnr_PQ"), (.psnrPQLuminance, "psnr_PQ_Y"), (.psnrPU, "PU_PSNR")] {
        let found = try #require(values[metric]?[nil])
        if let expected = row[key] as? Double, expected < 100 {
          #expect(abs(found - expected) <= 0.05, "\(title), \(key): \(found), not \(expected)")
        } else {
          #expect(found > 100, "\(title), \(key)")
        }
      }
      for (metric, key, tolerance) in [
        (Metric.bias, "bias_stops", 1e-4), (.peak, "peak_stops", 1e-5), (.lost, "lost_share", 1e-9),
        (.hue, "hue_shift_highlights_deg", 0.02),
      ] {
        let found = try #require(values[metric]?[nil]), expected = row.number(key)
        #expect(abs(found - expected) <= tolerance, "\(title), \(key): \(found), not \(expected)")
      }
      let steps = try #require(row["banding"] as? [String: Double])
      let expected = 1000 * ((steps["b"] ?? 0) - (steps["a"] ?? 0)) / (steps["pairs"] ?? 1)
      let found = try #require(values[.banding]?[nil])
      #expect(abs(found - expected) <= 4000 / (steps["pairs"] ?? 1), "\(title), banding: \(found), not \(expected)")
    }
  }
}

extension LightComparisonTests {
  /// The reference picture of the vectors, in cd/m².
  private static func nits(_ width: Int, _ height: Int, _ x: Int, _ y: Int) -> [Double] {
    let w = Double(width), h = Double(height), dx = Double(x) - w / 4, dy = Double(y) - h / 2
    var light =
      203
      * (0.02 + Double((5 * x + 3 * y) % 61) / 61 * 0.5 + Double(x) / (w - 1) * Double(y) / (h - 1) * 3)
    if dx * dx + dy * dy < (h / 6) * (h / 6) { light /= 10 }
    let k = Double((x / 8 + 2 * (y / 8)) % 5) / 4
    return [light * (0.6 + 0.4 * k), light * 0.9, light * (1 - 0.5 * k)]
  }

  static func example(_ width: Int, _ height: Int) -> SampleImage {
    LightPicture.light(width: width, height: height) { nits(width, height, $0, $1) }
  }

  /// The reference picture distorted as a vector says.
  static func distorted(_ width: Int, _ height: Int, _ name: String) -> SampleImage {
    LightPicture.light(width: width, height: height) { x, y in
      let a = nits(width, height, x, y)
      func clamped(_ x: Int, _ y: Int) -> [Double] {
        nits(width, height, min(max(x, 0), width - 1), min(max(y, 0), height - 1))
      }
      let b: [Double]
      switch name {
      case "same": b = a
      case "light x1.05": b = a.map { $0 * 1.05 }
      case "PQ rounded to 10 bits": b = a.map { rounded($0, 1023) }
      case "PQ rounded to 8 bits": b = a.map { rounded($0, 255) }
      case "PQ rounded to 6 bits": b = a.map { rounded($0, 63) }
      case "noise: a*(1+0.05*n)":
        let n = Double((73 * x + 151 * y + 31 * ((x * y) % 97)) % 256) / 255 * 2 - 1
        b = a.map { $0 * (1 + 0.05 * n) }
      case "box 3x3, edge repeated":
        b = (0..<3).map { channel in
          var sum = 0.0
          for dy in -1...1 { for dx in -1...1 { sum += clamped(x + dx, y + dy)[channel] } }
          return sum / 9
        }
      case "right by 1 px, edge repeated": b = clamped(x - 1, y)
      case "min(a, 406)": b = a.map { min($0, 406) }
      case "a+0.1*(mean of R,G,B - a)":
        let mean = (a[0] + a[1] + a[2]) / 3
        b = a.map { $0 + 0.1 * (mean - $0) }
      case "tile x16...23, y8...15 times 1.5":
        b = (16...23).contains(x) && (8...15).contains(y) ? a.map { $0 * 1.5 } : a
      case "R and B exchanged": b = a.reversed()
      default: b = [.nan, .nan, .nan]
      }
      return b.map { min(max($0, 0), 10_000) }
    }
  }

  private static func rounded(_ nits: Double, _ codes: Double) -> Double {
    Transfer.pqEOTF((Transfer.pqInverseEOTF(nits) * codes).rounded() / codes)
  }
}
