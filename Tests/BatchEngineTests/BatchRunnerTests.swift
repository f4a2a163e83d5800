import BatchEngine
import CodecService
import Foundation
import HDRCore
import HDRPlan
import HDRRecipe
import HDRRender
import ImageFiles
import Synchronization
import TestEngine
import TestSupport
import Testing

@Suite struct BatchRunnerTests {
  let folder: TemporaryFolder
  let log = EventLog()
  let codecs = TextCodecs()
  init() throws { folder = try TemporaryFolder() }

  /// A batch over files with these words.
  private func batch(
    _ words: [String], kind: OutputKind = .sdrPNG, out: String = "out", record: String? = "record.jsonl",
    onExisting: OnExisting = .fail, _ change: (inout BatchOptions) -> Void = { _ in }
  ) throws -> BatchRunner {
    for (index, word) in words.enumerated() { try folder.file("in/\(1000 + index).jpg", word) }
    let items = try OutputNaming.make(
      try InputCollector.collect([folder.path("in")]), out: FilePath(folder.path(out)), traits: NameTraits(kind),
      template: try NameTemplate("{stem}.{ext}"), onExisting: onExisting)
    var options = BatchOptions(rendition: RenditionOptions(kind: kind))
    options.backend = .cpu
    options.onExisting = onExisting
    options.record = record.map { FilePath(folder.path($0)) }
    change(&options)
    let log = log
    return try BatchRunner(items, options, codecs: codecs) { log.add($0) }
  }

  @Test func oneBadFileIsOneRecordAndTheRestIsDone() throws {
    var words = [String](repeating: "ok", count: 20)
    words[7] = "bad"
    let summary = try batch(words).run()
    #expect(summary.exitStatus == .failedItems)
    #expect((summary.ok, summary.failed, summary.finished) == (19, 1, 20))
    let records = log.records
    #expect(records.count == 20)
    #expect(records[7].status == .failed)
    #expect(records[7].code == "decode.malformed")
    #expect(records[7].message?.contains("text: it is bad") == true)
    #expect(records.filter { $0.status == .ok }.count == 19)
    #expect(folder.files("out").count == 19)
    let lines = try recordLines(folder.path("record.jsonl"))
    #expect(lines.map { $0["type"] as? String } == ["header"] + [String](repeating: "item", count: 20) + ["summary"])
    #expect(lines.last?["exitCode"] as? Int == 65)
  }

  /// Returns the keys of a line by their page.
  private func documentedKeys(_ line: String) throws -> [String] {
    var keys: [String] = []
    for row in try SourceTree.text("docs/data/record-keys.tsv").split(separator: "\n") {
      let cells = row.split(separator: "\t")
      if cells[0] == line { keys += cells[1].split(separator: ", ").map { String($0) } }
    }
    return keys
  }

  @Test("a record has the keys of docs/data/record-keys.tsv, items in this order") func keysAreThoseOfThePage() throws {
    _ = try batch(["odd"]) { $0.command = ["hdrbatch", "render", "\u{e9}"] }.run()
    let text = try #require(folder.text("record.jsonl")).split(separator: "\n")
    #expect(text[0].contains(#""command":["hdrbatch","render","\u00e9"]"#))
    // Only lines with a path that is not UTF-8 have the keys that end in Hex.
    let keys = try documentedKeys("item").filter { !$0.hasSuffix("Hex") }
    var rest = Substring(text[1])
    for key in keys {
      let place = try #require(rest.range(of: "\"\(key)\":"), "\(key) is missing or out of order")
      rest = rest[place.upperBound...]
    }
    let lines = try recordLines(folder.path("record.jsonl")), item = lines[1]
    #expect(Set(item.keys) == Set(keys))
    let others = try ["header", "summary"].map { Set(try documentedKeys($0)) }
    #expect([lines[0], try #require(lines.last)].map { Set($0.keys) } == others)
    #expect(item["status"] as? String == "warn")
    #expect(item["hdrIn"] as? String == "sdr")
    #expect(item["backend"] as? String == "cpu")
    #expect((item["pixels"] as? Int, item["bytesOut"] as? Int) == (3072, 12288))
    let seconds = try #require(item["seconds"] as? [String: [String: Double]])
    #expect(Set(seconds.keys) == ["read", "decode", "plan", "render", "encode", "verify", "write"])
    #expect(seconds.values.allSatisfy { $0["wall"] != nil && $0["cpu"] != nil })
  }

