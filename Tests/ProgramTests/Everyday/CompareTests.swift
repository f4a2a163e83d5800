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
    let made = try Program.run(["render", SharedData.small("lamps.jpg"), "-o", path, "--resize", "200"] + arguments)
    #expect(made.status == 0, "\(made.errors)")
    return path
  }

  /// A photo compared with itself by all metrics, which takes seconds: once for all tests.
  private static let itself = Result {
    let file = SharedData.small("lamps.jpg")
    return try Program.run(["compare", file, file, "--metrics", "all", "--accept", "exact", "--json", "-"])
  }

  @Test("a file is equal to itself in all renditions")
  func filesEqualThemselves() throws {
    let found = try Self.itself.get()
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

  @Test("a gain map is compared with the PQ picture that was made of it in full alone")
  func gainMapsAreComparedWithPQ() throws {
    let folder = try TemporaryFolder(), map = SharedData.small("lamps.jpg"), pq = folder.path("lamps.png")
    #expect(try Program.run(["render", map, "-o", pq, "--to", "pq-png"]).status == 0)
    let words = ["--metrics", "dE-ITP", "--accept", "max(dE-ITP) < 0.1", "--json", "-"]
    let found = try Program.run(["compare", map, pq] + words)
    #expect(found.status == 0, "\(found.output)\(found.errors)")
    let headrooms = try #require(try objects(found.output)[1]["headrooms"] as? [[String: Any]])
    #expect(headrooms.map { $0["headroom"] as? String } == ["full"])
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
    #expect(rows.allSatisfy { $0.split(separator: ",", omittingEmptySubsequences: false).count == 5 + 67 })
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
    let sizes = try Program.run(["compare", pq, SharedData.small("lamps.jpg")])
    #expect(sizes.status == 65 && sizes.output.contains("[compare.size]"), "\(sizes.output)")
    let noPicture = try folder.file("text.png", "no picture")
    #expect(try Program.run(["compare", noPicture, pq]).status == 65)
  }

  @Test("a pair that does not fit in memory fails, and says how much is enough")
  func largePairsAreRefused() throws {
    let words = ["compare", SharedData.example("temple.heic"), SharedData.example("temple.heic"), "--metrics", "words"]
    let found = try Program.run(words + ["--memory", "64M"])
    #expect(found.status == 65 && found.output.contains("[decode.limit]"), "\(found.output)")
    let enough = try #require(found.output.firstMatch(of: /raise --memory to (\d+M)/)?.output.1)
    let again = try Program.run(words + ["--memory", String(enough)])
    #expect(again.status == 0 && again.output.contains("equal"), "\(again.output)")
    // Metrics that keep more in memory need more.
    let more = try Program.run(words.dropLast() + ["ssimulacra2", "--memory", String(enough)])
    #expect(more.status == 65 && more.output.contains("[decode.limit]"), "\(more.output)")
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
    let found = try Program.run(["compare", SharedData.examples, SharedData.small("lamps.jpg")])
    #expect(found.status == 64 && found.errors.contains("two files or two folders"), "\(found.errors)")
    let missing = try Program.run(["compare", SharedData.examples, "/nonexistent/folder"])
    #expect(missing.status == 64 && missing.errors.contains("/nonexistent/folder: no such file or folder"))
  }

  @Test(
    "options without effect end with 64",
    arguments: [
      (["--image", "all"], "--image all has no effect"),
      (["--device", "0", "--backend", "cpu"], "--device needs"), (["--pair-by", "name"], "--pair-by is for folders"),
      (["--shard", "0/2"], "--shard is for many pairs"),
      (["--metrics", "bias", "--check", "cicp"], "--check needs the metric metadata"),
      (["--metrics", "words", "--headrooms", "1"], "--headrooms has no effect"),
      (["--metrics", "dE-OK", "--headrooms", "full"], "need headroom 1: add it to --headrooms"),
      (["--json", SharedData.example("temple.heic")], "is an input"),
      (["--json", "/tmp/x", "--csv", "/tmp/../tmp/x"], "--json and --csv are one file"),
    ] as [([String], String)])
  func idleOptionsAreRefused(arguments: [String], message: String) throws {
    let file = SharedData.example("temple.heic")
    let found = try Program.run(["compare", file, file] + arguments)
    #expect(found.status == 64)
    #expect(found.errors.contains(message), "\(found.errors)")
  }

  @Test("folders are joined by stem or name, maps among them are left out, and metadata counts by groups")
  func foldersAreJoined() throws {
    let folder = try TemporaryFolder()
    let a = try render("a/lamps.png", ["--to", "pq-png"], folder)
    let b = try render("b/lamps.avif", ["--to", "pq-avif"], folder)
    let folders = ["compare", folder.path("a"), folder.path("b")]
    let byName = try Program.run(folders + ["--pair-by", "name"])
    #expect(byName.status == 65 && byName.output.contains("2 pairs: 2 unpaired"), "\(byName.output)")
    for _ in 0..<2 {
      let mapped = try Program.run(folders + ["--map", folder.path("b/maps"), "--metrics", "dE-seen"])
      #expect(mapped.status == 0 && mapped.output.contains("1 pair: 1 differs"), "\(mapped.output)\(mapped.errors)")
    }
    let map = try Program.run(["info", folder.path("b/maps/lamps.avif@full.png"), "--json"])
    #expect(try objects(map.output).first?["format"] as? String == "png", "\(map.output)\(map.errors)")
    // A PNG has RGB, an AVIF Y'CbCr.
    let metadata = ["compare", a, b, "--metrics", "metadata", "--accept", "metadata == 0", "--check"]
    #expect(try Program.run(metadata + ["cicp"]).status == 65)
    #expect(try Program.run(metadata + ["iptc"]).status == 0)
  }

  @Test("the worst parts lie beside the map, and need its folder")
  func worstPartsAreWritten() throws {
    let folder = try TemporaryFolder()
    let a = try render("a/lamps.png", ["--to", "pq-png"], folder)
    let b = try render("b/lamps.png", ["--to", "pq-png", "--filter", "gaussian-blur=radius:2"], folder)
    let words = ["compare", a, b, "--metrics", "bias", "--worst", "2"]
    let found = try Program.run(words + ["--map", folder.path("maps")])
    #expect(found.status == 0, "\(found.errors)")
    let parts = ["lamps.png@full-worst1.png", "lamps.png@full-worst2.png"]
    #expect(folder.files("maps").sorted() == parts + ["lamps.png@full.png"])
    let alone = try Program.run(words)
    #expect(alone.status == 64 && alone.errors.contains("--worst needs"), "\(alone.errors)")
  }

  @Test("pictures of other sizes are compared at a smaller one, and exported")
  func reducedPicturesAreExported() throws {
    let folder = try TemporaryFolder()
    let a = try render("a/lamps.png", ["--to", "pq-png"], folder)
    let made = try Program.run([
      "render", SharedData.small("lamps.jpg"), "-o", folder.path("b"), "--to", "pq-png", "--resize", "400",
    ])
    #expect(made.status == 0, "\(made.errors)")
    let words = ["compare", a, folder.path("b/lamps.png"), "--metrics", "dE-seen"]
    #expect(try Program.run(words).status == 65)
    let reduced = words + ["--at", "100", "--accept", "p95(dE-seen) < 2"]
    let found = try Program.run(reduced + ["--export", folder.path("files")])
    #expect(found.status == 0 && found.output.contains("100x76"), "\(found.output)\(found.errors)")
    let names = ["A.exr", "A.png", "B.exr", "B.png"].map { "lamps.png@full-" + $0 }
    #expect(folder.files("files").sorted() == names)
    let own = try Program.run(["compare", folder.path("files/" + names[1]), folder.path("files/" + names[3])])
    #expect(own.status == 0, "\(own.output)")
    let idle = try Program.run(["compare", a, a, "--metrics", "words", "--at", "100"])
    #expect(idle.status == 64 && idle.errors.contains("--at has no effect"), "\(idle.errors)")
  }

  @Test("a map that cannot be written is one line, and reports are written")
  func unwrittenMapsAreSaid() throws {
    let folder = try TemporaryFolder(), file = SharedData.example("temple.heic")
    let noFolder = try folder.file("text", "no folder")
    let found = try Program.run(
      ["compare", file, file, "--metrics", "dE-seen", "--map", noFolder, "--json", folder.path("x.jsonl")])
    #expect(found.status == 74)
    #expect(found.errors.components(separatedBy: "hdrbatch: error:").count == 2, "\(found.errors)")
    #expect(found.output.contains("equal"), "\(found.output)")
    #expect(try objects(folder.text("x.jsonl") ?? "").count == 3)
  }

  @Test("outputs of earlier runs are compared, and a folder without pictures has no partners")
  func batchesAreCompared() throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b"] {
      let made = try Program.run(
        ["render", SharedData.small("lamps.jpg"), "--out", folder.path(name + "/day"), "--to", "pq-png"]
          + ["--resize", "100"])
      #expect(made.status == 0, "\(made.errors)")
    }
    let found = try Program.run(["compare", folder.path("a"), folder.path("b")])
    #expect(found.status == 0 && found.output.contains("1 pair: 1 equal"), "\(found.output)\(found.errors)")
    _ = try folder.file("none/text.txt", "no picture")
    let none = try Program.run(["compare", folder.path("a"), folder.path("none")])
    #expect(none.status == 65 && none.output.contains("1 pair: 1 unpaired"), "\(none.output)\(none.errors)")
  }

  @Test("a missing codec program stops the comparison with 69")
  func missingCodecsStopAll() throws {
    let found = try Program.run(
      ["compare", SharedData.examples, SharedData.examples, "--pair-by", "name", "--metrics", "words"],
      environment: ["HDRBATCH_CODEC": "/nonexistent/codec"])
    #expect(found.status == 69, "\(found.errors)")
    #expect(found.errors.contains(/stopped, \d+ not compared/), "\(found.errors)")
    #expect(found.output.contains("1 pair: 1 failed"), "\(found.output)")
  }

  @Test("a headroom is the one that was written, and counts once")
  func headroomsKeepTheirNumber() throws {
    let file = SharedData.small("lamps.jpg")
    let found = try Program.run(
      ["compare", file, file, "--headrooms", "5,5", "--metrics", "bias", "--accept", "bias@5 == 0", "--json", "-"])
    #expect(found.status == 0, "\(found.output)\(found.errors)")
    let headrooms = try #require(try objects(found.output)[1]["headrooms"] as? [[String: Any]])
    #expect(headrooms.map { $0["headroom"] as? Double } == [5])
  }

  @Test("the page of keys knows those of all records")
  func keysAreThoseOfThePage() throws {
    func keys(_ object: [String: Any], _ name: String) -> Set<String> {
      var found: Set<String> = []
      for (key, value) in object {
        found.insert("\(name) \(key)")
        let inner = (value as? [[String: Any]]) ?? (value as? [String: Any]).map { [$0] } ?? []
        for item in inner { found.formUnion(keys(item, key)) }
      }
      return found
    }
    let folder = try TemporaryFolder()
    for run in ["a", "b"] { _ = try render(run + "/lamps.png", ["--to", "pq-png"], folder) }
    let runs = ["--baseline", folder.path("a"), folder.path("b")]
    let outputs = try [Self.itself.get(), Program.run(["compare"] + runs + ["--json", "-"])].map(\.output)
    let found = try outputs.flatMap(objects).reduce(into: Set<String>()) { found, object in
      found.formUnion(keys(object, object["type"] as? String ?? ""))
    }
    func names(_ cell: String) -> [String] { cell.split(separator: ",").map { $0.filter { $0 != " " } } }
    let known = try SourceTree.text("docs/data/compare-keys.tsv").split(separator: "\n").dropFirst()
      .map { $0.split(separator: "\t").map(String.init) }
      .reduce(into: Set<String>()) { known, row in
        for name in names(row[0]) { known.formUnion(names(row[1]).map { "\(name) \($0)" }) }
      }
    #expect(found.subtracting(known) == [])
    // One picture has no alpha and no remarks, and may have no colour in highlights.
    #expect(
      known.subtracting(found).subtracting(["files alpha", "headrooms hue"]).allSatisfy { $0.hasPrefix("notes ") })
  }

  @Test("reports that cannot be written end with 74")
  func unwrittenReportsEndWith74() throws {
    let file = SharedData.example("temple.heic")
    let found = try Program.run(["compare", file, file, "--metrics", "words", "--json", "/nonexistent/folder/x.jsonl"])
    #expect(found.status == 74, "\(found.errors)")
  }
}
