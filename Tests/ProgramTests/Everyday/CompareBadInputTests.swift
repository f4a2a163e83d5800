import Foundation
import TestSupport
import Testing

/// Tests files that `hdrbatch compare` cannot compare, or must not call equal.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct CompareBadInputTests {
  let folder: TemporaryFolder
  let lamps = SharedData.small("lamps.jpg")
  init() throws { folder = try TemporaryFolder() }

  private func render(_ name: String, _ more: [String]) throws -> String {
    let made = try Program.run(["render", lamps, "-o", folder.path(name), "--resize", "200"] + more)
    #expect(made.status == 0, "\(made.errors)")
    return folder.path(name)
  }

  /// Compares pairs of a list.
  private func compare(_ pairs: [(String, String)], _ more: [String] = []) throws -> Program.Result {
    let list = try folder.file("pairs.tsv", pairs.map { "\($0)\t\($1)\n" }.joined())
    return try Program.run(["compare", "--list", list, "--metrics", "words"] + more)
  }

  @Test("files that are cut, empty, folders, pipes or missing fail by a line with a code, and others go on")
  func brokenFilesFail() throws {
    let whole = try Data(contentsOf: URL(fileURLWithPath: SharedData.example("temple.heic")))
    let cut = folder.path("cut.heic"), empty = try folder.file("empty.png", "")
    try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: cut))
    let pipe = folder.path("pipe.png"), loop = folder.path("loop.png")
    #expect(mkfifo(pipe, 0o600) == 0)
    try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
    let bad = [cut, empty, folder.url.path, folder.path("none.png"), pipe, loop]
    let found = try compare(bad.map { ($0, lamps) } + bad.map { (lamps, $0) } + [(lamps, lamps)])
    #expect(found.status == 65, "\(found.errors)")
    #expect(found.output.contains("13 pairs: 1 equal, 12 failed"), "\(found.output)")
    let failed = found.output.split(separator: "\n").filter { $0.contains("  failed  ") }
    #expect(failed.count == 12 && failed.allSatisfy { $0.contains(/\[[a-z.-]+\]$/) }, "\(found.output)")
  }

  @Test("a file is equal to itself by another name, a link or a copy")
  func copiesAreEqual() throws {
    let link = folder.path("link.jpg"), copy = folder.path("copy.jpg")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: lamps)
    try FileManager.default.copyItem(atPath: lamps, toPath: copy)
    let found = try compare([(lamps, link), (link, lamps), (copy, link)], ["--accept", "exact"])
    #expect(found.status == 0 && found.output.contains("3 pairs: 3 accepted"), "\(found.output)")
  }

  @Test("a file with a gain map does not pass for its base, and maps of other sizes are compared in renditions")
  func gainMapsAreKept() throws {
    let full = try render("full.jpg", ["--to", "adaptive-jpeg", "--map-scale", "1"])
    let base = folder.path("base.png")
    #expect(try Program.run(["render", full, "-o", base, "--extract", "base"]).status == 0)
    let quarter = try render("quarter.jpg", ["--to", "adaptive-jpeg", "--map-scale", "4"])
    let kinds = try Program.run(["compare", full, base])
    #expect(kinds.status == 65 && kinds.output.contains("[compare.kind]"), "\(kinds.output)")
    let maps = try Program.run(["compare", full, quarter, "--metrics", "words,dE-seen", "--accept", "web"])
    #expect(maps.output.contains("words@map       cannot be compared"), "\(maps.output)")
    #expect(maps.output.contains("dE-seen@full") && maps.output.contains("gain map size"), "\(maps.output)")
    let exact = try Program.run(["compare", full, quarter, "--accept", "words == 0"])
    #expect(exact.status == 65 && exact.output.contains("[metric.unavailable]"), "\(exact.output)")
  }

  @Test("gain maps of other full headrooms are compared on displays below the larger one, each in full")
  func headroomsDiffer() throws {
    let full = try render("full.jpg", ["--to", "adaptive-jpeg"])
    let half = try render("half.jpg", ["--to", "adaptive-jpeg", "--filter", "exposure=ev:-1"])
    let found = try Program.run(["compare", full, half, "--metrics", "bias"])
    #expect(found.status == 0, "\(found.errors)")
    for headroom in ["1", "2", "4", "full"] { #expect(found.output.contains("bias@\(headroom) "), "\(found.output)") }
    let bias = try #require(found.output.firstMatch(of: /bias@full\s+(-[0-9.]+)/)).output.1
    #expect(abs((Double(bias) ?? 0) + 1) < 0.1, "\(found.output)")
  }

  @Test(
    "camera raw is compared with a JPEG of it, where codecs are locked in, and it is noted",
    .enabled(if: SharedData.url("data/images/raw/canon_eos_6d.dng") != nil, "skipped: no data"))
  func cameraRawIsCompared() throws {
    // Its first bytes do not tell it from a TIFF.
    let raw = try #require(SharedData.url("data/images/raw/canon_eos_6d.dng")).path, jpeg = folder.path("raw.jpg")
    #expect(try Program.run(["render", raw, "-o", jpeg, "--to", "sdr-jpeg", "--quality", "100"]).status == 0)
    let found = try Program.run(["compare", raw, jpeg, "--accept", "p50(dE-seen) < 1"])
    #expect(found.status == 0, "\(found.output)\(found.errors)")
    #expect(found.output.contains("[compare.raw]"), "\(found.output)")
    // Of both, a look changes nothing; of one, it does.
    let words = ["compare", raw, raw, "--metrics", "dE-seen", "--accept", "max(dE-seen) == 0"]
    #expect(try Program.run(words + ["--raw-look", "linear", "--raw-exposure", "1"]).status == 0)
    #expect(try Program.run(words + ["--b.raw-exposure", "1"]).output.contains("[accept.rejected]"))
    #expect(try Program.run(words + ["--b.raw-look", "linear"]).output.contains("[accept.rejected]"))
  }

  @Test("a page and maps may lie inside of B, whose own files alone are compared")
  func reportsLieInsideFolders() throws {
    for name in ["a/x.png", "b/x.png"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(String(name.prefix(1))), withIntermediateDirectories: true)
      _ = try render(name, ["--to", "pq-png"])
    }
    let words = [
      "compare", folder.path("a"), folder.path("b"), "--html", folder.path("b/page"), "--map", folder.path("b/maps"),
    ]
    for _ in 0..<2 {
      let found = try Program.run(words)
      #expect(found.status == 0 && found.output.contains("1 pair: 1 equal"), "\(found.output)\(found.errors)")
    }
  }

  @Test(
    "hostile files on either side fail alone",
    .enabled(if: SharedData.url("data/malformed") != nil, "skipped: no data"))
  func hostileFilesFailAlone() throws {
    let place = try #require(SharedData.url("data/malformed")).path
    let files = (FileManager.default.enumerator(atPath: place)?.compactMap { $0 as? String } ?? []).sorted()
      .filter { name in [".png", ".jpg", ".heic", ".avif"].contains { name.hasSuffix($0) } }
    let some = stride(from: 0, to: files.count, by: max(1, files.count / 12)).map { place + "/" + files[$0] }
    #expect(some.count >= 8)
    let small = try render("small.png", ["--to", "sdr-png"])
    let found = try compare(
      some.flatMap { [($0, small), (small, $0)] } + [(small, small)], ["--json", folder.path("report.jsonl")])
    #expect(found.status == 65, "\(found.status) \(found.errors)")
    #expect(found.output.contains("\(2 * some.count + 1) pairs: 1 equal"), "\(found.output)")
    #expect(folder.text("report.jsonl")?.split(separator: "\n").count == 2 * some.count + 3)
  }

  @Test("SIGTERM ends the comparison with 75, and reports have what was compared")
  func signalsStop() throws {
    let small = try render("small.png", ["--to", "sdr-png"])
    let list = try folder.file("pairs.tsv", String(repeating: "\(small)\t\(small)\n", count: 20_000))
    let logs = try ["out", "err"].map { try #require(FileHandle(forWritingAtPath: try folder.file($0, ""))) }
    let words = ["compare", "--list", list, "--csv", folder.path("x.csv"), "--backend", "cpu"]
    let process = try Program.start(words, output: logs[0], errors: logs[1])
    while process.isRunning && (folder.text("out") ?? "").split(separator: "\n").count < 3 { usleep(20_000) }
    process.terminate()
    process.waitUntilExit()
    let errors = folder.text("err") ?? ""
    #expect(process.terminationReason == .exit && process.terminationStatus == 75, "\(errors)")
    #expect(errors.contains(/asked to stop, \d+ not compared/), "\(errors)")
    let rows = folder.text("x.csv")?.split(separator: "\n").count ?? 0
    #expect(rows > 3 && rows < 20_000, "\(rows)")
    #expect(folder.text("out")?.contains(/\n\d+ pairs: \d+ equal\n/) == true)
  }
}