  @Test(
    "the Python package has the keys of docs/data/record-keys.tsv",
    arguments: [
      "Header": "header", "Record": "item", "Summary": "summary",
    ]) func pythonHasTheKeysOfThePage(type: String, line: String) throws
  {
    let classes = try SourceTree.text("Python/hdrbatch/_records.py").components(separatedBy: "\nclass ")
    let text = try #require(classes.first { $0.hasPrefix(type + "(") })
    let keys = text.matches(of: #/\n {4}(\w+): /#).map { String($0.1) }
    #expect(Set(keys) == Set(try documentedKeys(line) + ["type"]))
  }

  @Test func bytesDoNotDependOnJobsOrThreads() throws {
    let words = [String](repeating: "ok", count: 6)
    _ = try batch(words, out: "one") { ($0.jobs, $0.threads) = (1, 1) }.run()
    _ = try batch(words, out: "many") { ($0.jobs, $0.threads) = (5, 3) }.run()
    let names = folder.files("one")
    #expect(names.count == 6)
    for name in names {
      let one = folder.path("one/" + name), many = folder.path("many/" + name)
      #expect(FileManager.default.contentsEqual(atPath: one, andPath: many))
    }
  }

  @Test func anOutputThatDoesNotReadBackIsNotKept() throws {
    let summary = try batch(["unverifiable", "ok"]).run()
    #expect(summary.exitStatus == .failedItems)
    #expect(log.records[0].code == "encode.verification")
    #expect(folder.files("out") == ["1001.png"])
  }

  @Test func theSidecarComesWithItsFile() throws {
    let summary = try batch(["ok"], kind: .rgba16f).run()
    #expect(summary.exitStatus == .success)
    #expect(folder.files("out") == ["1000.rgba16f", "1000.rgba16f.json"])
  }

  @Test func failuresStopTheBatchWhenAsked() throws {
    let summary = try batch(["ok", "bad", "bad", "ok", "ok"]) { ($0.jobs, $0.maxFailures) = (1, 2) }.run()
    #expect(summary.exitStatus == .failedItems)
    #expect((summary.ok, summary.failed, summary.skipped) == (1, 2, 2))
    let items = try recordLines(folder.path("record.jsonl")).filter { $0["type"] as? String == "item" }
    #expect(items.suffix(2).map { $0["code"] as? String } == ["batch.stopped", "batch.stopped"])
    #expect(folder.files("out") == ["1000.png"])
  }

  @Test func anInputThatIsGoneIsOneFailure() throws {
    let runner = try batch(["ok", "ok"])
    try FileManager.default.removeItem(atPath: folder.path("in/1000.jpg"))
    let summary = runner.run()
    #expect(summary.exitStatus == .failedItems)
    #expect(log.records[0].code == "io.read")
    #expect(folder.files("out") == ["1001.png"])
  }

  @Test func outputsThatCannotBeWrittenAreAnInputOutputError() throws {
    try folder.file("out", "a file where the folder should be")
    let summary = try batch(["ok"]).run()
    #expect(summary.exitStatus == .inputOutput)
    #expect(log.records[0].code == "io.write")
    #expect(folder.text("out") == "a file where the folder should be")
  }

  @Test func aFileThatAppearsMeanwhileIsKept() throws {
    let runner = try batch(["ok"])
    try folder.file("out/1000.png", "somebody else's")
    let summary = runner.run()
    #expect(summary.exitStatus == .failedItems)
    #expect(log.records[0].code == "output.exists")
    #expect(folder.text("out/1000.png") == "somebody else's")
    #expect(folder.files("out") == ["1000.png"])
  }

  @Test func existingOutputsAreSkippedOrReplaced() throws {
    try folder.file("out/1000.png", "old")
    #expect(try batch(["ok", "ok"], onExisting: .skip).run().skipped == 1)
    #expect(folder.text("out/1000.png") == "old")
    #expect(try batch(["ok", "ok"], onExisting: .replace).run().ok == 2)
    #expect(folder.text("out/1000.png") != "old")
  }

  /// Stops a batch with one item held in decoding, as a signal does after its grace.
  @Test func anAbandonedBatchRecordsEveryItemAndLeavesNoParts() throws {
    let runner = try batch(["slow", "ok", "ok"]) { $0.jobs = 1 }
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      _ = runner.run()
      ended.signal()
    }
    while codecs.gate.waiting.load(ordering: .sequentiallyConsistent) == 0 { usleep(1000) }
    runner.stop.stop(.terminated)
    runner.abandon()
    codecs.gate.open()
    ended.wait()
    let lines = try recordLines(folder.path("record.jsonl"))
    #expect(
      lines.map { $0["code"] as? String ?? $0["type"] as? String ?? "" }
        == ["header", "batch.interrupted", "batch.stopped", "batch.stopped", "summary"])
    #expect(lines.last?["exitCode"] as? Int == 75)
    #expect(folder.files("out") == [])
  }

  @Test("a journal whose disk stands still holds up nobody but who writes to it")
  func slowJournals() throws {
    let writes = Atomic<Int>(0), gate = TextCodecs.Gate(), out = FilePath(folder.path("out"))
    let journal = FilePath.standardJournal(below: out)
    let files = RecordingFileSystem(below: folder.path("out")) { path in
      // The second write is an item's row.
      if path.parent == journal, writes.wrappingAdd(1, ordering: .relaxed).oldValue > 0 { gate.pass() }
    }
    let jobs = 4
    let runner = try batch([String](repeating: "ok", count: 9)) {
      $0.jobs = jobs
      $0.files = files
      $0.journal = JournalOptions(folder: journal, out: out, recipeDigest: Digest(of: []))
    }
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      #expect(runner.run().ok == 9)
      ended.signal()
    }
    func rows() -> Int {
      (folder.text("record.jsonl") ?? "").split(separator: "\n").count { $0.hasPrefix(#"{"type":"item""#) }
    }
    let begin = ContinuousClock.now
    while rows() < jobs, ContinuousClock.now - begin < .seconds(20) { usleep(1000) }
    // Each thread renders, writes and records one item while one item's row hangs.
    #expect(rows() == jobs && folder.files("out").count == jobs)
    #expect(log.records.isEmpty)
    gate.open()
    ended.wait()
    #expect(rows() == 9 && log.records.count == 9)
    let done = try JournalIndex(try Journal.all(in: journal)).done
    #expect(done.count == 9)
  }

  @Test func aDemandedDeviceThatIsNotHereIsUnavailable() throws {
    #expect(throws: UnavailableError.self) {
      try batch(["ok"]) {
        $0.backend = .gpu
        $0.device = "no such device 5f1c"
      }
    }
  }

  @Test func promise22_theWorstOutcomeDecides() {
    #expect(ExitStatus.worst([]) == .success)
    #expect(ExitStatus.worst([.failedItems, .inputOutput, .stoppedEarly]) == .inputOutput)
    #expect(ExitStatus.worst([.unavailable, .stoppedEarly, .interrupted]) == .interrupted)
    #expect(ExitStatus.worst([.failedItems, .unavailable]) == .unavailable)
    #expect(ExitStatus.allCases.map(\.code) == [0, 1, 64, 65, 69, 74, 75, 130])
  }
}
