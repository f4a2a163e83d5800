import BatchEngine
import CodecService
import Foundation
import HDRCore
import HDRPlan
import HDRRecipe
import HDRRender
import ImageFiles
import PlainData
import TestEngine
import TestFiles
import TestSupport
import Testing

/// Written rows are read, whatever untrusted text they hold; damaged rows are skipped (promises 1, 14, 18).
@Suite struct JournalReadingTests {
  let folder: TemporaryFolder
  let item: BatchItem

  init() throws {
    folder = try TemporaryFolder()
    try folder.file("one/p.png")
    let items = try OutputPlan.make(
      try InputCollector.collect([folder.path("one")]), out: FilePath(folder.path("out")), form: OutputForm(.sdrPNG),
      template: try NameTemplate("{stem}.{ext}"), onExisting: .replace)
    item = try #require(items.first)
  }

  private func record(_ index: Int = 0) -> ItemRecord {
    var item = item
    item.index = index
    var record = ItemRecord(item: item, outputKind: "sdr")
    record.status = .ok
    var facts = RenderFacts()
    facts.format = .png
    facts.inputDigest = Digest(of: [UInt8(truncatingIfNeeded: index)])
    facts.outputDigest = Digest(of: [UInt8(truncatingIfNeeded: index >> 8), 1])
    (facts.bytesIn, facts.bytesOut) = (10, 20)
    facts.seconds = Dictionary(uniqueKeysWithValues: Phase.allCases.map { ($0, PhaseSeconds(wall: 0.125, cpu: 0.25)) })
    facts.report = PlanReport()
    record.facts = facts
    return record
  }

  private func line(_ record: ItemRecord, _ id: String) -> [UInt8] { Journal.line(record.json.with("id", .string(id))) }

  private var header: [UInt8] {
    Journal.line([
      "type": "header", "version": .string(hdrbatchVersion), "recipeDigest": .string(Digest(of: []).hex),
      "unixTime": .int(1), "durability": "file",
    ])
  }

  private func rows(_ bytes: [UInt8]) throws -> (items: [JournalRow.Item], losses: Journal.Losses) {
    var items: [JournalRow.Item] = []
    let losses = try Journal(parsing: bytes, name: "j").eachRow(JournalRow.outcomeKeys) {
      if case .item(let item) = $0 { items.append(item) }
    }
    return (items, losses)
  }

