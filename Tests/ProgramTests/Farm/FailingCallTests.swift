import CodecService
import Foundation
import TestFiles
import TestSupport
import Testing

/// Every call by which a small batch writes fails once, one call after another (docs/reliability.md#durability), by
/// strace.
@Suite(
  .serialized, .enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"),
  .enabled(if: Tracer.works, "skipped: strace is not here or may not trace"))
struct FailingCallTests {
  let folder: TemporaryFolder
  let tracer: Tracer

  init() throws {
    folder = try TemporaryFolder()
    tracer = try Tracer(folder)
    for name in ["a", "b", "c"] {
      try SmallPictures.png(Int(name.utf8.first!)).write(
        to: URL(fileURLWithPath: try folder.file("in/\(name).png", "")))
    }
  }

  func words(_ out: String) -> [String] {
    [
      "render", folder.path("in"), "--to", "sdr-png", "--out", folder.path(out), "--backend", "cpu", "--jobs", "1",
      "--threads", "1", "--progress", "none", "--record", folder.path(out + ".jsonl"),
      // strace has a call fail by asking for one that does not exist, for which the sandbox kills.
      "--isolation", "rlimit",
    ]
  }

  func digests(_ out: String) -> [String: Digest] {
    Dictionary(
      uniqueKeysWithValues: folder.files(out).map { name in
        (name, Digest(of: [UInt8](FileManager.default.contents(atPath: folder.path(out + "/" + name))!)))
      })
  }

  /// The calls that write files, by kind of file, and the errors that are injected.
  private static let faults: [(Tracer.Place, [(call: String, errors: [String])])] = [
    (
      .outputs,
      [
        ("openat", ["ENOSPC"]), ("write", ["ENOSPC", "EIO"]), ("fdatasync", ["EIO"]),
        ("fsync", ["EIO"]), ("renameat2", ["ENOSPC"]),
      ]
    ),
    (
      .journal,
      [
        ("mkdirat", ["EIO"]), ("openat2", ["EIO"]), ("openat", ["EIO"]), ("write", ["ENOSPC"]), ("fsync", ["EIO"]),
        ("fdatasync", ["EIO"]),
      ]
    ),
    (.record, [("openat", ["ENOSPC"]), ("write", ["ENOSPC"]), ("fdatasync", ["EIO"])]),
  ]

