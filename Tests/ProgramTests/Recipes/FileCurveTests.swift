import Foundation
import TestSupport
import Testing

/// Tests the tone curve that a file's own renditions imply, through the program.
@Suite struct FileCurveTests {
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