  /// Texts that files and names can hold.
  private static func hostileText(_ random: inout some RandomNumberGenerator) -> String {
    let pieces: [String] = [
      String(repeating: "\u{301}", count: Int.random(in: 1...200, using: &random)), "a", "\"", "\\", "\n", "\0",
      "\u{1B}[2J",
      "\u{2028}", "\u{202E}", "\u{FFFF}", "😀", "{\"type\":\"item\"}", ",\"crc\":\"00000000\"}", "}", "\u{7F}",
      String(repeating: "\u{323}\u{301}", count: 40), "\u{34F}", "\u{1D165}\u{1D16D}",
      String(repeating: "é", count: Int.random(in: 1...3000, using: &random)),
      String(repeating: "\u{1}", count: Int.random(in: 1...5000, using: &random)),
    ]
    return (0..<Int.random(in: 0...12, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined()
  }

  @Test("what a writer writes a reader reads: hostile texts in every place that takes one")
  func hostileTextsAreReadAgain() throws {
    var random = SystemRandomNumberGenerator()
    var bytes = header
    let count = 60
    for index in 0..<count {
      var record = record(index)
      record.status = .warn
      record.message = Self.hostileText(&random)
      record.facts.decoder = Self.hostileText(&random)
      record.facts.warnings = (0..<Int.random(in: 0...80, using: &random)).map {
        Warning("w\($0)", Self.hostileText(&random))
      }
      record.item.input.path = FilePath(Self.hostileText(&random))
      bytes += line(record, "\(index)")
    }
    let (items, losses) = try rows(bytes)
    #expect(losses == Journal.Losses())
    #expect(items.compactMap(\.id) == (0..<count).map { "\($0)" })
    #expect(items.allSatisfy { ($0.message ?? "").utf8.count <= 2 * JSON.maxTextBytes })
    #expect(Journal(parsing: bytes, name: "j").header?.version == hdrbatchVersion)
  }

  @Test("long texts and many warnings are cut, and say how much")
  func rowsAreBounded() throws {
    var record = record()
    record.status = .failed
    record.message = String(repeating: "x", count: 4 << 20)
    record.facts.warnings = (0..<1000).map { Warning("w\($0)", String(repeating: "é", count: 3000)) }
    let line = line(record, "a")
    #expect(line.count < 2 << 20)
    let (items, losses) = try rows(line)
    #expect(losses == Journal.Losses())
    let message = try #require(items.first?.message)
    #expect(message.utf8.count <= JSON.maxTextBytes && message.hasSuffix("bytes more"))
    let left = try #require(message.firstMatch(of: /… (\d+) bytes more/).flatMap { Int($0.output.1) })
    #expect(message.prefix { $0 == "x" }.count + left == 4 << 20)
    let warnings = try #require(record.json["warnings"]?.array)
    #expect(warnings.count == 65 && warnings.last?["message"]?.string == "and 936 more warnings")
    #expect(warnings.first?["message"]?.string?.hasSuffix("bytes more") == true)
  }

  @Test("a run's row that would be too long loses its longest fields, and is read")
  func headersAreBounded() throws {
    let many = JSON.array((0..<200_000).map { .string(String(repeating: "\u{1}", count: 20) + "\($0)") })
    let line = Journal.line(["type": "header", "version": "1", "command": many, "unixTime": .int(7)])
    let journal = Journal(parsing: line, name: "j")
    #expect(journal.header?.version == "1" && journal.header?.unixTime == 7 && journal.header?.command == [])
  }

  @Test("damaged, foreign and endless rows are passed over, counted and said; what follows is read")
  func promise18_badRowsArePassedOver() throws {
    var damaged = line(record(1), "1")
    damaged[20] ^= 1
    // A checksum that fits a text that is refused.
    let marks = Journal.line(["type": "item", "id": "MARKS", "status": "ok"])
    let text = String(decoding: marks, as: UTF8.self).replacing("MARKS", with: String(repeating: "\u{301}", count: 40))
    let foreign = Array(text.split(separator: ",\"crc\"")[0].utf8)
    let endless = [UInt8](repeating: UInt8(ascii: "x"), count: 17 << 20) + [10]
    let none = Journal.line("no object")
    var bytes = header + line(record(0), "0") + damaged
    bytes += foreign + Array(",\"crc\":\"\(checksum(foreign))\"}\n".utf8)
    bytes += endless + none + [10] + line(record(2), "2") + Array("{\"type\":\"it".utf8)
    let (items, losses) = try rows(bytes)
    #expect(items.compactMap(\.id) == ["0", "2"])
    #expect(losses.rows == 5 && losses.tornBytes == 11)

    // The same from a file, and said.
    let journals = folder.path("out/.hdrbatch/journal")
    try FileManager.default.createDirectory(atPath: journals, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: journals + "/all.1.h.1.jsonl"))
    let index = try JournalIndex(try Journal.all(in: FilePath(journals)))
    #expect(Set(index.done.keys) == ["0", "2"] && index.losses == losses && index.torn == 1)
    let manifest = Manifest(
      folder: FilePath("/"), roots: [], out: FilePath("out"), recipe: Recipe(), recipeDigest: Digest(of: []), rows: [])
    let report = try StatusReport(manifest, try Journal.all(in: FilePath(journals)))
    #expect(report.badRows == 5 && report.lines.contains { $0.contains("5 damaged rows") })
    let said = NoticeLog()
    try folder.file("in/a.jpg")
    let out = FilePath(folder.path("out"))
    let planned = try OutputPlan.make(
      try InputCollector.collect([folder.path("in")]), out: out, form: OutputForm(.sdrPNG),
      template: try NameTemplate("{stem}.{ext}"), onExisting: .replace)
    var options = BatchOptions(rendition: RenditionOptions(kind: .sdrPNG))
    options.backend = .cpu
    options.journal = JournalOptions(folder: FilePath(journals), out: out, recipeDigest: Digest(of: []))
    options.journal?.resumes = true
    _ = try BatchRunner(planned, options, codecs: TextCodecs()) { said.add($0) }.run()
    #expect(said.badRows == 5)
  }

  @Test("a journal that is a link out of its folder is not read")
  func linkedJournalsAreRefused() throws {
    try Data(header).write(to: URL(fileURLWithPath: try folder.file("secret", "")))
    try folder.file("journal/a.txt")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("journal/all.1.jsonl"), withDestinationPath: folder.path("secret"))
    #expect(throws: UsageError.self) { try Journal.all(in: FilePath(folder.path("journal"))) }
  }

