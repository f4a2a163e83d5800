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
  /// Why its limits of memory and time do not hold: the error number; 0 where they do.
  package private(set) var limitError: Int32
  /// The kernel was asked and has answered.
  private(set) var areKnown = false

  package init(of pid: Int32, landlock: Int = 0, limitError: Int32 = 0) {
    self.landlock = landlock
    self.limitError = limitError
    var locks = hdr_locks()
    guard hdr_locks_of(pid, &locks) == 0 else { return }
    areKnown = true
    hasSeccomp = locks.seccomp == 2
    hasNoNewPrivileges = locks.no_new_privileges == 1
    capabilities = locks.capabilities
  }

  var hasLimits: Bool { limitError == 0 }

  /// E.g. "seccomp, no new privileges, no capabilities, Landlock 6".
  package var text: String {
    [
      hasSeccomp ? "seccomp" : "no seccomp", hasNoNewPrivileges ? "no new privileges" : "new privileges",
      capabilities == 0 ? "no capabilities" : "capabilities \(String(capabilities, radix: 16))",
      landlock > 0 ? "Landlock \(landlock)" : "no Landlock",
    ].joined(separator: ", ") + (hasLimits ? "" : ", no limits")
  }
}

/// How far a codec process is locked in.
enum CodecLock: Int, Sendable, Comparable {
  /// A process of its own, no more.
  case nothing
  /// Limits of memory and time only.
  case limits
  case landlock
  case seccomp
  /// Seccomp and Landlock, no capabilities, no new privileges, and limits.
  case sandbox

  static func < (a: CodecLock, b: CodecLock) -> Bool { a.rawValue < b.rawValue }

  init(_ locks: ProcessLocks) {
    switch (locks.hasSeccomp && locks.hasNoNewPrivileges, locks.landlock > 0) {
    case (true, true): self = locks.capabilities == 0 && locks.hasLimits ? .sandbox : .seccomp
    case (true, false): self = .seccomp
    case (false, true): self = .landlock
    case (false, false): self = locks.hasLimits ? .limits : .nothing
    }
  }

  /// For the record: only the whole of it is a sandbox.
  var isolation: String { self == .sandbox ? "sandbox" : "rlimit" }

  /// What is missing and what is left, for a process that was to have that much; `nil` when nothing is missing.
  static func reduction(_ locks: ProcessLocks, _ said: WorkerReady, wanted: CodecLock) -> String? {
    guard CodecLock(locks) < wanted else { return nil }
    var missing = said.missing.isEmpty ? [] : [said.missing], left: [String] = []
    if !locks.hasLimits { missing.append("limits: \(errorText(locks.limitError))") }
    if !locks.areKnown { missing.append("/proc does not show them") }
    if missing.isEmpty { missing.append("the kernel shows no filter") }
    if locks.hasSeccomp { left.append("seccomp") }
    // The kernel does not say.
    if locks.landlock > 0 { left.append("Landlock, as the process says") }
    if locks.hasLimits { left.append("limits of memory and time") }
    return "codec processes are not locked in as they should be (\(missing.joined(separator: "; "))); what is left: "
      + (left.isEmpty ? "a process of their own" : left.joined(separator: ", "))
  }
}
