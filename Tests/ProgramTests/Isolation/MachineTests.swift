import BatchEngine
import CodecService
import Foundation
import HDRCore
import TestFiles
import TestSupport
import Testing

/// Runs on machines that lack something: /proc, limits of processes, a system call.
@Suite(
  .serialized,
  .enabled(
    if: CodecProgram.url != nil && Program.url != nil, "skipped: the programs are not built beside the tests"))
struct MachineTests {
  let folder: TemporaryFolder
  init() throws {
    folder = try TemporaryFolder()
    try SmallPictures.write(12, into: folder)
  }

  private func words(_ out: String, _ more: [String] = []) -> [String] {
    ["render", folder.path("in"), "--to", "sdr-png", "--out", folder.path(out), "--backend", "cpu", "--progress"]
      + ["none", "--jobs", "2", "--record", folder.path(out + ".jsonl")] + more
  }

  private func rows(_ out: String) throws -> [[String: Any]] {
    try recordLines(folder.path(out + ".jsonl")).filter { $0["type"] as? String == "item" }
  }

  /// Runs hdrbatch by another program.
  private func run(by program: [String], _ words: [String]) throws -> (status: Int32, output: String, errors: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = program + [Program.url?.path ?? ""] + words
    let output = try folder.file("stdout", ""), errors = try folder.file("stderr", "")
    process.standardOutput = FileHandle(forWritingAtPath: output)
    process.standardError = FileHandle(forWritingAtPath: errors)
    try process.run()
    process.waitUntilExit()
    let status = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    return (status, folder.text("stdout") ?? "", folder.text("stderr") ?? "")
  }

  // MARK: Arguments

  @Test("without a command help goes to stderr, and the exit code is 64")
  func noCommand() throws {
    for words in [[], ["farm"]] {
      let result = try Program.run(words)
      #expect(result.status == 64 && result.output.isEmpty && result.errors.contains("Usage: hdrbatch"))
    }
    #expect(try Program.run(["help"]).status == 0 && Program.run(["--help"]).status == 0)
  }

  private static let withoutProc = [
    "unshare", "-m", "sh", "-c", "mount --make-rprivate / && umount -l /proc && exec \"$0\" \"$@\"",
  ]
  static let canLeaveProc: Bool = {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = withoutProc + ["test", "!", "-e", "/proc/self"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  @Test(
    "without /proc the command is known, pictures are rendered, and what cannot be shown is said",
    .enabled(if: canLeaveProc, "skipped: /proc cannot be unmounted here"))
  func withoutProc() throws {
    let result = try run(by: Self.withoutProc, words("out"))
    #expect(result.status == 0 && result.output.isEmpty, "\(result.errors)")
    let rows = try rows("out")
    #expect(rows.count == 12 && rows.allSatisfy { $0["status"] as? String == "ok" })
    #expect(result.errors.contains("/proc does not show them"), "\(result.errors)")
    #expect(try run(by: Self.withoutProc, ["frobnicate"]).status == 64)
    #expect(try run(by: Self.withoutProc, words("other", ["--require-sandbox"])).status == 69)
  }

  // MARK: System calls

  private func strace(_ fault: String, _ filter: [String] = []) throws -> [String] {
    [
      "timeout", "-k", "5", "120", "strace", "-D", "-f", "-o", folder.path("log"), "-e",
      "trace=" + fault.prefix { $0 != ":" },
    ]
      + filter.flatMap { ["-P", $0] } + ["-e", "inject=" + fault]
  }

  /// Returns true if strace let a call fail; it writes its last lines a little after the program's end.
  private func wasHit() -> Bool {
    var text = ""
    for _ in 0..<200 {
      text = folder.text("log") ?? ""
      if text.hasSuffix("+++\n") { break }
      usleep(10_000)
    }
    return text.contains("(INJECTED)")
  }

  @Test(
    "limits that cannot be set are said, and fatal where a sandbox is demanded",
    .enabled(if: Tracer.works, "skipped: strace is not here or may not trace"))
  func promise24_limitsThatCannotBeSet() throws {
    let tracer = try strace("prlimit64:error=EPERM")
    let result = try run(by: tracer, words("out"))
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("limits: Operation not permitted"), "\(result.errors)")
    let head = try #require(recordLines(folder.path("out.jsonl")).first)
    #expect(head["isolation"] as? String == "rlimit")
    #expect((head["isolationReduced"] as? String)?.contains("limits: Operation not permitted") == true)
    #expect((head["isolationLocks"] as? String)?.hasSuffix(", no limits") == true)
    let demanded = try run(by: tracer, words("other", ["--require-sandbox"]))
    #expect(demanded.status == 69 && demanded.errors.contains("limits: "), "\(demanded.errors)")
    let light = try run(by: tracer, words("third", ["--isolation", "rlimit"]))
    #expect(light.status == 0 && light.errors.contains("a process of their own"), "\(light.errors)")
  }

  /// Calls by which processes are started and inputs opened, and errors that they get.
  @Test(
    "when the n-th call of a start fails, for every n, every item has its row and the exit code is true",
    .enabled(if: Tracer.works, "skipped: strace is not here or may not trace"),
    arguments: [
      "clone3:error=EAGAIN", "clone:error=EAGAIN", "socketpair:error=EMFILE", "memfd_create:error=ENOSPC",
      "prlimit64:error=EPERM", "ftruncate:error=ENOSPC", "ftruncate:error=EINTR", "openat:error=EMFILE",
    ])
  func promise22_everyFailedCallOfAStart(fault: String) throws {
    // Other files are opened by the dynamic linker, before there is anything to tell.
    let isOpen = fault.hasPrefix("openat")
    let files =
      isOpen
      ? ["/dev/null", "/proc/self/statm"] + (0..<12).map { folder.path("in/p0\($0 < 10 ? "0" : "")\($0).png") } : []
    // Limits are set for every item: the calls of later ones repeat those of the first.
    let repeats = fault.hasPrefix("prlimit64"), most = repeats ? 40 : 100
    var number = 1
    while number < most {
      let out = "out\(number)"
      // strace has a call fail by asking for one that does not exist, for which the sandbox kills.
      let result = try run(
        by: try strace("\(fault):when=\(number)", files), words(out, ["--isolation", "rlimit"]))
      guard wasHit() else { break }
      let rows = try rows(out), failed = rows.filter { $0["status"] as? String == "failed" }
      #expect(rows.count == 12, "\(fault) \(number): \(result.errors)")
      #expect(result.status == (failed.isEmpty ? 0 : 65), "\(fault) \(number): \(result.status) \(result.errors)")
      // An input that cannot be opened is lost; a start is tried again.
      #expect(
        failed.allSatisfy { isOpen && $0["code"] as? String == "io.read" }, "\(fault) \(number): \(result.errors)")
      number += 1
    }
    #expect(number < most || repeats)
  }
}
