import Foundation
import TestSupport
import Testing

/// `--quality-target` and `--max-bytes`: qualities that are found, and files that none suits.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct QualityTests {
  let folder: TemporaryFolder
  static let lamps = SharedData.small("lamps.jpg")
  init() throws { folder = try TemporaryFolder() }

  private struct Trial: Equatable {
    var quality: Int
    var bytes: Int
    var value: Double?
  }

  private struct Made {
    var status: Int32
    var errors: String
    var items: [[String: Any]]

    var item: [String: Any] { items.first ?? [:] }
    var trials: [Trial] { QualityTests.trials(item) }
    var quality: Int? { item["quality"] as? Int }
    var chosen: Trial? { trials.first { $0.quality == quality } }
  }

  private static func trials(_ item: [String: Any]) -> [Trial] {
    (item["qualityTried"] as? [[String: Any]] ?? []).map {
      Trial(
        quality: $0["quality"] as? Int ?? -1, bytes: $0["bytes"] as? Int ?? -1,
        value: $0["value"] as? Double ?? ($0["value"] as? String == "inf" ? .infinity : nil))
    }
  }

  private func render(_ words: [String], out: String = "out") throws -> Made {
    let record = folder.path("record.jsonl")
    try? FileManager.default.removeItem(atPath: record)
    let made = try Program.run(
      ["render", Self.lamps, "--resize", "160", "-o", folder.path(out), "--backend", "cpu", "--record", record] + words)
    let rows = FileManager.default.fileExists(atPath: record) ? try recordLines(record) : []
    return Made(status: made.status, errors: made.errors, items: rows.filter { $0["type"] as? String == "item" })
  }

  /// A kind with the ending of its file.
  static let kinds = [
    ("sdr-jpeg", "jpg"), ("pq-avif", "avif"), ("pq-heic", "heic"), ("pq-jxl", "jxl"), ("adaptive-jpeg", "jpg"),
    ("adaptive-avif", "avif"),
  ]

  @Test("a file keeps to its error in few encodes, and is the one that its quality makes", arguments: kinds)
  func target(kind: String, ending: String) throws {
    let made = try render(["--to", kind, "--quality-target", "dE-seen:2"])
    try #require(made.status == 0, "\(made.errors)")
    let chosen = try #require(made.chosen), value = try #require(chosen.value)
    #expect((1...5).contains(made.trials.count) && Set(made.trials.map(\.quality)).count == made.trials.count)
    #expect(value <= 2, "\(made.trials)")
    #expect(made.trials.allSatisfy { $0.quality >= chosen.quality || ($0.value ?? 0) > 2 }, "\(made.trials)")
    let file = try folder.bytes("out/lamps." + ending)
    #expect(file.count == chosen.bytes && made.item["bytesOut"] as? Int == chosen.bytes)
    #expect(folder.files("out") == ["lamps." + ending])
    let quality = "\(chosen.quality)"
    let map = kind.hasPrefix("adaptive") ? ["--map-quality", quality] : []
    #expect(try render(["--to", kind, "--quality", quality] + map, out: "same").status == 0)
    #expect(try folder.bytes("same/lamps." + ending) == file)
  }

  @Test func compareFindsTheErrorOfTheRecord() throws {
    let made = try render(["--to", "pq-avif", "--quality-target", "dE-seen:2.5"])
    #expect(try render(["--to", "pq-png"]).status == 0)
    let compared = try Program.run(
      [
        "compare", folder.path("out/lamps.png"), folder.path("out/lamps.avif"), "--metrics", "dE-seen", "--backend",
        "cpu",
      ])
    let match = try #require(compared.output.firstMatch(of: /p95 ([0-9.]+)/), "\(compared.output)")
    let value = try #require(Double(match.1)), expected = try #require(made.chosen?.value)
    #expect(abs(value - expected) < 0.02 * expected + 0.002, "\(value) and \(expected)")
  }

  @Test func decibelsAreATargetToo() throws {
    let made = try render(["--to", "pq-jxl", "--quality-target", "psnr-pq:48"])
    #expect(made.status == 0, "\(made.errors)")
    #expect(try #require(made.chosen?.value) >= 48)
  }

  @Test(arguments: [("sdr-jpeg", "jpg"), ("pq-heic", "heic"), ("adaptive-jpeg", "jpg")])
  func theLargestFileThatFitsIsWritten(kind: String, ending: String) throws {
    let made = try render(["--to", kind, "--max-bytes", "12K"])
    try #require(made.status == 0, "\(made.errors)")
    let chosen = try #require(made.chosen)
    #expect(chosen.bytes <= 12 << 10 && chosen.value == nil && made.trials.count <= 5)
    #expect(made.trials.allSatisfy { $0.quality <= chosen.quality || $0.bytes > 12 << 10 }, "\(made.trials)")
    #expect(try folder.bytes("out/lamps." + ending).count == chosen.bytes)
    let capped = try render(["--to", kind, "--max-bytes", "1M", "--quality", "30", "--on-existing", "replace"])
    #expect(capped.trials.map(\.quality) == [30] && capped.quality == 30)
  }

  @Test func whatNoQualityMeetsIsRejectedAndLeavesNoFile() throws {
    let made = try render(["--to", "pq-avif", "--quality-target", "dE-seen:0.05"])
    #expect(made.status == 65)
    #expect(made.item["status"] as? String == "rejected" && made.item["code"] as? String == "quality.unreachable")
    #expect(made.errors.contains("at quality 100") && made.errors.contains("--chroma 444"), "\(made.errors)")
    #expect(made.trials.contains { $0.quality == 100 } && folder.files("out").isEmpty)
    let kept = try render(
      ["--to", "pq-avif", "--quality-target", "dE-seen:0.05", "--rejected", "keep", "--chroma", "444"])
    #expect(kept.status == 65 && !kept.errors.contains("--chroma 444"))
    #expect(folder.files("out") == ["lamps.avif.rejected"])
  }

  @Test func aFileThatIsAlwaysTooLargeIsRejected() throws {
    let made = try render(["--to", "sdr-jpeg", "--max-bytes", "100"])
    #expect(made.status == 65 && made.item["code"] as? String == "bytes.unreachable")
    #expect(made.quality == 0 && made.errors.contains("--max-bytes is 100"), "\(made.errors)")
    #expect(folder.files("out").isEmpty)
  }

  @Test func targetsThatContradictAreRejected() throws {
    let made = try render(["--to", "sdr-jpeg", "--quality-target", "dE-seen:1", "--max-bytes", "2K"])
    #expect(made.status == 65 && made.item["code"] as? String == "bytes.unreachable")
    #expect(try #require(made.chosen?.value) <= 1, "\(made.trials)")
    #expect(made.errors.contains("dE-seen:1 takes quality"), "\(made.errors)")
  }

  @Test func whatIsAcceptedIsJudgedOfTheFoundFile() throws {
    let good = try render(["--to", "sdr-jpeg", "--quality-target", "dE-seen:2", "--accept", "psnr-pq > 20"])
    #expect(good.status == 0, "\(good.errors)")
    let bad = try render(
      ["--to", "sdr-jpeg", "--quality-target", "dE-seen:2", "--accept", "psnr-pq > 90", "--on-existing", "replace"])
    #expect(bad.status == 65 && bad.item["code"] as? String == "accept.rejected", "\(bad.errors)")
  }

  @Test func recipesHaveTargetsForOutputsAndInputs() throws {
    let recipe = try folder.file(
      "recipe.yaml",
      """
      outputs:
        - {to: sdr-jpeg, quality-target: "dE-seen:4"}
        - {to: pq-avif, quality-target: "tile(dE-seen) < 6"}
        - {to: pq-png}
      overrides: [{match: "lamp*", sdr-jpeg.quality-target: "dE-seen:1.5"}]
      """)
    let made = try render(["--recipe", recipe])
    try #require(made.status == 0, "\(made.errors)")
    let values = made.items.map { Self.trials($0).last?.value }
    #expect(values.count == 3 && Self.trials(made.items[2]).isEmpty && made.items[2]["quality"] is NSNull)
    let jpeg = Self.trials(made.items[0]).first { $0.quality == made.items[0]["quality"] as? Int }
    #expect(try #require(jpeg?.value) <= 1.5)
  }

  @Test func aPlanKeepsTheTarget() throws {
    let manifest = folder.path("m.jsonl")
    let planned = try Program.run(
      [
        "plan", Self.lamps, "-o", manifest, "--out", folder.path("out"), "--to", "sdr-jpeg", "--resize", "160",
        "--quality-target", "dE-seen:3",
      ])
    #expect(planned.status == 0, "\(planned.errors)")
    let record = folder.path("r.jsonl")
    let run = try Program.run(["run", "--manifest", manifest, "--backend", "cpu", "--record", record])
    #expect(run.status == 0, "\(run.errors)")
    let item = try #require(try recordLines(record).first { $0["type"] as? String == "item" })
    #expect(!Self.trials(item).isEmpty && item["quality"] is Int)
  }

  @Test(arguments: [
    (["--to", "pq-png", "--quality-target", "dE-seen:2"], "--quality-target has no effect on pq-png"),
    (["--to", "exr", "--max-bytes", "1M"], "--max-bytes has no effect on exr"),
    (["--to", "sdr-jpeg", "--quality-target", "dE-sen:2"], "did you mean \"dE-seen\"?"),
    (["--to", "sdr-jpeg", "--quality-target", "bias:2"], "bias"),
    (["--to", "sdr-jpeg", "--quality-target", "dE-seen"], "dE-seen:2"),
    (["--to", "sdr-jpeg", "--quality", "80", "--quality-target", "dE-seen:2"], "both say the quality"),
    (["--to", "sdr-jpeg", "--max-bytes", "many"], "is a number of bytes"),
  ]) func whatCannotBeSearchedForIsAUsageError(words: [String], message: String) throws {
    let made = try render(words)
    #expect(made.status == 64 && made.errors.contains(message), "\(made.errors)")
    #expect(folder.files("out").isEmpty)
  }

  @Test func pipesFindNoQuality() throws {
    let made = try Program.run(
      ["render", Self.lamps, "-o", "-", "--to", "sdr-jpeg", "--max-bytes", "10K", "--backend", "cpu"])
    #expect(made.status == 64 && made.errors.contains("max-bytes"), "\(made.errors)")
  }
}
