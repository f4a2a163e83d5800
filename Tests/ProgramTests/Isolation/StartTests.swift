import BatchEngine
import CodecService
import Foundation
import HDRCore
import HDRRender
import Synchronization
import TestFiles
import TestSupport
import Testing
import Threads

/// Codec processes that cannot be started, or end before they are ready (docs/reliability.md#starts).
@Suite(
  .serialized,
  .enabled(
    if: HostileCodec.url != nil && Program.url != nil, "skipped: the programs are not built beside the tests"))
struct StartTests {
  let folder: TemporaryFolder
  init() throws {
    folder = try TemporaryFolder()
    try SmallPictures.write(8, into: folder)
  }

  /// Renders the pictures with a codec program of the test's own.
  func render(_ program: FilePath, jobs: Int) throws -> (result: Program.Result, rows: [[String: Any]]) {
    let record = folder.path("r.jsonl")
    try? FileManager.default.removeItem(atPath: folder.path("out"))
    try? FileManager.default.removeItem(atPath: record)
    let result = try Program.run(
      [
        "render", folder.path("in"), "--to", "sdr-png", "--out", folder.path("out"), "--backend", "cpu", "--progress",
        "none", "--jobs", "\(jobs)", "--record", record,
      ], environment: ["HDRBATCH_CODEC": program.display])
    let rows = FileManager.default.fileExists(atPath: record) ? try recordLines(record) : []
    return (result, rows.filter { $0["type"] as? String == "item" })
  }

  @Test(
    "processes that die before they are ready, whichever they are, cost no item",
    arguments: [(0, 1), (1, 1), (2, 1), (0, 3), (1, 3)])
  func promise01_deathsAtTheStartCostNothing(sound: Int, times: Int) throws {
    for jobs in [1, 3] {
      let (result, rows) = try render(
        try HostileCodec.program("stillborn", after: sound, times: times, in: folder), jobs: jobs)
      #expect(result.status == 0, "\(result.errors)")
      #expect(rows.count == 8 && rows.allSatisfy { $0["status"] as? String == "ok" })
    }
  }