  @Test("control characters of a forged journal do not reach a terminal")
  func statusIsPrintable() throws {
    let row = Manifest.Row(index: 0, root: 0, input: FilePath("a.jpg"), size: 1, output: FilePath("a.png"))
    let manifest = Manifest(
      folder: FilePath("/w"), roots: [FilePath("in")], out: FilePath("out"), recipe: Recipe(),
      recipeDigest: Digest(of: []), rows: [row])
    let evil = "\u{1B}[2J\u{7}\nopenjd_fail: x\u{202E}"
    for status in ["failed", "ok"] {
      let line = Journal.line([
        "type": "item", "id": .string(manifest.id(row)), "status": .string(status), "code": .string(evil),
        "hdrIn": .string(evil), "hdrOut": .string(evil), "fallback": .string(evil), "message": .string(evil),
        "seconds": .object([JSON.Field(evil, ["wall": .number(3)])]), "inputDigest": .string(Digest(of: [1]).hex),
      ])
      let report = try StatusReport(manifest, [Journal(parsing: header + line, name: evil)])
      let text = report.lines.joined()
      #expect(text.contains("\\x1b"))
      #expect(
        !text.unicodeScalars.contains { [.control, .format].contains($0.properties.generalCategory) }, "\(status)")
    }
  }

  @Test("resuming keeps ids and digests of journals, not the journals: memory")
  func journalsAreNotKeptWhole() throws {
    try #require(Program.url != nil)
    let rows = 20_000, attempts = 5
    try SmallPictures.write(1, into: folder)
    let journals = folder.path("journals")
    try FileManager.default.createDirectory(atPath: journals, withIntermediateDirectories: true)
    var bytes = header
    for index in 0..<rows {
      var record = record(index)
      record.facts.warnings = [Warning("long", String(repeating: "w", count: 3000))]
      bytes += line(record, String(format: "%016d", index))
    }
    #expect(bytes.count > 80 << 20)
    try Data(bytes).write(to: URL(fileURLWithPath: journals + "/all.1.h.1.jsonl"))
    for attempt in 2...attempts {
      try FileManager.default.linkItem(
        atPath: journals + "/all.1.h.1.jsonl", toPath: journals + "/all.\(attempt).h.1.jsonl")
    }
    func peak(_ name: String, _ words: [String]) throws -> Int {
      let result = try Program.run(
        [
          "render", folder.path("in"), "--to", "sdr-png", "--out", folder.path(name), "--backend", "cpu", "--record",
          folder.path(name + ".jsonl"), "--jobs", "1", "--threads", "1",
        ] + words)
      #expect(result.status == 0, "\(result.errors)")
      return try #require(try recordLines(folder.path(name + ".jsonl")).last?["peakResidentBytes"] as? Int)
    }
    let plain = try peak("plain", []), resumed = try peak("resumed", ["--resume", "--journal", journals])
    print(
      "journals of \(attempts * rows) rows, \(attempts * bytes.count >> 20) MiB: \((resumed - plain) >> 20) MiB more")
    #expect(resumed - plain < 40 << 20)
  }
}

/// The number of damaged rows that a batch reported.
private final class NoticeLog: @unchecked Sendable {
  private(set) var badRows = 0
  func add(_ event: BatchEvent) { if case .badRows(let count) = event { badRows += count } }
}
