import CPURender
import Foundation
import HDRCore
import HDRPlan
import TestPlans
import TestSupport
import Testing

/// The tone curve that a file's own renditions imply.
@Suite struct FileCurveTests {
  /// Halves of light, row by row.
  static func halves(_ width: Int, _ height: Int, _ light: (Int, Int) -> Double) -> SampleImage {
    FilterPicture(width: width, height: height) { x, y in
      let v = light(x, y)
      return SIMD4(v, v, v, 0.5)
    }.source.image
  }

  @Test("a known curve is found again, and it rises") func aCurveIsFound() throws {
    func known(_ v: Double) -> Double { 1.2 * v / (1 + 0.7 * v) }
    // Light of 2^-9...2^3, with noise of both signs on the SDR side.
    let hdr = Self.halves(240, 40) { x, _ in ExactMath.exp2(Double(x) / 20 - 9) }
    let sdr = Self.halves(240, 40) { x, y in
      known(ExactMath.exp2(Double(x) / 20 - 9)) * ExactMath.exp2(y % 2 == 0 ? 0.2 : -0.2)
    }
    let curve = try #require(FileCurve(sdr: sdr, hdr: hdr, headroom: Headroom(factor: 8)))
    var before = 0.0
    for step in -160...80 {
      let v = ExactMath.exp2(Double(step) / 16), got = v * curve.factor(v, display: .sdr)
      #expect(got >= before - 1e-12, "falls at \(v)")
      before = got
      if (-8.5...2.9).contains(Double(step) / 16) {
        #expect(abs(got / known(v) - 1) < 0.05, "\(v) becomes \(got) instead of \(known(v))")
      }
      // Nothing is left of it where the display shows all.
      #expect(curve.factor(v, display: Headroom(factor: 8)) == 1)
    }
    let half = curve.factor(4, display: Headroom(stops: 1.5)), all = curve.factor(4, display: .sdr)
    #expect(abs(half * half - all) < 1e-9, "half of the stops at half of the headroom")
    #expect(
      FileCurve(sdr: Self.halves(3, 3) { _, _ in 1 }, hdr: Self.halves(3, 3) { _, _ in 1 }, headroom: .sdr) == nil)
    #expect(FileCurve(sdr: sdr, hdr: Self.halves(3, 3) { _, _ in 1 }, headroom: .sdr) == nil)
  }

  @Test(
    "an edited photo keeps the look of its SDR rendition",
    .enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
  func theLookStays() throws {
    let folder = try TemporaryFolder(), photo = SharedData.examples + "/temple.heic"
    func light(_ name: String, _ words: String...) throws -> (light: [Double], row: [String: Any]) {
      let record = folder.path(name + ".jsonl"), out = folder.path(name)
      let result = try Program.run(
        ["render", photo, "--out", out, "--to", "rgba16f", "--headroom", "1", "--record", record] + words)
      #expect(result.status == 0, "\(result.errors)")
      let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: out + "/temple.rgba16f")))
      let halves = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float16.self)) }
      let row = try #require(recordLines(record).first { $0["type"] as? String == "item" })
      return (stride(from: 0, to: halves.count, by: 16 * 4).map { Double(halves[$0 + 1]) }, row)
    }
    let own = try light("own").light
    let (curve, row) = try light("curve", "--tone-map", "file-curve")
    let plain = try light("plain", "--tone-map", "reference-white").light
    #expect((row["operator"] as? String) == "gain-map+file-curve")
    func distance(_ a: [Double]) -> Double {
      let errors = zip(a, own).map { abs(max($0, 0) - max($1, 0)) / max($1, 0.02) }.sorted()
      return errors[errors.count / 2]
    }
    print("median distance to the SDR rendition: file-curve \(distance(curve)), reference-white \(distance(plain))")
    #expect(distance(curve) < 0.12 && distance(curve) < distance(plain) / 2)
    #expect(try #require(curve.max()) <= 1)
    // Half a stop brighter, and then by the same curve.
    let (edited, editedRow) = try light("edited", "--tone-map", "file-curve", "--filter", "exposure=ev:0.5")
    let brighter = zip(edited, curve).filter { $1 > 0.02 && $1 < 0.6 }.map { $0 / $1 }.sorted()
    #expect(brighter[brighter.count / 2] > 1.1 && brighter[brighter.count / 2] < 1.5)
    #expect((editedRow["editedRendition"] as? String) == "hdr")
    // A file without a map has no curve.
    let none = try Program.run([
      "render", SharedData.examples + "/citadel-pq.heic", "--out", folder.path("none"), "--to", "sdr-jpeg",
      "--tone-map", "file-curve",
    ])
    #expect(none.status == 0 && none.errors.contains("tone.no-file-curve"), "\(none.errors)")
  }
}