  @Test("a machine that starts no process any more ends the run with 75, a row for every item and the reason")
  func promise22_aMachineThatStartsNothing() throws {
    let (result, rows) = try render(try HostileCodec.program("stillborn", after: 1, in: folder), jobs: 1)
    #expect(result.status == 75, "\(result.errors)")
    #expect(result.errors.contains("died of SIGKILL") && result.errors.contains("before it was ready; tried 4 times"))
    #expect(result.errors.contains("no codec process can be started any more; 5 inputs were not rendered"))
    #expect(!result.errors.contains("too many failures") && !result.errors.contains("installed beside"))
    #expect(
      rows.map { $0["code"] as? String } == Array(repeating: "codec.start", count: 3)
        + Array(repeating: "batch.stopped", count: 5))
    // What could not be started is no reason to leave an input alone.
    let again = try Program.run([
      "render", folder.path("in"), "--to", "sdr-png", "--out", folder.path("out"), "--backend", "cpu", "--resume",
    ])
    #expect(again.status == 0, "\(again.errors)")
    let never = try render(try HostileCodec.program("stillborn", in: folder), jobs: 1)
    #expect(never.result.status == 75 && never.result.errors.contains("[codec.start]"), "\(never.result.errors)")
  }

  @Test("a program that is absent or of another version is 69 at once, and said so")
  func promise22_absentPrograms() throws {
    try folder.file("text", "no program")
    for (program, words) in [
      (FilePath("/no/such/hdrbatch-codec"), "No such file"), (FilePath(folder.path("text")), "Permission denied"),
      (try HostileCodec.script("exit 64", in: folder), "of another version"),
      (try HostileCodec.script("exit 127", in: folder), "exit code 127"),
    ] {
      let (result, rows) = try render(program, jobs: 2)
      #expect(result.status == 69 && result.errors.contains(words), "\(result.errors)")
      #expect(rows.isEmpty)
    }
    // It goes while the run is on.
    let leaving = try HostileCodec.script("rm \"$0\"; exec \(CodecProgram.url?.path ?? "") \"$@\"", in: folder)
    let (result, rows) = try render(leaving, jobs: 1)
    #expect(
      result.status == 69 && result.errors.contains("the codec program cannot be used; 7 inputs"), "\(result.errors)")
    #expect(rows.first?["code"] as? String == "codec.missing" && rows.count == 8)
  }

  @Test("a start that gets no time for 21 seconds is waited for")
  func aLateStartIsWaitedFor() throws {
    let (result, rows) = try render(try HostileCodec.program("late", times: 1, in: folder), jobs: 1)
    #expect(result.status == 0, "\(result.errors)")
    #expect(rows.allSatisfy { $0["status"] as? String == "ok" })
  }

  /// Renders the pictures after a command of the shell.
  func render(after command: String, jobs: Int = 2, _ words: [String] = []) throws -> (
    status: Int32, errors: String, rows: [[String: Any]]
  ) {
    let shell = Process(), errors = FileHandle(forWritingAtPath: try folder.file("errors", ""))
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments =
      ["-c", command + "; exec \"$0\" \"$@\"", Program.url?.path ?? "", "render", folder.path("in"), "--to", "sdr-png"]
      + ["--out", folder.path("out"), "--backend", "cpu", "--progress", "none", "--jobs", "\(jobs)", "--record"]
      + [folder.path("r.jsonl")] + words
    shell.standardError = errors
    try shell.run()
    shell.waitUntilExit()
    let rows = try recordLines(folder.path("r.jsonl")).filter { $0["type"] as? String == "item" }
    return (shell.terminationStatus, folder.text("errors") ?? "", rows)
  }

  @Test("while as many processes work as there are threads, an operation waits for one and starts no other")
  func shortOperationsShareProcesses() throws {
    let program = try HostileCodec.script(
      "echo start >>\"$0.starts\"; exec \(CodecProgram.url?.path ?? "") \"$@\"", in: folder)
    let codecs = try CodecProgram.codecs { $0.program = program }
    defer { _ = codecs.close() }
    let picture = try Array(SmallPictures.png(1)), decoded = Atomic<Int>(0), count = 2 * Allotment.threads + 6
    let threads = (0..<count).map { index in
      WorkerThread(name: "short \(index)") { [folder] in
        for _ in 0..<4 {
          guard case .success? = try? codecs.outcome(picture, in: folder, request: .metadata) else { continue }
          decoded.wrappingAdd(1, ordering: .relaxed)
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(decoded.load(ordering: .relaxed) == 4 * count)
    let starts = try String(contentsOfFile: program.display + ".starts", encoding: .utf8).split(separator: "\n").count
    #expect(starts <= Allotment.threads + 2)
  }

  @Test("an operation does not wait long for processes that hang")
  func hangingProcessesDelayNoOther() throws {
    let codecs = try HostileCodec.codecs { $0.limits.seconds = 2 }
    defer { _ = codecs.close() }
    let over = Atomic<Int>(0)
    let hanging = (0..<Allotment.threads).map { index in
      WorkerThread(name: "hanging \(index)") { [folder] in
        _ = try? codecs.misbehaving("sleep", in: folder)
        over.wrappingAdd(1, ordering: .relaxed)
      }
    }
    usleep(300_000)
    let result = try codecs.outcome(Array(SmallPictures.png(1)), in: folder)
    // They hang twice, for six seconds.
    #expect(over.load(ordering: .relaxed) == 0)
    for thread in hanging { thread.join() }
    #expect(throws: Never.self) { try result.get() }
  }

  @Test(
    "a job that may open few files has fewer pictures in flight and says so",
    arguments: [("ulimit -n 28", 1), ("ulimit -n 40", 2), ("ulimit -S -n 28", nil as Int?)])
  func fewOpenFiles(limit: String, jobs: Int?) throws {
    let (status, errors, rows) = try render(after: limit, jobs: 8)
    #expect(status == 0, "\(errors)")
    #expect(rows.count == 8 && rows.allSatisfy { $0["status"] as? String == "ok" })
    let said = errors.split(separator: "\n").filter { $0.contains("files can be open") }
    #expect(said.count == (jobs == nil ? 0 : 1), "\(errors)")
    if let jobs { #expect(said.first?.contains(": \(jobs) picture") == true, "\(errors)") }
  }

  @Test("a limit of the address space costs no item, and is said once", arguments: [20_000_000, 4_000_000, 1_000_000])
  func littleAddressSpace(kibibytes: Int) throws {
    // Larger than the memory that a process shares under the least of these limits.
    try SmallPictures.png(8, width: 4000, height: 2500).write(to: URL(fileURLWithPath: folder.path("in/large.png")))
    let (status, errors, rows) = try render(after: "ulimit -v \(kibibytes)", ["--memory", "1G"])
    #expect(status == 0, "\(errors)")
    #expect(rows.count == 9 && rows.allSatisfy { $0["status"] as? String == "ok" })
    let said = errors.split(separator: "\n").filter { $0.contains("address space is limited to") }
    #expect(said.count == 1, "\(errors)")
  }
}
