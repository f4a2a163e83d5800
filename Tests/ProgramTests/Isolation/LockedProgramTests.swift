import Foundation
import Glibc
import HDRCore
import HDRRender
import TestSupport
import Testing
import Video

/// Programs of others in the place of a codec process (docs/isolation.md#programs).
@Suite(.enabled(if: CodecProgram.url != nil, "skipped: the programs are not built beside the tests"))
struct LockedProgramTests {
  let folder: TemporaryFolder
  let input: OpenFile
  init() throws {
    folder = try TemporaryFolder()
    input = OpenFile(open(try folder.file("input", "the input"), O_RDONLY))
  }

  /// Runs a program to its end.
  func run(
    _ arguments: String..., output: Int32? = nil, isolation: Isolation = .sandbox
  ) throws -> (outcome: LockedProgram.Outcome, output: String) {
    let program = try LockedProgram(
      FilePath("/usr/bin/" + arguments[0]), arguments, input: input.descriptor, output: output, givesResults: true,
      IsolationOptions(isolation))
    let bytes = try #require(program.results).readAll(atMost: 1 << 20)
    return (program.end(within: 10), String(decoding: bytes, as: UTF8.self))
  }

  @Test("a locked program reads the file that it was given, and no other")
  func readsItsInputAlone() throws {
    let own = try run("cat", "/dev/fd/3")
    #expect(own.outcome.isSuccess && own.output == "the input", "\(own.outcome)")
    // The one that it was given has a name, too; what lies beside it has not been given.
    for path in ["/etc/passwd", try folder.file("other"), "/proc/self/environ", "/proc/1/cmdline"] {
      let other = try run("cat", path)
      #expect(other.outcome.code == 1 && other.output.isEmpty)
      #expect(other.outcome.reason.hasSuffix("\(path): Permission denied"), "\(other.outcome)")
    }
    #expect(try run("cat", "/etc/passwd", isolation: .rlimit).output.contains("root"))
  }

  @Test("a locked program writes the file that it was given, and makes none")
  func writesItsOutputAlone() throws {
    let output = OpenFile(open(try folder.file("output", "before"), O_RDWR))
    let made = folder.path("made")
    let result = try run(
      "sh", "-c", "echo after > /dev/fd/4; echo > \(made); echo > /dev/fd/3", output: output.descriptor)
    #expect(folder.text("output") == "after\n")
    #expect(folder.text("input") == "the input")
    #expect(!FileManager.default.fileExists(atPath: made))
    #expect(result.outcome.text.contains("denied"), "\(result.outcome)")
  }

  @Test("a locked program starts no process, and sees two variables at most")
  func startsNothing() throws {
    let forked = try run("sh", "-c", "(echo forked); true")
    #expect(forked.output.isEmpty && forked.outcome.reason.contains("fork"), "\(forked)")
    #expect(try !run("sh", "-c", "exec cat /dev/fd/3").outcome.isSuccess)
    let names = try run("env").output.split(separator: "\n").map { $0.prefix { $0 != "=" } }
    #expect(names.first == "LC_ALL" && names.dropFirst().allSatisfy { $0 == "LD_LIBRARY_PATH" }, "\(names)")
  }

  @Test("of what a program says the end is kept, 4 KiB of it")
  func keepsTheEndOfMessages() throws {
    let outcome = try run(
      "sh", "-c", "i=0; while [ $i -lt 2000 ]; do echo line $i >&2; i=$((i + 1)); done; echo >&2; exit 3"
    ).outcome
    #expect(outcome.code == 3 && outcome.reason == "line 1999" && outcome.text.utf8.count == 4096)
  }

  @Test("a program that hangs is killed, and its pipes end")
  func isKilled() throws {
    let program = try LockedProgram(
      FilePath("/usr/bin/sh"), ["sh", "-c", "while :; do :; done"], takesFeed: true, IsolationOptions())
    #expect(program.end(within: 0).signal == SIGKILL)
    #expect(program.end(within: 10).signal == SIGKILL)
    #expect(throws: Pipe.Fault.closed) { try #require(program.feed).write([1]) }
  }

  @Test("a program ends with the process that started it")
  func endsWithItsParent() throws {
    let codec = try #require(CodecProgram.url).path, fifo = folder.path("fifo")
    #expect(mkfifo(fifo, 0o600) == 0)
    // The shell names its own number, and waits for a program that waits for ever.
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    let words = "exec --parent=$$ --memory=8589934592 --lock-in -- /usr/bin/sh sh -c 'while :; do :; done'"
    shell.arguments = ["-c", "\"\(codec)\" \(words) 3</dev/null 4</dev/null >\(fifo) & wait"]
    try shell.run()
    // It opens once the program's side is open, and ends when nobody has that.
    let reader = OpenFile(open(fifo, O_RDONLY))
    kill(shell.processIdentifier, SIGKILL)
    shell.waitUntilExit()
    var byte: UInt8 = 0
    #expect(read(reader.descriptor, &byte, 1) == 0)
  }

  @Test("a program that is not there is named")
  func namesWhatIsMissing() throws {
    let outcome = try run("no-such-program").outcome
    #expect(outcome.code == 72 && outcome.reason == "open: error \(ENOENT)")
  }
}
