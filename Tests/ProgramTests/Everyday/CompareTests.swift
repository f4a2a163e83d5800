import Foundation
import TestSupport
import Testing

/// Tests `hdrbatch compare` through the program.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct CompareTests {
  private func objects(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  private func render(_ name: String, _ arguments: [String], _ folder: TemporaryFolder) throws -> String {
    let path = folder.path(name)
    let made = try Program.run(["render", SharedData.example("lamps.jpg"), "-o", path, "--resize", "200"] + arguments)
    #expect(made.status == 0, "\(made.errors)")
    return path
  }

  @Test("a file is equal to itself in all renditions")
  func filesEqualThemselves() throws {
    let file = SharedData.example("lamps.jpg")
    let found = try Program.run(["compare", file, file, "--metrics", "all", "--accept", "exact", "--json", "-"])
    #expect(found.status == 0, "\(found.errors)")
    let records = try objects(found.output)
    #expect(records.map { $0["type"] as? String } == ["header", "pair", "summary"])
    #expect(records[0]["accept"] as? String == "words == 0 and metadata == 0")
    #expect(records[1]["verdict"] as? String == "accepted")
    let headrooms = try #require(records[1]["headrooms"] as? [[String: Any]])
    #expect(headrooms.map { "\($0["headroom"] ?? "")" }.suffix(1) == ["full"])
    #expect(headrooms.count > 1)
    for headroom in headrooms {
      #expect((headroom["dE-ITP"] as? [String: Any])?["max"] as? Double == 0)
      #expect(headroom["psnr-pq"] as? String == "inf")
    }
  }

  @Test("a lossy copy is accepted by what is seen, and rejected by a reason with the number")
  func lossyCopiesAreJudged() throws {
    let folder = try TemporaryFolder()
    let a = try render("a/lamps.png", ["--to", "pq-png"], folder)
    let b = try render("b/lamps.avif", ["--to", "pq-avif", "--quality", "95"], folder)
    #expect(try Program.run(["compare", a, b, "--accept", "web"]).status == 0)
    let strict = try Program.run(["compare", a, b, "--accept", "p95(dE-ITP) < 0.5"])
    #expect(strict.status == 65)
    #expect(
      strict.output.contains(/rejected: p95\(dE-ITP@full\) [0-9.]+ >= 0.5 \[accept\.rejected\]/), "\(strict.output)")
    // Two folders: a line a pair, and 65 for a file without a partner.
    let pairs = try Program.run(["compare", folder.path("a"), folder.path("b"), "--csv", folder.path("pairs.csv")])
    #expect(pairs.status == 0 && pairs.output.contains("differs"), "\(pairs.output)")
    let rows = try String(contentsOfFile: folder.path("pairs.csv"), encoding: .utf8).split(separator: "\n")
    #expect(rows.count == 2)
    #expect(rows.allSatisfy { $0.split(separator: ",", omittingEmptySubsequences: false).count == 5 + 28 })
    _ = try render("b/more.png", ["--to", "pq-png"], folder)
    let more = try Program.run(["compare", folder.path("a"), folder.path("b")])
    #expect(more.status == 65)
    #expect(more.output.contains("2 pairs: 1 differs, 1 unpaired"), "\(more.output)")
  }

  @Test("what has no meaning is one line and 65")
  func meaninglessPairsAreRefused() throws {
    let folder = try TemporaryFolder()
    let pq = try render("a.png", ["--to", "pq-png"], folder), sdr = try render("b.png", ["--to", "sdr-png"], folder)
    let kinds = try Program.run(["compare", pq, sdr])
    #expect(kinds.status == 65 && kinds.output.contains("[compare.kind]"), "\(kinds.output)")
    #expect(kinds.output.split(separator: "\n").count == 1)
    #expect(try Program.run(["compare", pq, sdr, "--headrooms", "1"]).status == 0)
    let sizes = try Program.run(["compare", pq, SharedData.example("lamps.jpg")])
    #expect(sizes.status == 65 && sizes.output.contains("[compare.size]"), "\(sizes.output)")
    let missing = try Program.run(["compare", pq, folder.path("none.png")])
    #expect(missing.status == 65 && missing.output.contains("[io.read]"), "\(missing.output)")
    let noPicture = try folder.file("text.png", "no picture")
    #expect(try Program.run(["compare", noPicture, pq]).status == 65)
  }

  @Test(
    "bad usage ends with 64 before any work",
    arguments: [
      (["--accept", "p95(dE-ITQ)<1"], "--accept, column 5: unknown metric; did you mean \"dE-ITP\"?"),
      (["--accept", "dE-seen<2"], "--accept, column 1: say which: p95(dE-seen)"),
      (["--metrics", "psnr"], "--metrics has no value \"psnr\""),
      (["--headrooms", "0.5"], "--headrooms is factors from 1"),
      (["--check", "size"], "--check has no value \"size\""), (["--json", "-", "--csv", "-"], "cannot both go"),
    ] as [([String], String)])
  func badUsageIsExplained(arguments: [String], message: String) throws {
    let found = try Program.run(["compare", "a.png", "b.png"] + arguments)
    #expect(found.status == 64)
    #expect(found.errors.contains(message), "\(found.errors)")
    #expect(found.output.isEmpty)
  }

  @Test func filesAreNotComparedWithFolders() throws {
    let found = try Program.run(["compare", SharedData.examples, SharedData.example("lamps.jpg")])
    #expect(found.status == 64 && found.errors.contains("two files or two folders"), "\(found.errors)")
  }

  @Test("reports that cannot be written end with 74")
  func unwrittenReportsEndWith74() throws {
    let file = SharedData.example("temple.heic")
    let found = try Program.run(["compare", file, file, "--metrics", "words", "--json", "/nonexistent/folder/x.jsonl"])
    #expect(found.status == 74, "\(found.errors)")
  }
}
