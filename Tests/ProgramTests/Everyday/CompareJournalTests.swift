import Foundation
import TestSupport
import Testing

/// Tests comparisons that are killed and go on.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct CompareJournalTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Makes two folders of pictures: B's are lighter.
  private func render(_ names: [String]) throws {
    for (side, ev) in [("a", "0"), ("b", "0.2")] {
      let words = ["--to", "sdr-png", "--resize", "60", "--filter", "exposure=ev:\(ev)"]
      for name in names {
        let made = try Program.run(
          ["render", SharedData.small("lamps.jpg"), "-o", folder.path("\(side)/\(name)")] + words)
        #expect(made.status == 0, "\(made.errors)")
      }
    }
  }

  private var words: [String] {
    [
      "compare", folder.path("a"), folder.path("b"), "--accept", "near", "--map", folder.path("maps"), "--journal",
      folder.path("journal"), "--csv", folder.path("pairs.csv"), "--backend", "cpu",
    ]
  }

  /// Rows of a report without what takes time.
  private func pairs(_ text: String) -> [String] {
    text.split(separator: "\n").filter { $0.contains(#""type":"pair""#) }.map {
      String($0).replacing(/"seconds":[0-9.e-]+/, with: "")
    }
  }

  @Test("a comparison that was killed goes on after its last pair, and its reports are those of one run")
  func killedComparisonsGoOn() throws {
    let names = (100..<220).map { "p\($0).png" }
    try render([names[0]])
    for name in names.dropFirst() {
      for side in ["a", "b"] {
        try FileManager.default.copyItem(
          atPath: folder.path("\(side)/\(names[0])"), toPath: folder.path("\(side)/\(name)"))
      }
    }
    let log = try #require(FileHandle(forWritingAtPath: try folder.file("out", "")))
    let process = try Program.start(words, output: log, errors: log)
    while process.isRunning && (folder.text("out") ?? "").split(separator: "\n").count < 5 { usleep(10_000) }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    let done = (folder.text("out") ?? "").split(separator: "\n").count
    #expect(process.terminationReason == .uncaughtSignal && done < names.count, "\(done)")
    // A line that the kill has torn.
    let journal = try #require(folder.files("journal").first)
    let handle = try #require(FileHandle(forWritingAtPath: folder.path("journal/\(journal)")))
    handle.seekToEndOfFile()
    handle.write(Data(#"{"type":"item","key":"00"#.utf8))
    try handle.close()

    let found = try Program.run(words + ["--json", folder.path("second.jsonl")])
    #expect(found.status == 65, "\(found.errors)")
    #expect(found.output.contains("120 pairs: 120 rejected"), "\(found.output)")
    let taken = try #require(found.errors.firstMatch(of: /(\d+) pairs? of the journal/)).output.1
    #expect(Int(taken).map { $0 >= done && $0 < names.count } == true, "\(found.errors)")
    #expect(folder.files("maps").count == names.count)
    let csv = folder.text("pairs.csv")
    // All from the journal, and all anew.
    let third = try Program.run(words + ["--json", folder.path("third.jsonl")])
    #expect(third.status == 65 && third.errors.contains("120 pairs of the journal"), "\(third.errors)")
    #expect(third.output == found.output && folder.text("pairs.csv") == csv)
    #expect(folder.text("third.jsonl") == folder.text("second.jsonl"))
    try FileManager.default.removeItem(atPath: folder.path("journal"))
    let whole = try Program.run(words + ["--json", folder.path("whole.jsonl")])
    #expect(whole.output == found.output && folder.text("pairs.csv") == csv)
    #expect(pairs(folder.text("whole.jsonl") ?? "") == pairs(folder.text("second.jsonl") ?? "x"))
  }

  @Test("shards with one journal are one comparison")
  func shardsAreOneComparison() throws {
    try render(["x.png", "y.png", "z.png"])
    func run(_ more: [String], _ report: String) throws -> Program.Result {
      try Program.run(words + ["--json", folder.path(report)] + more)
    }
    let first = try run(["--shard", "0/2"], "0.jsonl"), second = try run(["--shard", "1/2"], "1.jsonl")
    #expect(first.status == 65 && first.output.contains("2 pairs: 2 rejected"), "\(first.output)\(first.errors)")
    #expect(second.status == 65 && second.output.contains("1 pair: 1 rejected"), "\(second.output)\(second.errors)")
    let none = try run(["--shard", "3/4"], "none.jsonl")
    #expect(none.status == 0 && none.errors.contains("no pair is in this shard (--shard 3/4)"), "\(none.errors)")
    #expect(none.output.contains("0 pairs") && pairs(folder.text("none.jsonl") ?? "x").isEmpty)
    let whole = try run([], "whole.jsonl")
    #expect(whole.status == 65 && whole.errors.contains("3 pairs of the journal"), "\(whole.errors)")
    let parts = ["0.jsonl", "1.jsonl"].flatMap { pairs(folder.text($0) ?? "") }
    #expect(Set(pairs(folder.text("whole.jsonl") ?? "")) == Set(parts) && parts.count == 3)
    // The numbers of all pairs, which are equal here.
    let same = /"column":"bias","pairs":3,"min":([^,]+),"median":\1,"p95":\1,"max":\1}/
    #expect((folder.text("whole.jsonl") ?? "").contains(same))
    let wrong = try run(["--shard", "2/2"], "wrong.jsonl")
    #expect(wrong.status == 64 && wrong.errors.contains("--shard takes I/N with 0 <= I < N"), "\(wrong.errors)")
  }

  @Test("what has changed is compared again: files, options, and drawn files that are gone")
  func changesAreCompared() throws {
    try render(["x.png", "y.png"])
    func taken(_ more: [String] = []) throws -> Int {
      let found = try Program.run(words + more)
      #expect(found.status == 65, "\(found.errors)")
      return found.errors.firstMatch(of: /(\d+) pairs? of the journal/).flatMap { Int($0.output.1) } ?? 0
    }
    #expect(try taken() == 0)
    #expect(try taken() == 2)
    try FileManager.default.removeItem(atPath: folder.path("maps/x.png@1.png"))
    #expect(try taken() == 1)
    #expect(folder.files("maps").count == 2)
    // A map that another comparison has drawn is none of this one.
    let other = ["compare", folder.path("a"), folder.path("a"), "--map", folder.path("maps"), "--metrics", "dE-seen"]
    #expect(try Program.run(other).status == 0)
    #expect(try taken() == 0)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: folder.path("b/y.png"))
    #expect(try taken() == 1)
    #expect(try taken(["--metrics", "dE-seen"]) == 0)
    #expect(try taken(["--a.exr-window", "data"]) == 0)
    // Those two have drawn maps of their own.
    #expect(try taken() == 0)
    #expect(try taken() == 2)
    // The verdict follows the expression, by whatever name.
    let same = "p95(dE-seen) < 1 and p99.9(dE-seen) < 3 and tile(dE-seen) < 3 and abs(bias) < 0.02"
    func judged(_ expression: String) throws -> Program.Result {
      try Program.run(words.map { $0 == "near" ? expression : $0 })
    }
    #expect(try judged(same).errors.contains("2 pairs of the journal"))
    #expect(try judged("bias < 9").status == 0)
  }

  @Test("pairs that failed are tried again, and the page goes on too")
  func pagesGoOn() throws {
    try render(["x.png", "y.png"])
    let good = try Data(contentsOf: URL(fileURLWithPath: folder.path("b/x.png")))
    _ = try folder.file("b/x.png", "no picture")
    let words = words + ["--html", folder.path("page")]
    let first = try Program.run(words)
    #expect(first.status == 65 && first.output.contains("1 rejected, 1 failed"), "\(first.output)\(first.errors)")
    try good.write(to: URL(fileURLWithPath: folder.path("b/x.png")))
    let second = try Program.run(words)
    #expect(second.status == 65 && second.output.contains("2 rejected"), "\(second.output)\(second.errors)")
    #expect(second.errors.contains("1 pair of the journal"), "\(second.errors)")
    let rows = try #require(folder.text("page/rows/0.js"))
    #expect(rows.contains(#""number":1"#) && rows.contains(#""number":2"#), "\(rows)")
    #expect(folder.files("page/pictures").sorted() == ["00001.js", "00002.js"])
    #expect(folder.text("page/data.js")?.contains(#""pairs":2"#) == true)
  }

  @Test("a journal is for many pairs, and a place where none can be written is said before any work")
  func journalsArePlaced() throws {
    try render(["x.png"])
    let one = try Program.run(
      ["compare", folder.path("a/x.png"), folder.path("b/x.png"), "--journal", folder.path("journal")])
    #expect(one.status == 64 && one.errors.contains("--journal is for many pairs"), "\(one.errors)")
    let file = try folder.file("file", "")
    let none = try Program.run(["compare", folder.path("a"), folder.path("b"), "--journal", file])
    #expect(none.status == 74 || none.status == 64, "\(none.status)")
    #expect(none.output.isEmpty && none.errors.split(separator: "\n").count == 1, "\(none.errors)")
  }
}
