import Foundation
import TestSupport
import Testing

/// A process as a shell or a scheduler starts it: no signal blocked, none ignored, whatever this process has.
struct CleanProcess: ~Copyable {
  let pid: pid_t

  init(
    _ program: URL, _ arguments: [String], output: String = "/dev/null", errors: String = "/dev/null"
  ) throws {
    var actions = posix_spawn_file_actions_t(), attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    var none = sigset_t(), all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    var words: [UnsafeMutablePointer<CChar>?] = ([program.path] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var child: pid_t = 0
    let result = posix_spawn(&child, program.path, &actions, &attributes, &words, environ)
    guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: result) ?? .EIO) }
    pid = child
  }

  /// Waits for the end: returns the exit code, or minus the signal; `nil` at the timeout.
  func end(within seconds: Double) -> Int32? {
    let begin = ContinuousClock.now
    var status: Int32 = 0
    while waitpid(pid, &status, WNOHANG) == 0 {
      if ContinuousClock.now - begin > .seconds(seconds) { return nil }
      usleep(5_000)
    }
    return status & 0x7f == 0 ? (status >> 8) & 0xff : -(status & 0x7f)
  }

  /// Blocked signals of each thread, by the thread's name, as a mask with bit `signal - 1`.
  var blocked: [(name: String, mask: UInt64)] {
    let tasks = "/proc/\(pid)/task"
    return ((try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []).compactMap { task in
      guard let text = try? String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8) else { return nil }
      func field(_ name: String) -> Substring? {
        text.split(separator: "\n").first { $0.hasPrefix(name + ":") }?.split(separator: "\t").last
      }
      guard let name = field("Name"), let mask = field("SigBlk").flatMap({ UInt64($0, radix: 16) }) else { return nil }
      return (String(name), mask)
    }
  }

  /// Processes that it started.
  var children: [pid_t] {
    let text = try? String(contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
    let lists = all.compactMap { try? String(contentsOfFile: "/proc/\(pid)/task/\($0)/children", encoding: .utf8) }
    return (lists.isEmpty ? [text ?? ""] : lists).flatMap { $0.split(separator: " ").compactMap { pid_t($0) } }
  }
}

/// Real signals in the middle of real batches with several threads and codec processes.
@Suite(.serialized, .enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct SignalTests {
  enum Command: String, CaseIterable { case render, run }
  enum Target: String, CaseIterable {
    /// The program alone, as `kill` does.
    case program
    /// The codec processes too, before it, as a scheduler that signals every process of a job.
    case everyProcess
  }

  static let items = 60
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// The words of a command over 60 photos.
  func words(_ command: Command) throws -> [String] {
    let inputs = folder.path("in")
    try FileManager.default.createDirectory(atPath: inputs, withIntermediateDirectories: true)
    let photo = folder.path("lamps.jpg")
    try FileManager.default.copyItem(atPath: SharedData.examples + "/lamps.jpg", toPath: photo)
    for index in 0..<Self.items { try FileManager.default.linkItem(atPath: photo, toPath: "\(inputs)/\(index).jpg") }
    let tail = ["--record", folder.path("r.jsonl"), "--backend", "cpu", "--jobs", "2"]
    switch command {
    case .render: return ["render", inputs, "--to", "pq-png", "--out", folder.path("out")] + tail
    case .run:
      let planned = try Program.run([
        "plan", inputs, "--to", "pq-png", "--out", folder.path("out"), "-o", folder.path("m.jsonl"),
      ])
      #expect(planned.status == 0, "\(planned.errors)")
      return ["run", "--manifest", folder.path("m.jsonl")] + tail
    }
  }

  @Test(
    "a signal ends a batch of several threads within 3 s: its code, a row for every item, no part file",
    arguments: Command.allCases, [(SIGTERM, 75), (SIGINT, 130), (SIGUSR1, 75)] as [(Int32, Int32)])
  func promise02And19_signalsEndABatch(command: Command, signal: (number: Int32, status: Int32)) throws {
    let target: Target = command == .render ? .program : .everyProcess
    let process = try CleanProcess(Program.url!, try words(command), errors: folder.path("errors"))
    let begin = ContinuousClock.now
    while folder.files("out").filter({ $0.hasSuffix(".png") }).isEmpty && ContinuousClock.now - begin < .seconds(60) {
      usleep(5_000)
    }
    let threads = process.blocked
    #expect(threads.contains { $0.name.hasPrefix("render") } && threads.contains { $0.name == "signals" })
    // The thread that waits for the signals takes them out of its mask while it does.
    for thread in threads where thread.name != "signals" {
      for number in [SIGTERM, SIGINT, SIGUSR1] {
        #expect(thread.mask >> UInt64(number - 1) & 1 == 1, "\(thread.name) does not block signal \(number)")
      }
    }
    if target == .everyProcess {
      let codecs = process.children
      #expect(!codecs.isEmpty)
      for codec in codecs { kill(codec, signal.number) }
    }
    kill(process.pid, signal.number)
    // Three seconds are promised; a loaded machine gets some slack.
    #expect(process.end(within: 8) == signal.status, "\(folder.text("errors") ?? "")")
    #expect(folder.files("out").allSatisfy { $0.hasSuffix(".png") && !$0.hasPrefix(".") })
    let lines = try recordLines(folder.path("r.jsonl"))
    #expect(lines.count == Self.items + 2)
    #expect(lines.last?["exitCode"] as? Int == Int(signal.status))
    let written = lines.filter { ["ok", "warn"].contains($0["status"] as? String) }
    #expect(!written.isEmpty && written.count < Self.items && written.count == folder.files("out").count)
    // No codec process was lost to the signal.
    #expect(lines.allSatisfy { !(($0["code"] as? String) ?? "").hasPrefix("codec.") })
  }

  @Test("nobody who reads the record holds up the end")
  func promise19_aRecordThatNobodyReads() throws {
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let end = open(pipe, O_RDWR | O_CLOEXEC)
    defer { close(end) }
    // F_SETPIPE_SZ.
    #expect(fcntl(end, 1031, 4096) >= 0)
    let words = try words(.render).map { $0 == folder.path("r.jsonl") ? "-" : $0 }
    let process = try CleanProcess(Program.url!, words, output: pipe)
    let begin = ContinuousClock.now
    // The head and a row are in the pipe, and the next one has no room.
    var waiting: Int32 = 0, last: Int32 = -1
    while (waiting < 2000 || waiting != last) && ContinuousClock.now - begin < .seconds(60) {
      last = waiting
      usleep(500_000)
      _ = ioctl(end, UInt(FIONREAD), &waiting)
    }
    #expect(waiting > 2000)
    kill(process.pid, SIGTERM)
    let status = process.end(within: 8)
    if status == nil { kill(process.pid, SIGKILL) }
    #expect(status == 75)
    #expect(folder.files("out").allSatisfy { !$0.hasSuffix(".part") })
  }

  @Test("without a batch a signal ends the process as it does by default", arguments: [SIGINT, SIGTERM])
  func signalsOutsideABatch(number: Int32) throws {
    let process = try CleanProcess(Program.url!, ["verify", "--pixels", "2000000", "--random", "1000"])
    usleep(300_000)
    kill(process.pid, number)
    #expect(process.end(within: 8) == -number)
  }
}