  @Test func promise12And21_everyFailedCallEndsInOrder() throws {
    let clean = try tracer.run(words("clean"), out: "clean", .outputs, nil)
    #expect(clean.status == 0)
    let whole = digests("clean")
    #expect(whole.count == 3)
    var runs = 0, statuses: [Int32: Int] = [:]
    // Counting the journals that there are for the name of the next.
    let harmless = ["journal-openat-1"]
    for (place, calls) in Self.faults {
      let counted = "counted-\(place)"
      let log = try tracer.run(words(counted), out: counted, place, nil)
      // Nothing that runs share is locked.
      #expect(!log.calls.contains { $0.name == "flock" || $0.text.contains("_SETLK") })
      for (call, errors) in calls {
        let count = log.most(call)
        #expect(count > 0, "\(place): no \(call)")
        for number in 1...max(1, count) {
          for error in errors {
            let out = "\(place)-\(call)-\(number)-\(error)"
            let result = try tracer.run(words(out), out: out, place, "\(call):error=\(error):when=\(number)")
            #expect(result.wasHit, "\(out)")
            runs += 1
            statuses[result.status, default: 0] += 1
            // What stands under a final name is whole; no part is left.
            let left = digests(out)
            for (name, digest) in left { #expect(whole[name] == digest, "\(out): \(name)") }
            if harmless.contains("\(place)-\(call)-\(number)") {
              #expect(result.status == 0 && left == whole, "\(out): \(result.status)")
            } else {
              #expect(result.status == 74 && result.errors.contains("hdrbatch: error: "), "\(out): \(result.status)")
            }
            // What a record says was done was done, and what failed has its code.
            if let rows = try? recordLines(folder.path(out + ".jsonl")).filter({ $0["type"] as? String == "item" }) {
              for row in rows {
                let isDone = row["status"] as? String == "ok"
                let code = row["code"] as? String
                #expect(isDone || ["io.write", "batch.stopped"].contains(code), "\(out): \(code ?? "no code")")
                let name = URL(fileURLWithPath: row["output"] as? String ?? "").lastPathComponent
                if isDone { #expect(left[name] != nil, "\(out): \(name)") }
              }
            }
            let again = try Program.run(words(out) + ["--resume"])
            #expect(again.status == 0, "\(out): \(again.errors)")
            #expect(digests(out) == whole, "\(out)")
          }
        }
      }
    }
    print(
      "failing calls: \(runs) runs, exit codes \(statuses.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" })")
    #expect(runs > 32 && (statuses[74] ?? 0) > 30)
  }

  @Test("a sync that a signal interrupts is made again")
  func interruptedSyncs() throws {
    #expect(try Program.run(words("clean")).status == 0)
    let whole = digests("clean")
    for (place, call) in [(Tracer.Place.outputs, "fdatasync"), (.outputs, "fsync"), (.journal, "fdatasync")] {
      let out = "interrupted-\(place)-\(call)"
      let result = try tracer.run(words(out), out: out, place, "\(call):error=EINTR:when=1")
      #expect(result.wasHit && result.status == 0, "\(out): \(result.status) \(result.errors)")
      #expect(digests(out) == whole, "\(out)")
    }
  }

  /// A kernel that says it wrote less than it was asked to: a truncated file is never called done.
  @Test func shortWritesAreFound() throws {
    #expect(try Program.run(words("clean")).status == 0)
    let whole = digests("clean")
    for number in 1...2 {
      let out = "short-\(number)"
      let result = try tracer.run(words(out), out: out, .outputs, "write:retval=1000:when=\(number)")
      #expect(result.wasHit && [65, 74].contains(result.status), "\(result.status)")
      for (name, digest) in digests(out) { #expect(whole[name] == digest, "\(out): \(name)") }
      #expect(try Program.run(words(out) + ["--resume"]).status == 0)
      #expect(digests(out) == whole)
    }
  }
}

/// Runs the program under strace, which can let calls fail that concern certain files.
struct Tracer {
  /// The files whose calls are traced.
  enum Place: String { case outputs, journal, record }

  struct Result {
    var status: Int32
    var errors: String
    /// The calls of all threads and processes.
    var calls: [(thread: String, name: String, text: String)]
    var wasHit: Bool { calls.contains { $0.text.contains("(INJECTED)") } }
    /// Returns the most calls of a name in one thread; strace counts for each thread by itself.
    func most(_ name: String) -> Int {
      Dictionary(grouping: calls.filter { $0.name == name }, by: \.thread).values.map(\.count).max() ?? 0
    }
  }

  private let folder: TemporaryFolder
  private let script: String

  static let works: Bool = {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["strace", "-o", "/dev/null", "true"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  init(_ folder: TemporaryFolder) throws {
    self.folder = folder
    // The tracer is not the program's parent, so that the names of part files and journals are known before: they have
    // the number of this very process in them.
    script = try folder.file(
      "trace.sh",
      """
      out=$1 place=$2 log=$3
      shift 3
      host=$(uname -n | tr -cd 'A-Za-z0-9' | cut -c 1-24)
      case $place in
        outputs)
          set -- -P "$out" -P "$out/a.png" -P "$out/b.png" -P "$out/c.png" "$@"
          for name in a b c; do
            for number in 1 2 3; do set -- -P "$out/.$name.png.$host.$$.$number.part" "$@"; done
          done ;;
        journal)
          folder=$out/.hdrbatch
          set -- -P "$folder" -P "$folder/journal" -P "$folder/journal/all.1.$host.$$.jsonl" "$@" ;;
        record) set -- -P "$out.jsonl" "$@" ;;
      esac
      exec strace -D -f -o "$log" "$@"
      """)
  }

  /// - Parameter fault: for strace's `inject`.
  func run(_ words: [String], out: String, _ place: Place, _ fault: String?) throws -> Result {
    let log = folder.path(out + ".log")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments =
      [script, folder.path(out), place.rawValue, log]
      + [
        "-e",
        "trace=openat,openat2,write,pwrite64,fsync,fdatasync,renameat,renameat2,linkat,ftruncate,mkdirat,flock,fcntl",
      ]
      + (fault.map { ["-e", "inject=" + $0] } ?? []) + [Program.url?.path ?? ""] + words
    process.standardOutput = FileHandle.nullDevice
    let errors = FileHandle(forWritingAtPath: try folder.file(out + ".err", ""))!
    process.standardError = errors
    try process.run()
    process.waitUntilExit()
    // The tracer ends a little later.
    var text = ""
    for _ in 0..<200 {
      text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
      if text.contains("\(process.processIdentifier) ") && text.hasSuffix("+++\n") { break }
      usleep(10_000)
    }
    let calls = text.split(separator: "\n").compactMap { line -> (String, String, String)? in
      let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
      guard words.count == 2, let name = words[1].split(separator: "(").first else { return nil }
      return (String(words[0]), name.trimmingCharacters(in: .whitespaces), String(words[1]))
    }
    let status = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    return Result(status: status, errors: folder.text(out + ".err") ?? "", calls: calls)
  }
}
