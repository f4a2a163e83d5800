import BatchEngine
import CodecService
import Foundation
import TestFiles
import TestSupport
import Testing

/// Inputs that codec processes are lost on: not tried again by later runs, said by status, done again by `reproduce`
/// (docs/reliability.md#quarantine).
@Suite(
  .serialized,
  .enabled(if: HostileCodec.url != nil && Program.url != nil, "skipped: the programs are not built beside the tests"))
struct QuarantineTests {
  let folder: TemporaryFolder
  let testing = HostileCodec.environment
  init() throws { folder = try TemporaryFolder() }

  func inputs() throws {
    try SmallPictures.write(4, into: folder)
    try folder.file("in/dies.jpg", HostileCodec.order("signal 11"))
    try folder.file("in/hangs.jpg", HostileCodec.order("sleep"))
    try folder.file("in/broken.jpg", "not a picture")
  }

  func render(_ more: [String], to kind: String = "sdr-jpeg") throws -> (status: Int32, rows: [[String: Any]]) {
    let record = folder.path("r.jsonl")
    let result = try Program.run(
      [
        "render", folder.path("in"), "--to", kind, "--out", folder.path("out"), "--backend", "cpu", "--progress",
        "none",
        "--max-seconds", "1", "--record", record,
      ] + more, environment: testing)
    return (result.status, try recordLines(record).filter { $0["type"] as? String == "item" })
  }

  func digest(_ name: String) -> String {
    Digest(of: [UInt8](FileManager.default.contents(atPath: folder.path(name)) ?? Data())).hex
  }

