import BatchEngine
import Foundation
import HDRCore
import TestEngine
import TestFiles
import TestSupport
import Testing

/// Tests how a run reads journals, through the program.
@Suite struct JournalReadingTests {
  @Test("resuming keeps ids and digests of journals in memory, not the journals")
  func journalsAreNotKeptWhole() throws {
    try #require(Program.url != nil)
    let folder = try TemporaryFolder(), journal = try SampleJournal(in: folder), rows = 20_000, attempts = 5
    try SmallPictures.write(1, into: folder)
    let journals = folder.path("journals")
    try FileManager.default.createDirectory(atPath: journals, withIntermediateDirectories: true)
    var bytes = journal.header
    for index in 0..<rows {
      var record = journal.record(index)
      record.facts.warnings = [Warning("long", "\(String(repeating: "w", count: 3000))")]
      bytes += journal.line(record, String(format: "%016d", index))
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
