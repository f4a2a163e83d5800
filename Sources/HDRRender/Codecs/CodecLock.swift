import CPlatform
import CodecService

/// How far a codec process is locked in.
enum CodecLock: Int, Sendable, Comparable {
  /// Limits of memory and time only.
  case limits
  case landlock
  case seccomp
  /// Seccomp and Landlock, no capabilities, no new privileges.
  case sandbox

  static func < (a: CodecLock, b: CodecLock) -> Bool { a.rawValue < b.rawValue }

  /// Of a process: what the kernel says of it, and of Landlock, which the kernel keeps to itself, what it said itself
  /// before it met any input.
  init(of pid: Int32, said: WorkerReady) {
    var locks = hdr_locks()
    let isKnown = hdr_locks_of(pid, &locks) == 0
    let hasSeccomp = isKnown && locks.seccomp == 2 && locks.no_new_privileges == 1
    switch (hasSeccomp, said.landlock > 0) {
    case (true, true): self = locks.capabilities == 0 ? .sandbox : .seccomp
    case (true, false): self = .seccomp
    case (false, true): self = .landlock
    case (false, false): self = .limits
    }
  }

  /// For the record: only the whole of it is a sandbox.
  var isolation: String { self == .sandbox ? "sandbox" : "rlimit" }

  /// What is missing and what is left, for a process that was to be locked in whole; `nil` when nothing is missing.
  func reduction(_ said: WorkerReady) -> String? {
    let left: String
    switch self {
    case .sandbox: return nil
    case .seccomp: left = "seccomp"
    case .landlock: left = "Landlock"
    case .limits: left = "limits of memory and time"
    }
    let missing = said.missing.isEmpty ? "the kernel shows no filter" : said.missing
    return "codec processes are not locked in as they should be (\(missing)); what is left: \(left)"
  }
}
