import CPlatform
import CodecService

/// The locks of a process.
package struct ProcessLocks: Sendable, Hashable {
  /// The kernel's statement (`/proc/PID/status`); false if there is none.
  package private(set) var hasSeccomp = false
  package private(set) var hasNoNewPrivileges = false
  /// The effective capabilities, a bit each.
  package private(set) var capabilities = UInt64.max
  /// The version of Landlock, which refuses every file; 0: none. The kernel does not report it: the process did, before
  /// it read any input.
  package private(set) var landlock: Int
  /// The error number that explains why limits of memory and time do not hold; 0 if they hold.
  package private(set) var limitError: Int32
  /// True if the kernel was asked and has answered.
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

  /// The locks in words, e.g. "seccomp, no new privileges, no capabilities, Landlock 6".
  package var text: String {
    [
      hasSeccomp ? "seccomp" : "no seccomp", hasNoNewPrivileges ? "no new privileges" : "new privileges",
      capabilities == 0 ? "no capabilities" : "capabilities \(String(capabilities, radix: 16))",
      landlock > 0 ? "Landlock \(landlock)" : "no Landlock",
    ].joined(separator: ", ") + (hasLimits ? "" : ", no limits")
  }
}

/// The degree to which a codec process is locked in.
enum CodecLock: Int, Sendable, Comparable {
  /// A separate process without locks.
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

  /// The isolation for the record: only the complete set is a sandbox.
  var isolation: String { self == .sandbox ? "sandbox" : "rlimit" }

  /// Describes missing and remaining locks for a process that should have `wanted`; `nil` if nothing is missing.
  static func reduction(_ locks: ProcessLocks, _ said: ReadyMessage, wanted: CodecLock) -> String? {
    guard CodecLock(locks) < wanted else { return nil }
    var missing = said.missing.isEmpty ? [] : [said.missing], left: [String] = []
    if !locks.hasLimits { missing.append("limits: \(errorText(locks.limitError))") }
    if !locks.areKnown { missing.append("/proc does not show them") }
    if missing.isEmpty { missing.append("the kernel shows no filter") }
    if locks.hasSeccomp { left.append("seccomp") }
    // The kernel does not report this one.
    if locks.landlock > 0 { left.append("Landlock, as the process says") }
    if locks.hasLimits { left.append("limits of memory and time") }
    return "codec processes are not locked in as they should be (\(missing.joined(separator: "; "))); what is left: "
      + (left.isEmpty ? "a process of their own" : left.joined(separator: ", "))
  }
}