  func codes(_ rows: [[String: Any]]) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: rows.map {
        (URL(fileURLWithPath: $0["input"] as! String).lastPathComponent, $0["code"] as? String ?? "")
      })
  }

  @Test func lostInputsAreNotTriedAgain() throws {
    try inputs()
    let first = try render([])
    #expect(first.status == 65)
    #expect(codes(first.rows)["dies.jpg"] == "codec.crashed" && codes(first.rows)["hangs.jpg"] == "codec.timeout")
    // Of what a process died on the supervisor knows the digest.
    for row in first.rows {
      let input = try #require(row["input"] as? String)
      #expect(row["inputDigest"] as? String == digest("in/" + input.dropFirst(folder.path("in/").count)), "\(input)")
    }
    // The same bytes under another name count too.
    try FileManager.default.copyItem(atPath: folder.path("in/dies.jpg"), toPath: folder.path("in/twin.jpg"))
    let begin = ContinuousClock.now
    let again = try render(["--resume"])
    #expect(ContinuousClock.now - begin < .seconds(2.5))
    #expect(again.status == 65)
    let found = codes(again.rows)
    #expect(found["dies.jpg"] == "codec.quarantined" && found["hangs.jpg"] == "codec.quarantined")
    #expect(found["twin.jpg"] == "codec.quarantined")
    // What is only broken is tried again: that costs nothing.
    #expect(found["broken.jpg"] == "decode.unsupported" && found.values.count { $0 == "batch.done" } == 4)
    let row = try #require(again.rows.first { ($0["input"] as? String)?.hasSuffix("dies.jpg") == true })
    #expect((row["message"] as? String)?.contains("SIGSEGV") == true)
    #expect(row["inputDigest"] as? String == digest("in/dies.jpg"))
    // What was never decoded is left alone whatever is made of it.
    let other = codes(try render(["--resume"], to: "sdr-png").rows)
    #expect(other["dies.jpg"] == "codec.quarantined")
    // Asked for, it is tried; other bytes in its place are another input.
    try SmallPictures.png(3).write(to: URL(fileURLWithPath: folder.path("in/hangs.jpg")))
    let asked = codes(try render(["--resume", "--retry-quarantined"]).rows)
    #expect(asked["dies.jpg"] == "codec.crashed" && asked["hangs.jpg"] == "")
    #expect(codes(try render(["--resume"]).rows)["hangs.jpg"] == "batch.done")
    #expect(try Program.run(["render", "x", "--to", "sdr-jpeg", "--out", "y", "--retry-quarantined"]).status == 64)
  }

  @Test func statusAndReproduceKnowQuarantinedInputs() throws {
    try inputs()
    let manifest = folder.path("m.jsonl")
    #expect(
      try Program.run([
        "plan", folder.path("in"), "--to", "sdr-jpeg", "--out", folder.path("out"), "-o", manifest,
      ]).status == 0)
    let run = ["run", "--manifest", manifest, "--backend", "cpu", "--progress", "none", "--max-seconds", "1"]
    #expect(try Program.run(run, environment: testing).status == 65)
    #expect(try Program.run(run + ["--resume"], environment: testing).status == 65)
    let status = try Program.run(["status", "--manifest", manifest, "--json"])
    let object = try JSONSerialization.jsonObject(with: Data(status.output.utf8)) as? [String: Any] ?? [:]
    // The first run's words stay: the second one did nothing.
    #expect(
      object["reasons"] as? [String: Int] == ["codec.crashed": 1, "codec.timeout": 1, "decode.unsupported": 1])
    let listed = object["quarantine"] as? [[String: String]] ?? []
    #expect(listed.map { $0["digest"] } == [digest("in/dies.jpg"), digest("in/hangs.jpg")])
    let text = try Program.run(["status", "--manifest", manifest]).output
    #expect(text.contains("not tried again by --resume   dies.jpg: codec.crashed"), "\(text)")

    func reproduce(_ digest: String, _ more: [String]) throws -> Program.Result {
      try Program.run(["reproduce", "--digest", digest] + more, environment: testing)
    }
    let crash = try reproduce(String(digest("in/dies.jpg").prefix(12)), ["--manifest", manifest])
    #expect(crash.status == 65, "\(crash.errors)")
    #expect(
      crash.output.contains("now       failed, codec.crashed: the codec process died of SIGSEGV"), "\(crash.output)")
    #expect(crash.output.contains("recorded  failed, codec.crashed"))
    let good = try reproduce(digest("in/p001.png"), ["--manifest", manifest])
    #expect(good.status == 0 && good.output.contains("now       ok"), "\(good.output)\(good.errors)")
    // Nothing is written beside the outputs, nothing is left in the temporary folder.
    #expect(folder.files("out").count == 4)
    #expect(try reproduce("0123456789", ["--manifest", manifest]).status == 64)
    #expect(try reproduce(digest("in/dies.jpg"), ["--out", folder.path("out")]).errors.contains("--manifest"))
    #expect(try Program.run(["reproduce", "--digest", "xyz", "--manifest", manifest]).status == 64)
    try folder.file("in/dies.jpg", "other bytes")
    let gone = try reproduce(digest("in/dies.jpg").isEmpty ? "" : listed[0]["digest"] ?? "", ["--manifest", manifest])
    #expect(gone.status == 64 && gone.errors.contains("is another file now"), "\(gone.errors)")
  }

  /// Limits and decoders of the run decide again, not the usual ones.
  @Test func reproduceObeysTheLimitsOfTheRun() throws {
    try FileManager.default.createDirectory(atPath: folder.path("in"), withIntermediateDirectories: true)
    try SmallPictures.png(1).write(to: URL(fileURLWithPath: folder.path("in/p001.png")))
    let manifest = folder.path("m.jsonl"), limit = ["--max-pixels", "10", "--hevc-decoder", "libde265"]
    let usual = ["--backend", "cpu", "--progress", "none"]
    let words = [folder.path("in"), "--to", "sdr-jpeg", "--out"]
    #expect(try Program.run(["plan"] + words + [folder.path("planned"), "-o", manifest]).status == 0)
    #expect(try Program.run(["run", "--manifest", manifest] + usual + limit).status == 65)
    #expect(try Program.run(["render"] + words + [folder.path("rendered")] + usual + limit).status == 65)
    for place in [["--manifest", manifest], ["--out", folder.path("rendered")]] {
      let again = try Program.run(["reproduce", "--digest", digest("in/p001.png")] + place)
      #expect(again.status == 65, "\(again.errors)")
      #expect(again.output.contains("now       failed, decode.limit"), "\(again.output)")
    }
  }

  @Test func renderIsReproducedByItsJournal() throws {
    try inputs()
    let scratch = folder.path("scratch")
    try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
    #expect(try render(["--filter", "exposure=ev:1"]).status == 65)
    let result = try Program.run(
      ["reproduce", "--digest", digest("in/dies.jpg"), "--out", folder.path("out")],
      environment: testing.merging(["TMPDIR": scratch]) { $1 })
    #expect(result.status == 65 && result.output.contains("codec.crashed"), "\(result.output)\(result.errors)")
    #expect(folder.files("scratch").isEmpty)
    // With a record of what was made.
    let record = folder.path("again.jsonl")
    let fine = try Program.run(
      ["reproduce", "--digest", digest("in/p001.png"), "--out", folder.path("out"), "--record", record],
      environment: testing)
    #expect(fine.status == 0, "\(fine.errors)")
    let row = try recordLines(record)[1]
    #expect((row["edits"] as? [[String: Any]])?.first?["name"] as? String == "exposure")
    #expect(row["isolation"] as? String == "sandbox")
    #expect(row["outputDigest"] as? String == digest("out/p001.jpg"))
  }
}
