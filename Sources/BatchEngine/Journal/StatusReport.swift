import CodecService
import HDRCore
import HDRRender

/// Progress of a batch: a pure function of its manifest and journals.
package struct StatusReport: Sendable {
  /// An item that took long.
  package struct Slow: Sendable, Hashable {
    package var input: String
    package var seconds: Double
    package var phase: String
  }

  package var items = 0
  package var done = 0
  /// Of `done`: with warnings.
  package var warned = 0
  package var failed = 0
  package var pending: Int { items - done - failed }
  /// Failures by their code.
  package var reasons: [(code: String, count: Int)] = []
  /// Wall seconds of finished items by phase.
  package var phases: [(name: String, seconds: Double)] = []
  package var slowest: [Slow] = []
  /// HDR kinds in and out, with how many.
  package var kinds: [(name: String, count: Int)] = []
  /// Why items were rendered on the CPU although a GPU was asked for.
  package var fallbacks: [(reason: String, count: Int)] = []
  /// Of `failed`: inputs that `--resume` leaves out.
  package var quarantine: [(input: String, code: String, digest: String)] = []
  package var attempts = 0
  /// Journals that end in a torn line.
  package var torn = 0
  package var bytesOut = 0
  package var pixels = 0

  package init(_ manifest: Manifest, _ journals: [Journal], slowest count: Int = 5) {
    items = manifest.rows.count
    attempts = journals.count
    torn = journals.count { $0.tornBytes > 0 }
    let index = JournalIndex(journals)
    var reasons: [String: Int] = [:], seconds: [String: Double] = [:], kinds: [String: Int] = [:]
    var fallbacks: [String: Int] = [:], slow: [Slow] = []
    for row in manifest.rows {
      guard let item = index.last[manifest.id(row)] else { continue }
      switch item.status {
      case .failed:
        failed += 1
        let code = item.code ?? "unknown"
        reasons[code, default: 0] += 1
        if Quarantine.codes.contains(code) || code == Quarantine.code, let digest = item.inputDigest {
          quarantine.append((input: row.input.display, code: code, digest: digest.hex))
        }
      case .warn:
        warned += 1
        done += 1
      case .ok: done += 1
      case .skipped, nil: continue
      }
      add(item.bytesOut, to: &bytesOut)
      add(item.pixels, to: &pixels)
      if let from = item.hdrIn, let to = item.hdrOut { kinds["\(from) -> \(to)", default: 0] += 1 }
      if let reason = item.fallback { fallbacks[reason, default: 0] += 1 }
      guard !item.seconds.isEmpty else { continue }
      let own = item.seconds.map { ($0.phase, min(max($0.wall, 0), 1e9)) }
      for (name, value) in own { seconds[name, default: 0] += value }
      slow.append(
        Slow(
          input: row.input.display, seconds: own.reduce(0) { $0 + $1.1 }, phase: own.max { $0.1 < $1.1 }?.0 ?? ""))
    }
    // Rows may hold any number: sums saturate, and seconds are limited to 30 years.
    func add(_ value: Int?, to sum: inout Int) {
      let (result, overflow) = sum.addingReportingOverflow(max(0, value ?? 0))
      sum = overflow ? .max : result
    }
    func sorted(_ counts: [String: Int]) -> [(String, Int)] {
      counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
    }
    self.reasons = sorted(reasons).map { (code: $0.0, count: $0.1) }
    self.kinds = sorted(kinds).map { (name: $0.0, count: $0.1) }
    self.fallbacks = sorted(fallbacks).map { (reason: $0.0, count: $0.1) }
    phases = Phase.allCases.map { (name: $0.rawValue, seconds: seconds[$0.rawValue] ?? 0) }
    slowest = Array(slow.sorted { ($1.seconds, $0.input) < ($0.seconds, $1.input) }.prefix(count))
  }

  package var json: JSON {
    [
      "items": .int(items), "done": .int(done), "warn": .int(warned), "failed": .int(failed), "pending": .int(pending),
      "attempts": .int(attempts), "tornJournals": .int(torn), "bytesOut": .int(bytesOut), "pixels": .int(pixels),
      "reasons": .object(reasons.map { JSON.Field($0.code, .int($0.count)) }),
      "quarantine": .array(
        quarantine.map { ["input": .string($0.input), "code": .string($0.code), "digest": .string($0.digest)] }),
      "seconds": .object(phases.map { JSON.Field($0.name, .number(rounded($0.seconds))) }),
      "slowest": .array(
        slowest.map {
          ["input": .string($0.input), "seconds": .number(rounded($0.seconds)), "phase": .string($0.phase)]
        }),
      "kinds": .object(kinds.map { JSON.Field($0.name, .int($0.count)) }),
      "fallbacks": .object(fallbacks.map { JSON.Field($0.reason, .int($0.count)) }),
    ]
  }

  /// Readable text.
  package var lines: [String] {
    var lines = [
      "\(done) of \(items) done\(warned > 0 ? " (\(warned) with warnings)" : ""), \(failed) failed, \(pending) to do; "
        + "\(attempts) attempt\(attempts == 1 ? "" : "s")\(torn > 0 ? ", \(torn) cut short" : "")"
    ]
    lines += reasons.map { "  failed   \($0.code): \($0.count)" }
    lines += quarantine.prefix(10).map {
      "  not tried again by --resume   \($0.input): \($0.code), digest \($0.digest)"
    }
    if quarantine.count > 10 {
      lines.append("  not tried again by --resume   and \(quarantine.count - 10) more (--json)")
    }
    let whole = phases.reduce(0) { $0 + $1.seconds }
    if whole > 0 {
      lines.append(
        "  seconds  "
          + phases.map { "\($0.name) \(decimals($0.seconds, 1)) (\(Int(($0.seconds / whole * 100).rounded())) %)" }
          .joined(separator: ", "))
    }
    lines += kinds.map { "  kinds    \($0.name): \($0.count)" }
    lines += fallbacks.map { "  on CPU   \(FilePath.printable($0.reason)): \($0.count)" }
    lines += slowest.map { "  slowest  \($0.input): \(decimals($0.seconds, 1)) s, most of it \($0.phase)" }
    return lines
  }
}
