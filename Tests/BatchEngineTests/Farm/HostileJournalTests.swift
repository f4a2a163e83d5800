import BatchEngine
import CodecService
import HDRCore
import HDRPlan
import HDRRecipe
import HDRRender
import TestSupport
import Testing

/// Journals whose rows are whole and whose numbers are not.
@Suite struct HostileJournalTests {
  @Test func numbersOfAnySizeAddUp() throws {
    let rows = (0..<2).map {
      Manifest.Row(index: $0, root: 0, input: FilePath("\($0).jpg"), size: 1, output: FilePath("\($0).png"))
    }
    let manifest = Manifest(
      folder: FilePath("/w"), roots: [FilePath("in")], out: FilePath("out"), recipe: Recipe(),
      recipeDigest: Digest(of: []), rows: rows)
    let text = rows.map { row -> String in
      let line =
        "{\"type\":\"item\",\"id\":\"\(manifest.id(row))\",\"status\":\"ok\",\"bytesOut\":9223372036854775807,"
        + "\"pixels\":9223372036854775807,\"seconds\":{\"decode\":{\"wall\":1e308},\"write\":{\"wall\":-1e308}}"
      return line + ",\"crc\":\"\(checksum(Array(line.utf8)))\"}\n"
    }.joined()
    let journal = Journal(parsing: Array(text.utf8), name: "j")
    var count = 0
    #expect(try journal.eachRow(JournalRow.outcomeKeys) { _ in count += 1 } == Journal.UnreadRows())
    #expect(count == 2)
    let report = try StatusReport(manifest, [journal])
    #expect(report.done == 2 && report.bytesOut == .max && report.pixels == .max)
    #expect(report.lines.count > 1 && report.slowest.allSatisfy { $0.seconds <= 1e9 })
  }

  @Test("what a record writes, a row of the journal reads: every key, by its name")
  func rowsReadWhatRecordsWrite() throws {
    let folder = try TemporaryFolder()
    try folder.file("lamps.jpg")
    let items = try OutputNaming.make(
      try InputCollector.collect([folder.path("lamps.jpg")]), out: FilePath(folder.path("out")),
      traits: NameTraits(.pqPNG), template: try NameTemplate("{stem}.{ext}"), onExisting: .replace)
    var record = ItemRecord(item: try #require(items.first), outputKind: "pq")
    record.status = .warn
    (record.code, record.message) = ("gpu.mismatch", "words differ")
    var facts = RenderFacts()
    facts.format = .jpeg
    facts.inputDigest = Digest(of: [1])
    facts.outputDigest = Digest(of: [2])
    (facts.bytesIn, facts.bytesOut, facts.width, facts.height) = (10, 20, 3, 5)
    facts.executor.fallback = "no device"
    var report = PlanReport()
    report.inputKind = "hlg"
    facts.report = report
    facts.seconds = [.decode: PhaseSeconds(wall: 1.5, cpu: 1)]
    record.facts = facts
    guard case .item(let row) = JournalRow(record.json.with("id", .string("x"))) else {
      Issue.record("no item")
      return
    }
    #expect(row.id == "x" && row.input?.hasSuffix("lamps.jpg") == true && row.status == .warn && row.format == "jpeg")
    #expect(row.code == "gpu.mismatch" && row.message == "words differ" && row.fallback == "no device")
    #expect(row.inputDigest == Digest(of: [1]) && row.outputDigest == Digest(of: [2]))
    #expect(row.bytesIn == 10 && row.bytesOut == 20 && row.pixels == 15)
    #expect(row.hdrIn == "hlg" && row.hdrOut == "pq" && row.isOutcome)
    #expect(row.seconds.first { $0.phase == "decode" }?.wall == 1.5)
  }
}
