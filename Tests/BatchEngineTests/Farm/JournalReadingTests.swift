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
import TestSupport
import Testing

/// Written rows are read, whatever untrusted text they hold; damaged rows are skipped (promises 1, 14, 18).
@Suite struct JournalReadingTests {
  let folder: TemporaryFolder
  let sample: SampleJournal

  init() throws {
    folder = try TemporaryFolder()
    sample = try SampleJournal(in: folder)
  }

  private func rows(_ bytes: [UInt8]) throws -> (items: [JournalRow.Item], unread: Journal.UnreadRows) {
    var items: [JournalRow.Item] = []
    let unread = try Journal(parsing: bytes, name: "j").eachRow(JournalRow.outcomeKeys) {
      if case .item(let item) = $0 { items.append(item) }
    }
    return (items, unread)
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
    var bytes = sample.header
    let count = 60
    for index in 0..<count {
      var record = sample.record(index)
      record.status = .warn
      record.message = Self.hostileText(&random)
      record.facts.decoder = Self.hostileText(&random)
      record.facts.warnings = (0..<Int.random(in: 0...80, using: &random)).map {
        Warning("w\($0)", "\(Self.hostileText(&random))")
      }
      record.item.input.path = FilePath(Self.hostileText(&random))
      bytes += sample.line(record, "\(index)")
    }
    let (items, unread) = try rows(bytes)
    #expect(unread == Journal.UnreadRows())
    #expect(items.compactMap(\.id) == (0..<count).map { "\($0)" })
    #expect(items.allSatisfy { ($0.message ?? "").utf8.count <= 2 * JSON.maxTextBytes })
    #expect(Journal(parsing: bytes, name: "j").header?.version == hdrbatchVersion)
  }

  @Test("long texts and many warnings are cut, and say how much")
  func rowsAreBounded() throws {
    var record = sample.record()
    record.status = .failed
    record.message = String(repeating: "x", count: 4 << 20)
    record.facts.warnings = (0..<1000).map { Warning("w\($0)", "\(String(repeating: "é", count: 3000))") }
    let line = sample.line(record, "a")
    #expect(line.count < 2 << 20)
    let (items, unread) = try rows(line)
    #expect(unread == Journal.UnreadRows())
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
    var damaged = sample.line(sample.record(1), "1")
    damaged[20] ^= 1
    // A checksum that fits a text that is refused.
    let marks = Journal.line(["type": "item", "id": "MARKS", "status": "ok"])
    let text = String(decoding: marks, as: UTF8.self).replacing("MARKS", with: String(repeating: "\u{301}", count: 40))
    let foreign = Array(text.split(separator: ",\"crc\"")[0].utf8)
    let endless = [UInt8](repeating: UInt8(ascii: "x"), count: 17 << 20) + [10]
    let none = Journal.line("no object")
    var bytes = sample.header + sample.line(sample.record(0), "0") + damaged
    bytes += foreign + Array(",\"crc\":\"\(checksum(foreign))\"}\n".utf8)
    bytes += endless + none + [10] + sample.line(sample.record(2), "2") + Array("{\"type\":\"it".utf8)
    let (items, unread) = try rows(bytes)
    #expect(items.compactMap(\.id) == ["0", "2"])
    #expect(unread.rows == 5 && unread.tornBytes == 11)

    // The same from a file, and said.
    let journals = folder.path("out/.hdrbatch/journal")
    try FileManager.default.createDirectory(atPath: journals, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: journals + "/all.1.h.1.jsonl"))
    let index = try JournalIndex(try Journal.all(in: FilePath(journals)))
    #expect(Set(index.done.keys) == ["0", "2"] && index.unread == unread && index.torn == 1)
    let manifest = Manifest(
      folder: FilePath("/"), roots: [], out: FilePath("out"), recipe: Recipe(), recipeDigest: Digest(of: []), rows: [])
    let report = try StatusReport(manifest, try Journal.all(in: FilePath(journals)))
    #expect(report.badRows == 5 && report.lines.contains { $0.contains("5 damaged rows") })
    let said = NoticeLog()
    try folder.file("in/a.jpg")
    let out = FilePath(folder.path("out"))
    let planned = try OutputNaming.make(
      try InputCollector.collect([folder.path("in")]), out: out, traits: NameTraits(.sdrPNG),
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
    try Data(sample.header).write(to: URL(fileURLWithPath: try folder.file("secret", "")))
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
      let report = try StatusReport(manifest, [Journal(parsing: sample.header + line, name: evil)])
      let text = report.lines.joined()
      #expect(text.contains("\\x1b"))
      #expect(
        !text.unicodeScalars.contains { [.control, .format].contains($0.properties.generalCategory) }, "\(status)")
    }
  }

}

/// The number of damaged rows that a batch reported.
private final class NoticeLog: @unchecked Sendable {
  private(set) var badRows = 0
  func add(_ event: BatchEvent) { if case .badRows(let count) = event { badRows += count } }
}
