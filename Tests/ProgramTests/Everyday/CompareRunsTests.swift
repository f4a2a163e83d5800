import BatchEngine
import CodecService
import Foundation
import PlainData
import TestSupport
import Testing

/// Tests `hdrbatch compare --baseline`, which compares two runs by their journals.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct CompareRunsTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func render(_ out: String, _ files: [String], _ more: [String] = []) throws {
    let made = try Program.run(
      ["render"] + files.map(SharedData.example) + ["-o", folder.path(out), "--to", "sdr-png", "--resize", "100"] + more
    )
    #expect(made.status == 0, "\(made.errors)")
  }

  private func records(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  @Test("outputs are equal, of the same pixels, changed, new or gone, and versions and recipes are in the header")
  func changesAreTold() throws {
    try render("old", ["lamps.jpg", "temple.heic"], ["--metadata", "all"])
    try render("new", ["lamps.jpg", "temple.heic"], ["--metadata", "none"])
    let runs = ["compare", "--baseline", folder.path("old"), folder.path("new")]
    let plain = try Program.run(runs)
    #expect(plain.status == 0, "\(plain.output)\(plain.errors)")
    #expect(plain.output.contains("2 of the same pixels in other bytes"), "\(plain.output)")
    #expect(plain.output.contains(/A .* hdrbatch \S+, recipe [0-9a-f]{12}  2 outputs/), "\(plain.output)")
    // One more in the new run, one of other pixels, one only in the old.
    try render("new", ["lamps.jpg"], ["--filter", "exposure=ev:1", "--on-existing", "replace"])
    try render("new", ["lamps.jpg"], ["--name", "{stem}-more.{ext}"])
    try render("old", ["lamps.jpg"], ["--name", "{stem}-less.{ext}"])
    let found = try Program.run(runs + ["--json", "-"])
    #expect(found.status == 65, "\(found.errors)")
    let all = try records(found.output)
    let changes = all.filter { $0["type"] as? String == "pair" }.map {
      "\((($0["b"] ?? $0["a"]) as? String ?? ($0["a"] as? String) ?? "").split(separator: "/").last ?? "") \($0["change"] ?? "")"
    }
    #expect(
      Set(changes) == ["lamps-less.png gone", "lamps-more.png new", "lamps.png changed", "temple.png metadata"],
      "\(changes)")
    #expect((all[0]["runsA"] as? [[String: Any]])?.count == 2 && (all[0]["runsB"] as? [[String: Any]])?.count == 3)
    #expect((all.last?["changes"] as? [String: Int])?["changed"] == 1)
    let lines = try Program.run(runs)
    #expect(lines.output.contains(/\nmost: \S+lamps\.png dE-seen p95 [0-9.]+\n/), "\(lines.output)")
  }

  @Test("journals are runs too, and a folder without them ends with 64")
  func journalsAreRuns() throws {
    try render("old", ["lamps.jpg"])
    try render("new", ["lamps.jpg"])
    let journal = folder.path("old/.hdrbatch/journal"), name = try #require(folder.files("old/.hdrbatch/journal").first)
    for old in [journal, journal + "/" + name] {
      let found = try Program.run(["compare", "--baseline", old, folder.path("new"), "--accept", "good"])
      #expect(found.status == 0 && found.output.contains("1 pair: 1 accepted"), "\(found.output)\(found.errors)")
    }
    let side = try Program.run(
      ["compare", "--baseline", folder.path("old"), folder.path("new"), "--b.cicp", "9/16"])
    #expect(side.status == 64 && side.errors.contains("--b.NAME is not of runs"), "\(side.errors)")
    _ = try folder.file("none/x.png")
    let none = try Program.run(["compare", "--baseline", folder.path("none"), folder.path("new")])
    #expect(none.status == 64 && none.errors.contains("no run has left journals of items in"), "\(none.errors)")
  }

  @Test("two thousand outputs with equal digests are compared within five seconds, and no codec starts")
  func equalDigestsTakeNoDecoder() throws {
    for (out, same) in [("old", UInt8(1)), ("new", 2)] {
      var text = Journal.line([
        "type": "header", "version": "1", "recipeDigest": .string(Digest(of: [same]).hex), "unixTime": .int(1),
        "out": .string("/was/\(out)"),
      ])
      for number in 0..<2000 {
        let digest = Digest(of: Array("\(number)".utf8))
        text += Journal.line([
          "type": "item", "status": "ok", "output": .string("/was/\(out)/day/\(number).png"), "bytesOut": .int(9),
          "outputDigest": .string(digest.hex),
        ])
      }
      try folder.file(out + "/.hdrbatch/journal/all.1.jsonl", String(decoding: text, as: UTF8.self))
    }
    let runs = ["compare", "--baseline", folder.path("old"), folder.path("new"), "--accept", "near"]
    let clock = ContinuousClock(), begin = clock.now
    let found = try Program.run(runs, environment: ["HDRBATCH_CODEC": "/nonexistent/codec"])
    let time = clock.now - begin
    #expect(found.status == 0 && found.output.contains("2000 pairs: 2000 accepted"), "\(found.output)\(found.errors)")
    #expect(found.output.split(separator: "\n").count == 3, "\(found.output.prefix(500))")
    #expect(time < .seconds(5), "\(time)")
    // What renditions an output has is not known without its picture, and these are not there.
    let decoded = try Program.run(Array(runs.dropLast()) + ["bias@4 == 0"])
    #expect(decoded.status == 65 && decoded.output.contains("2000 pairs: 2000 failed"), "\(decoded.errors)")
  }

  @Test("an output whose size changed since its run is read, and its digest is not believed")
  func changedOutputsAreRead() throws {
    try render("old", ["lamps.jpg"])
    try render("new", ["lamps.jpg"])
    try Data("no picture".utf8).write(to: URL(fileURLWithPath: folder.path("new/lamps.png")))
    let found = try Program.run(["compare", "--baseline", folder.path("old"), folder.path("new")])
    #expect(found.status == 65 && found.output.contains("1 pair: 1 failed"), "\(found.output)")
  }
}
