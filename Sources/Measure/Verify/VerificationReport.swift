import BatchEngine
import CPURender
import HDRCore
import HDRRender
import PlainData

/// Results of `verify`: sums of each group, and every failure.
package struct VerificationReport: Sendable {
  /// Sums over the cases of a group.
  package struct Sums: Sendable {
    package var cases = 0
    package var pixels = 0
    package var seconds = 0.0
    /// The words that differ, and the cases that could not be rendered, by backend.
    package var differing: [Int]
    package var failed: [Int]

    init(backends: Int) {
      differing = [Int](repeating: 0, count: backends)
      failed = differing
    }

    mutating func add(_ row: Verification.Row) {
      cases += 1
      pixels += row.pixels
      seconds += row.seconds
      for (index, comparison) in row.comparisons.enumerated() {
        if let comparison { differing[index] += comparison.differing } else { failed[index] += 1 }
      }
    }
  }

  package let backends: [String]
  private let hardware: Int
  private let openSeconds: [Double]
  package let refused: [Verification.Refusal]
  /// Groups in their order; those without cases are left out.
  package private(set) var groups: [(group: VerificationGroup, sums: Sums)] = []
  package private(set) var total: Sums
  private var rows: [(group: VerificationGroup, row: Verification.Row)] = []

  package init(_ verification: Verification) {
    backends = verification.backends.map(\.name)
    hardware = verification.backends.count { $0.isHardware }
    openSeconds = verification.backends.map(\.openSeconds)
    refused = verification.refused
    total = Sums(backends: backends.count)
  }

  /// Counts a case; groups come one after the other.
  package mutating func add(_ row: Verification.Row, _ group: VerificationGroup) {
    if groups.last?.group != group { groups.append((group, Sums(backends: backends.count))) }
    groups[groups.count - 1].sums.add(row)
    total.add(row)
    rows.append((group, row))
  }

  /// True if no word differs, no case failed, and no device is missing that ought to work.
  package var passed: Bool {
    total.differing.allSatisfy { $0 == 0 } && total.failed.allSatisfy { $0 == 0 } && refused.allSatisfy(\.isKnown)
  }

  /// The number of GPUs that were compared, without software devices.
  package var hardwareCount: Int { hardware }

  // MARK: Text

  /// Lines about the comparison: the baseline, backends, refused devices.
  package var head: [String] {
    var lines = [
      "hdrbatch \(hdrbatchVersion) verify: all compared with the words of cpu \(CPUBackend.baseline.instructionSet)"
    ]
    for (index, name) in backends.enumerated() {
      let opening = openSeconds[index] > 0 ? ", self-test passed, opened in \(decimals(openSeconds[index], 2)) s" : ""
      lines.append("  \(index + 1)  \(name)\(opening)")
    }
    for refusal in refused { lines.append("  refused: \(printable("\(refusal.name): \(refusal.reason)"))") }
    if backends.isEmpty { lines.append("  nothing to compare: one CPU build and no Vulkan device") }
    return lines
  }

  /// Titles of the columns: differing words come under the backends' numbers.
  package var titles: String {
    line("group", "cases", "Mpixels", "seconds", backends.indices.map { "differ \($0 + 1)" })
  }

  package func line(_ name: String, _ sums: Sums) -> String {
    line(
      name, "\(sums.cases)", decimals(Double(sums.pixels) / 1e6, 2), decimals(sums.seconds, 1),
      zip(sums.differing, sums.failed).map { $1 > 0 ? "\($0)+\($1) failed" : "\($0)" })
  }

  private func line(_ name: String, _ cases: String, _ pixels: String, _ seconds: String, _ words: [String]) -> String {
    func right(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: max(0, width - text.count)) + text
    }
    return name + String(repeating: " ", count: max(0, 12 - name.count)) + right(cases, 7) + right(pixels, 10)
      + right(seconds, 9) + words.map { " " + right($0, 10) }.joined()
  }

  /// Returns a line for each failure and for each backend that differs, with the first sample that differs.
  package static func details(of row: Verification.Row, backends: [String]) -> [String] {
    var lines = row.failures.map { "\(row.name), \(printable($0))" }
    for (index, comparison) in row.comparisons.enumerated() {
      guard let comparison, comparison.differing > 0 else { continue }
      let first = comparison.first.map { ", first at " + $0.description } ?? ", another shape"
      lines.append("\(row.name), \(backends[index]): \(comparison.differing) words\(first)")
    }
    return lines
  }

  /// The number of failed cases that are listed without `--verbose`.
  static let casesTold = 12

  package var differences: [String] {
    let bad = rows.filter { !$0.row.isClean }
    let more = bad.count - Self.casesTold
    return bad.prefix(Self.casesTold).flatMap { Self.details(of: $0.row, backends: backends) }
      + (more > 0 ? ["and \(more) cases more: --verbose or --json"] : [])
  }

  /// Returns the last line.
  package func verdict(_ seconds: Double) -> String {
    let sums = "\(total.cases) cases, \(decimals(Double(total.pixels) / 1e6, 1)) Mpixels, \(backends.count) backends, "
    let time = ", \(decimals(seconds, 1)) s"
    if passed { return "PASS: \(sums)0 words differ\(time)" }
    let wrong = refused.count { !$0.isKnown }
    return "FAIL: \(sums)\(total.differing.reduce(0, +)) words differ, \(total.failed.reduce(0, +)) renderings failed, "
      + "\(wrong) devices refused\(time)"
  }

  // MARK: JSON

  package func json(pixels: Int, random: Int, seed: UInt64, seconds: Double) -> JSON {
    func sums(_ name: String, _ sums: Sums) -> JSON {
      [
        "group": .string(name), "cases": .int(sums.cases), "pixels": .int(sums.pixels),
        "seconds": .number(rounded(sums.seconds)), "differing": .array(sums.differing.map { .int($0) }),
        "failed": .array(sums.failed.map { .int($0) }),
      ]
    }
    return [
      "version": .string(hdrbatchVersion), "verdict": passed ? "pass" : "fail",
      "baseline": .string(CPUBackend.baseline.instructionSet), "pixels": .int(pixels), "random": .int(random),
      "seed": .string("\(seed)"), "seconds": .number(rounded(seconds)),
      "backends": .array(
        zip(backends, openSeconds).map { ["name": .string($0), "openSeconds": .number(rounded($1))] }),
      "hardwareDevices": .int(hardware),
      "refused": .array(
        refused.map { ["name": .string($0.name), "reason": .string($0.reason), "isFailure": .bool(!$0.isKnown)] }),
      "groups": .array(groups.map { sums($0.group.rawValue, $0.sums) }), "total": sums("all", total),
      "cases": .array(rows.map { json($0.row, $0.group) }),
    ]
  }

  private func json(_ row: Verification.Row, _ group: VerificationGroup) -> JSON {
    [
      "group": .string(group.rawValue), "name": .string(row.name), "pixels": .int(row.pixels),
      "seconds": .number(rounded(row.seconds)),
      "differing": .array(row.differing.map { $0.map { .int($0) } ?? .null }),
      "first": .array(
        row.comparisons.map { comparison -> JSON in
          guard let first = comparison?.first else { return .null }
          return [
            "x": .int(first.x), "y": .int(first.y), "channel": .string(first.channel),
            "expected": .string(first.text(first.expected)), "found": .string(first.text(first.found)),
          ]
        }),
      "failures": .array(row.failures.map { .string($0) }),
    ]
  }
}
