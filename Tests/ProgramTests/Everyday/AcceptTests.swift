import Foundation
import TestFiles
import TestSupport
import Testing

/// Tests `--accept` through the program.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct AcceptTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private let lamps = SharedData.small("lamps.jpg")

  /// Renders a small copy of a photo and gives its items and the summary.
  private func render(
    _ words: [String], record: String = "r.jsonl", of input: String? = nil
  ) throws -> (run: Program.Result, items: [[String: Any]], summary: [String: Any]) {
    let path = folder.path(record)
    let run = try Program.run(
      ["render", input ?? lamps, "-o", folder.path("out"), "--backend", "cpu", "--record", path] + words)
    let lines = FileManager.default.fileExists(atPath: path) ? try recordLines(path) : []
    return (run, lines.filter { $0["type"] as? String == "item" }, lines.last ?? [:])
  }

  private func accept(_ item: [String: Any]?) throws -> (isAccepted: Bool, values: [String: Any]) {
    let accept = try #require(item?["accept"] as? [String: Any])
    return (accept["accepted"] as? Bool == true, try #require(accept["values"] as? [String: Any]))
  }

  @Test("an accepted output has its name, and the record says by which values")
  func acceptedOutputs() throws {
    let found = try render(
      ["--to", "adaptive-jpeg", "--to", "pq-avif", "--resize", "160", "--quality", "97", "--accept", "web"])
    #expect(found.run.status == 0, "\(found.run.errors)")
    #expect(folder.files("out") == ["lamps.avif", "lamps.jpg"])
    for item in found.items {
      let (isAccepted, values) = try accept(item)
      #expect(isAccepted)
      #expect(Set(values.keys) == ["p95(dE-seen)", "p99.9(dE-seen)", "tile(dE-seen)", "abs(bias)"])
      #expect(values.values.allSatisfy { ($0 as? Double).map { $0.isFinite } == true })
    }
    let expression = try #require((found.items[0]["accept"] as? [String: Any])?["expression"] as? String)
    #expect(expression.hasPrefix("p95(dE-seen) < 5 and p99.9(dE-seen) < 12"))
  }

  @Test("a file with a gain map is judged for displays of headroom 1, 2, 4 and in full")
  func headrooms() throws {
    let each = ["1", "2", "4", "full"].map { "p95(dE-seen@\($0)) < 50" }.joined(separator: " and ")
    let found = try render(
      ["--to", "adaptive-jpeg", "--resize", "160", "--map-scale", "2", "--accept", each],
      of: SharedData.example("temple.heic"))
    #expect(found.run.status == 0, "\(found.run.errors)")
    let values = try accept(found.items.first).values
    #expect(values.count == 4 && values.values.allSatisfy { ($0 as? Double ?? 0) > 0 }, "\(values)")
  }

  @Test("a rejected output is a line and a row with the number, exit 65, and no file")
  func promise26_rejectedOutputsHaveNoName() throws {
    let words = ["--to", "sdr-jpeg", "--resize", "160", "--quality", "4", "--accept", "good"]
    let found = try render(words)
    #expect(found.run.status == 65)
    #expect(
      found.run.errors.contains(/hdrbatch: rejected: .*lamps\.jpg: p95\(dE-seen@1\) [0-9.]+ >= 2 \[accept\.rejected\]/),
      "\(found.run.errors)")
    #expect(found.run.errors.contains("0 rendered, 1 rejected"), "\(found.run.errors)")
    #expect(folder.files("out").isEmpty)
    let hidden = try FileManager.default.contentsOfDirectory(atPath: folder.path("out"))
    #expect(hidden == [".hdrbatch"])
    #expect(found.items.first?["status"] as? String == "rejected")
    #expect(found.items.first?["code"] as? String == "accept.rejected")
    #expect(found.summary["rejected"] as? Int == 1 && found.summary["failed"] as? Int == 0)
    #expect(try !accept(found.items.first).isAccepted)
    let status = try Program.run(["status", folder.path("out")])
    #expect(status.output.hasPrefix("0 of 1 done, 0 failed, 1 rejected, 0 to do"), "\(status.output)")
    #expect(status.output.contains("  rejected accept.rejected: 1"), "\(status.output)")
    let named = try Program.run(["status", folder.path("out"), "--failed"]).output
    #expect(named.contains("[accept.rejected]"), "\(named)")
    let again = try #require(named.firstMatch(of: /reproduce --digest ([0-9a-f]+)/)?.output.1)
    let reproduced = try Program.run(["reproduce", "--digest", String(again), "--out", folder.path("out")])
    #expect(reproduced.status == 65 && reproduced.output.contains("now       rejected, accept.rejected: p95"))
    // The next run remembers.
    let resumed = try render(words + ["--resume"])
    #expect(resumed.run.status == 65 && resumed.items.first?["code"] as? String == "accept.earlier")
    let retried = try render(words + ["--resume", "--retry-rejected"])
    #expect(retried.run.status == 65 && retried.items.first?["code"] as? String == "accept.rejected")
    let lenient = try render(Array(words.dropLast(2)) + ["--accept", "p95(dE-seen) < 900", "--resume"])
    #expect(lenient.run.status == 0 && folder.files("out") == ["lamps.jpg"], "\(lenient.run.errors)")
  }

  @Test("words are what the encoder got: without loss 0, of a coder with other samples unknown")
  func promise26_unknownValuesAreNotAccepted() throws {
    #expect(try render(["--to", "pq-png", "--resize", "120", "--accept", "exact"]).run.status == 0)
    let lossy = try render(["--to", "sdr-jpeg", "--resize", "120", "--accept", "words == 0"])
    #expect(lossy.run.status == 65 && lossy.items.first?["code"] as? String == "metric.unavailable")
    #expect(lossy.run.errors.contains("words has no value [metric.unavailable]"), "\(lossy.run.errors)")
  }

  @Test("of a batch of 60 the five spoiled outputs are rejected, and no other")
  func fiveOfSixty() throws {
    try FileManager.default.createDirectory(atPath: folder.path("in"), withIntermediateDirectories: true)
    let source = folder.path("in/p00.jpg")
    let small = try Program.run(
      ["render", lamps, "-o", source, "--to", "sdr-jpeg", "--resize", "160", "--journal", "none"])
    #expect(small.status == 0, "\(small.errors)")
    for number in 1..<60 {
      let name = String(format: "in/p%02d.jpg", number)
      try FileManager.default.copyItem(atPath: source, toPath: folder.path(name))
    }
    let spoiled = [3, 17, 29, 44, 58].map { String(format: "p%02d.jpg", $0) }
    let recipe = try folder.file(
      "r.yaml",
      """
      accept: good
      quality: 95
      outputs: [{to: sdr-jpeg}]
      overrides: [{match: [\(spoiled.joined(separator: ", "))], quality: 1}]
      """)
    let found = try render(["--recipe", recipe, "--rejected", "keep"], of: folder.path("in"))
    #expect(found.run.status == 65, "\(found.run.errors)")
    #expect((found.summary["ok"] as? Int ?? 0) + (found.summary["warn"] as? Int ?? 0) == 55)
    #expect(found.summary["rejected"] as? Int == 5)
    let rejected = found.items.filter { $0["status"] as? String == "rejected" }
    #expect(rejected.compactMap { ($0["input"] as? NSString)?.lastPathComponent }.sorted() == spoiled)
    let files = folder.files("out")
    #expect(files.count == 60)
    #expect(files.filter { $0.hasSuffix(".rejected") } == spoiled.map { $0 + ".rejected" })
    // Accepted ones are done, rejected ones are remembered, and all is as it was.
    let again = try render(["--recipe", recipe, "--rejected", "keep", "--resume"], of: folder.path("in"))
    #expect(again.run.status == 65)
    #expect(again.summary["skipped"] as? Int == 55 && again.summary["rejected"] as? Int == 5)
    #expect(folder.files("out") == files)
    let gallery = try Program.run(["gallery", folder.path("out"), "--backend", "cpu"])
    #expect(gallery.status == 0, "\(gallery.errors)")
    let data = try #require(folder.text("out/gallery/data.js"))
    #expect(data.contains("\"rejected\":5"), "\(data)")
    let rows = try #require(folder.text("out/gallery/rows/0.js"))
    #expect(rows.components(separatedBy: "\"status\":\"rejected\"").count == 6)
    #expect(rows.contains("p95(dE-seen@1)"))
    // Kept files have thumbnails, too.
    #expect(rows.components(separatedBy: "\"thumb\":true").count == 61)
  }

  @Test("a plan holds what is accepted, and run may say it")
  func plannedBatches() throws {
    try SmallPictures.write(2, into: folder)
    func plan(_ name: String, _ words: [String]) throws -> String {
      let run = try Program.run(
        ["plan", folder.path("in"), "--to", "sdr-jpeg", "--quality", "30", "--out", folder.path("out-\(name)"), "-o"]
          + [folder.path(name)] + words)
      #expect(run.status == 0, "\(run.errors)")
      return folder.path(name)
    }
    func run(_ manifest: String, _ words: [String] = []) throws -> Program.Result {
      try Program.run(["run", "--manifest", manifest, "--backend", "cpu"] + words)
    }
    let strict = try run(try plan("strict", ["--accept", "near"]))
    #expect(strict.status == 65 && strict.errors.contains("2 rejected"), "\(strict.errors)")
    let plain = try plan("plain", [])
    let judged = try run(plain, ["--accept", "near", "--rejected", "keep"])
    #expect(judged.status == 65, "\(judged.errors)")
    #expect(folder.files("out-plain").count == 2 && folder.files("out-plain").allSatisfy { $0.hasSuffix(".rejected") })
    let status = try Program.run(["status", "--manifest", plain])
    #expect(status.output.contains("2 rejected, 0 to do"), "\(status.output)")
    let same = try run(plain, ["--accept", "near", "--resume"])
    #expect(same.status == 65 && same.errors.contains("[accept.earlier]"), "\(same.errors)")
    // Without the condition the plan is as it was.
    #expect(try run(plain, ["--resume"]).status == 0)
    #expect(folder.files("out-plain").filter { $0.hasSuffix(".jpg") }.count == 2)
  }

  @Test(
    "bad expressions and idle options end with 64 before any work",
    arguments: [
      (["--to", "sdr-jpeg", "--accept", "p95(dE-ITQ)<1"], "column 5: unknown metric; did you mean \"dE-ITP\"?"),
      (["--to", "sdr-jpeg", "--accept", "dE-seen<2"], "--accept column 1: say which: p95(dE-seen)"),
      (["--to", "sdr-jpeg", "--accept", "bias<1e999"], "not a number"),
      (["--to", "pq-raw:p010", "--accept", "good"], "--accept"),
      (["--to", "sdr-jpeg", "--to", "rgba16f", "--accept", "good"], "rgba16f is not judged"),
      (["--to", "recompress-jxl", "--accept", "good"], "--accept"),
      (["--to", "pq-png", "--accept", "good and max(maps)<1"], "max(maps) is of gain maps, and pq-png has none"),
      (["--to", "sdr-jpeg", "--accept", "not (shift@map>1 or bias>9)"], "shift@map is of gain maps"),
      (["--to", "sdr-jpeg", "--rejected", "keep"], "--rejected is of files that are not accepted"),
      (["--to", "sdr-jpeg", "--accept", "good", "--retry-rejected"], "--retry-rejected says how to --resume"),
      (["--to", "sdr-jpeg", "--accept", "good", "--rejected", "aside"], "--rejected has no value \"aside\""),
    ] as [([String], String)])
  func badUsage(arguments: [String], message: String) throws {
    let found = try render(arguments)
    #expect(found.run.status == 64, "\(found.run.errors)")
    #expect(found.run.errors.contains(message), "\(found.run.errors)")
    #expect(folder.files("out").isEmpty)
  }

  @Test("an expression in a recipe has its place there, and a pipe is not judged")
  func placesOfFaults() throws {
    let recipe = try folder.file("r.yaml", "outputs:\n  - to: sdr-jpeg\n    accept: p95(dE-sen) < 2\n")
    let found = try render(["--recipe", recipe])
    #expect(found.run.status == 64)
    #expect(found.run.errors.contains("r.yaml:3"), "\(found.run.errors)")
    #expect(found.run.errors.contains("unknown metric; did you mean \"dE-seen\"?"), "\(found.run.errors)")
    let pipe = try Program.run(["render", lamps, "-o", "-", "--to", "sdr-jpeg", "--accept", "good"])
    #expect(pipe.status == 64 && pipe.errors.contains("a pipe has got its pictures"), "\(pipe.errors)")
  }
}
