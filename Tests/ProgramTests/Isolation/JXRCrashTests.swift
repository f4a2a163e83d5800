import Foundation
import ImageFiles
import TestSupport
import Testing

/// JPEG XR through the program: code streams that make the library crash cost themselves alone.
@Suite(
  .enabled(if: Program.url != nil && SharedData.url("data/formats2/jxr") != nil, "skipped: no data or no program"),
  .enabled(if: codecLibraries().contains { $0.name == "libjxr" && $0.version != nil }, "skipped: no libjxr"))
struct JXRCrashTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) throws -> String { try #require(SharedData.url("data/formats2/" + name)).path }

  private func rows() throws -> [String: [String: Any]] {
    let rows = try recordLines(folder.path("r.jsonl")).filter { $0["type"] as? String == "item" }
    return Dictionary(
      uniqueKeysWithValues: rows.map { row in
        ((row["input"] as? String ?? "").split(separator: "/").last.map(String.init) ?? "", row)
      })
  }

  @Test("a crash of the library is one failed item, and its neighbours are whole")
  func crashCostsOneItem() throws {
    let names = (0..<4).map { "malformed/djxr_mut\($0).jxr" }
    let inputs = try ["jxr/made_rgb8_61x47.jxr"].map(path) + names.map(path) + [path("jxr/win_hdr_scene.jxr")]
    let result = try Program.run(
      ["render"] + inputs + [
        "--out", folder.path("out"), "--to", "sdr-png", "--backend", "cpu", "--jobs", "1", "--journal", "none",
        "--record",
        folder.path("r.jsonl"), "--progress", "none",
      ])
    #expect(result.status == 65, "\(result.errors)")
    let rows = try rows()
    #expect(rows.count == 6)
    var codes: [String] = []
    for name in names {
      let row = try #require(rows[String(name.dropFirst(10))])
      guard row["status"] as? String == "failed" else { continue }
      codes.append(try #require(row["code"] as? String))
    }
    #expect(
      codes.contains("codec.crashed") && Set(codes).isSubset(of: ["codec.crashed", "decode.library"]), "\(codes)")
    for whole in ["made_rgb8_61x47.jxr", "win_hdr_scene.jxr"] {
      let row = try #require(rows[whole])
      #expect(row["status"] as? String != "failed" && row["format"] as? String == "jxr")
    }
  }

  @Test("without a sandbox nothing is decoded unless the caller says so")
  func needsSandbox() throws {
    func render(_ words: String...) throws -> Program.Result {
      try Program.run(
        [
          "render", try path("jxr/win_hdr_scene.jxr"), "--out", folder.path("out"), "--to", "sdr-png", "--backend",
          "cpu",
          "--journal", "none", "--on-existing", "replace",
        ] + words)
    }
    for isolation in ["none", "rlimit"] {
      let refused = try render("--isolation", isolation)
      #expect(refused.status == 65 && refused.errors.contains("unsafe-codecs"), "\(refused.errors)")
      #expect(try render("--isolation", isolation, "--unsafe-codecs").status == 0)
    }
    #expect(try render("--isolation", "fresh").status == 0)
  }

  @Test("MaxCLL of PQ is the light of nearly all pixels, and luminances stay whatever white is")
  func lightLevelIsOfNearlyAll() throws {
    func clli(_ name: String, _ words: String...) throws -> (level: Double, peak: Double) {
      let result = try Program.run(
        [
          "render", try path("jxr/win_hdr_scene.jxr"), "--out", folder.path(name), "--to", "pq-png", "--backend", "cpu",
          "--record", folder.path("r.jsonl"), "--journal", "none",
        ] + words)
      #expect(result.status == 0, "\(result.errors)")
      let row = try #require(try rows()["win_hdr_scene.jxr"])
      let level = try #require(row["clli"] as? [String: Any])
      return (try #require(level["maxCLL"] as? Double), try #require(row["measuredPeak"] as? Double))
    }
    let usual = try clli("a"), most = try clli("b", "--max-cll", "measured"),
      bright = try clli("c", "--jxr-white", "400")
    #expect(usual.level == 1117 && most.level > usual.level && most.level <= 1161, "\(usual) \(most)")
    #expect(bright.level == usual.level && abs(bright.peak - usual.peak) < 1e-3 * usual.peak, "\(bright) \(usual)")
  }
}
