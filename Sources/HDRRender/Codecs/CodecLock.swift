import CPlatform
import CodecService

/// What locks a process in.
package struct ProcessLocks: Sendable, Hashable {
  /// As the kernel says (`/proc/PID/status`); nothing where it does not.
  package private(set) var hasSeccomp = false
  package private(set) var hasNoNewPrivileges = false
  /// The effective ones, a bit each.
  package private(set) var capabilities = UInt64.max
  /// Version of Landlock that refuses every file; 0: none. The kernel keeps that to itself: the process said it, before
  /// it met any input.
  package private(set) var landlock: Int
  /// The kernel was asked and has answered.
  private(set) var areKnown = false

  package init(of pid: Int32, landlock: Int = 0) {
    self.landlock = landlock
    var locks = hdr_locks()
    guard hdr_locks_of(pid, &locks) == 0 else { return }
    areKnown = true
    hasSeccomp = locks.seccomp == 2
    hasNoNewPrivileges = locks.no_new_privileges == 1
    capabilities = locks.capabilities
  }

  /// E.g. "seccomp, no new privileges, no capabilities, Landlock 6".
  package var text: String {
    [
      hasSeccomp ? "seccomp" : "no seccomp", hasNoNewPrivileges ? "no new privileges" : "new privileges",
      capabilities == 0 ? "no capabilities" : "capabilities \(String(capabilities, radix: 16))",
      landlock > 0 ? "Landlock \(landlock)" : "no Landlock",
    ].joined(separator: ", ")
  }
}

/// How far a codec process is locked in.
enum CodecLock: Int, Sendable, Comparable {
  /// Limits of memory and time only.
  case limits
  case landlock
  case seccomp
  /// Seccomp and Landlock, no capabilities, no new privileges.
  case sandbox

  static func < (a: CodecLock, b: CodecLock) -> Bool { a.rawValue < b.rawValue }

  init(_ locks: ProcessLocks) {
    switch (locks.hasSeccomp && locks.hasNoNewPrivileges, locks.landlock > 0) {
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
