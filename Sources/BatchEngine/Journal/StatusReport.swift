import CodecService
import HDRCore
import HDRRecipe
import HDRRender
import PlainData

/// Progress of a batch: a pure function of its journals, and of its manifest where there is one.
package struct StatusReport: Sendable {
  /// An item that took long.
  package struct Slow: Sendable, Hashable {
    package var input: String
    package var seconds: Double
    package var phase: String
  }

  /// An input that failed, or whose output was not accepted.
  package struct Failure: Sendable, Hashable {
    package var input: String
    package var code: String
    package var message: String
    /// SHA-256 of the input, where it could be read.
    package var digest: String?
  }

  package var items = 0
  package var done = 0
  /// The number of `done` items that have warnings.
  package var warned = 0
  package var failed = 0
  /// Items whose output was made and not accepted.
  package var rejected = 0
  package var pending: Int { items - done - failed - rejected }
  /// Failures and rejections by their code.
  package var reasons: [(code: String, count: Int)] = []
  /// The codes of rejections among them.
  private var rejections: Set<String> = []
  /// Wall seconds of finished items by phase.
  package var phases: [(name: String, seconds: Double)] = []
  package var slowest: [Slow] = []
  package var failures: [Failure] = []
  /// HDR kinds in and out, with how many.
  package var kinds: [(name: String, count: Int)] = []
  /// The reasons why items were rendered on the CPU although a GPU was asked for.
  package var fallbacks: [(reason: String, count: Int)] = []
  /// Failed inputs that `--resume` leaves out.
  package var quarantine: [(input: String, code: String, digest: String)] = []
  package var attempts = 0
  /// Journals that end in a torn line.
  package var torn = 0
  /// Rows of journals that were passed over: damaged, or too long.
  package var badRows = 0
  package var bytesOut = 0
  package var pixels = 0
  /// Inputs, as far as they are known, and those with a file.
  package var pictures = 0, donePictures = 0
  /// True if an input has several outputs.
  private var hasSeveral = false
  /// True if the manifest says how many pictures there are: journals know those alone that a run has come to.
  private var knowsPictures = false
  /// Files a second of the runs that are at work; `nil` if none is.
  package private(set) var rate: Double?
  /// Seconds that these runs will take for the rest.
  package var secondsLeft: Double? { rate.flatMap { $0 > 0 ? Double(pending) / $0 : nil } }

  /// - Throws: `UsageError` for journals that cannot be read.
  package init(_ manifest: Manifest, _ journals: [Journal], slowest count: Int = 5) throws(UsageError) {
    items = manifest.rows.count
    var last: [String: Outcome] = [:], texts = InternedTexts()
    last.reserveCapacity(items)
    try read(journals) { item, _, isOutcome in
      if isOutcome, let id = item.id { last[id] = Outcome(item, &texts) }
    }
    self.count(manifest.rows.lazy.map { (last[manifest.id($0)], $0.display) }, texts, slowest: count)
    pictures = manifest.rows.count { $0.variant == 0 }
    (hasSeveral, knowsPictures) = (pictures < items, true)
    rate = try RunPace.rate(of: journals)
  }

  /// Reports on runs of `render`: the outputs that journals name, each by its last row, and as many more as runs had.
  ///
  /// - Throws: `UsageError` for journals that cannot be read.
  package init(_ journals: [Journal], slowest count: Int = 5) throws(UsageError) {
    var last: [FilePath: Outcome] = [:], texts = InternedTexts(), order: [(output: FilePath, input: String)] = []
    // An output that was made again by another recipe is an item of both.
    var outputs: Set<FilePath> = [], ids: Set<String> = []
    try read(journals) { item, run, isOutcome in
      let path = FilePath(item.output ?? ""),
        output = path.isAbsolute ? path : run?.folder?.appending(path.bytes) ?? path
      outputs.insert(output)
      if let id = item.id { ids.insert(id) }
      if isOutcome, last.updateValue(Outcome(item, &texts), forKey: output) == nil {
        order.append((output, printable(item.input ?? "?")))
      }
    }
    var runs: [Digest?: Int] = [:]
    for journal in journals {
      guard let header = journal.header else { continue }
      runs[header.recipeDigest] = max(runs[header.recipeDigest] ?? 0, header.items ?? 0)
    }
    items = max(outputs.count, runs.values.reduce(0, +) - (ids.count - outputs.count))
    self.count(order.lazy.map { (last[$0.output], $0.input) }, texts, slowest: count)
    rate = try RunPace.rate(of: journals)
  }

  private mutating func read(
    _ journals: [Journal], _ each: (JournalRow.Item, JournalRow.Header?, Bool) -> Void
  ) throws(UsageError) {
    attempts = journals.count
    let index = try JournalIndex(journals, JournalRow.reportKeys, each: each)
    torn = index.torn
    badRows = index.unread.rows
  }

  private mutating func count(
    _ rows: some Sequence<(Outcome?, String)>, _ texts: InternedTexts, slowest count: Int
  ) {
    var reasons: [String: Int] = [:], seconds: [Double] = Phase.allCases.map { _ in 0 }, kinds: [String: Int] = [:]
    var fallbacks: [String: Int] = [:], slow: [Slow] = [], inputs: Set<String> = [], made: Set<String> = []
    for (item, input) in rows {
      guard let item else { continue }
      inputs.insert(input)
      if item.status == .ok || item.status == .warn { made.insert(input) }
      switch item.status {
      case .failed, .rejected:
        if item.status == .failed { failed += 1 } else { rejected += 1 }
        let code = texts[item.code] ?? "unknown"
        reasons[code, default: 0] += 1
        if item.status == .rejected { rejections.insert(code) }
        if let digest = item.lost { quarantine.append((input: input, code: code, digest: digest.hex)) }
        failures.append(
          Failure(input: input, code: code, message: item.message ?? "", digest: item.digest?.hex))
      case .warn:
        warned += 1
        done += 1
      case .ok: done += 1
      case .skipped: continue
      }
      add(item.bytesOut, to: &bytesOut)
      add(item.pixels, to: &pixels)
      if let from = texts[item.hdrIn], let to = texts[item.hdrOut] { kinds["\(from) -> \(to)", default: 0] += 1 }
      if let reason = texts[item.fallback] { fallbacks[reason, default: 0] += 1 }
      guard item.hasSeconds else { continue }
      for index in seconds.indices { seconds[index] += item.seconds[index] }
      let own = item.seconds.sum()
      // The slowest alone are kept with their names.
      if slow.count == count, let least = slow.last, own < least.seconds { continue }
      let phase = seconds.indices.max { item.seconds[$0] < item.seconds[$1] } ?? 0
      slow.append(Slow(input: input, seconds: own, phase: Phase.allCases[phase].rawValue))
      slow.sort { ($1.seconds, $0.input) < ($0.seconds, $1.input) }
      if slow.count > count { slow.removeLast() }
    }
    // Rows may hold any number: sums saturate, and seconds are limited to 30 years.
    func add(_ value: Int, to sum: inout Int) {
      let (result, overflow) = sum.addingReportingOverflow(max(0, value))
      sum = overflow ? .max : result
    }
    func sorted(_ counts: [String: Int]) -> [(String, Int)] {
      counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
    }
    (pictures, donePictures) = (inputs.count, made.count)
    hasSeveral = inputs.count < done + failed + rejected
    self.reasons = sorted(reasons).map { (code: $0.0, count: $0.1) }
    self.kinds = sorted(kinds).map { (name: $0.0, count: $0.1) }
    self.fallbacks = sorted(fallbacks).map { (reason: $0.0, count: $0.1) }
    phases = zip(Phase.allCases, seconds).map { (name: $0.rawValue, seconds: $1) }
    slowest = slow
  }

  package var json: JSON {
    [
      "items": .int(items), "done": .int(done), "warn": .int(warned), "failed": .int(failed),
      "rejected": .int(rejected), "pending": .int(pending),
      "attempts": .int(attempts), "tornJournals": .int(torn), "badRows": .int(badRows),
      "pictures": .int(pictures), "donePictures": .int(donePictures),
      "filesPerSecond": .maybe(rate.map(rounded)), "etaSeconds": .maybe(secondsLeft.map { $0.rounded() }),
      "bytesOut": .int(bytesOut), "pixels": .int(pixels),
      "reasons": .object(reasons.map { JSON.Field($0.code, .int($0.count)) }),
      "quarantine": .array(
        quarantine.map { ["input": .string($0.input), "code": .string($0.code), "digest": .string($0.digest)] }),
      "seconds": .object(phases.map { JSON.Field($0.name, .number(rounded($0.seconds))) }),
      "failures": .array(
        failures.map {
          [
            "input": .string($0.input), "code": .string($0.code), "message": .string($0.message),
            "digest": .maybe($0.digest),
          ]
        }),
      "slowest": .array(
        slowest.map {
          ["input": .string($0.input), "seconds": .number(rounded($0.seconds)), "phase": .string($0.phase)]
        }),
      "kinds": .object(kinds.map { JSON.Field($0.name, .int($0.count)) }),
      "fallbacks": .object(fallbacks.map { JSON.Field($0.reason, .int($0.count)) }),
    ]
  }

  /// `276 of 300`, or `58 of 60 pictures, 276 of 300 files` where pictures have several.
  private var counts: String {
    guard hasSeveral else { return "\(done) of \(items)" }
    let whole = knowsPictures || pending == 0 ? "\(donePictures) of \(pictures)" : "\(donePictures)"
    return "\(whole) pictures, \(done) of \(items) files"
  }

  /// The rate of the runs that are at work, and the time that is left; `nil` if none is.
  private var pace: String? {
    rate.map { rate in
      "\(significant(rate)) files/s" + (secondsLeft.map { ", \(Self.clock($0)) left" } ?? "")
    }
  }

  /// Returns a duration as `1:02:03` or `2:03`.
  package static func clock(_ seconds: Double) -> String {
    let whole = Int(min(max(seconds, 0), 1e9).rounded(.up)), minutes = whole / 60
    func two(_ n: Int) -> String { n < 10 ? "0\(n)" : "\(n)" }
    return minutes >= 60
      ? "\(minutes / 60):\(two(minutes % 60)):\(two(whole % 60))" : "\(minutes):\(two(whole % 60))"
  }

  /// The first line of `lines`, with the pace: for a report that is repeated.
  package var line: String { [lines[0], pace].compactMap(\.self).joined(separator: "; ") }

  /// The report as text.
  package var lines: [String] {
    var lines = [
      "\(counts) done\(warned > 0 ? " (\(warned) with warnings)" : ""), \(failed) failed"
        + "\(rejected > 0 ? ", \(rejected) rejected" : ""), \(pending) to do; "
        + "\(attempts) attempt\(attempts == 1 ? "" : "s")\(torn > 0 ? ", \(torn) cut short" : "")"
    ]
    if let pace { lines.append("  pace     " + pace) }
    if badRows > 0 { lines.append("  passed over   \(badRows) damaged rows of the journals") }
    lines += reasons.map {
      "  \(rejections.contains($0.code) ? "rejected" : "failed  ") \(printable($0.code)): \($0.count)"
    }
    if !failures.isEmpty { lines.append("  hdrbatch status --failed names them") }
    lines += quarantine.prefix(10).map {
      "  not tried again by --resume   \($0.input): \(printable($0.code)), digest \($0.digest)"
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
    if !kinds.isEmpty {
      let most = kinds.prefix(3).map { "\(printable($0.name)): \($0.count)" }.joined(separator: ", ")
      lines.append("  kinds    \(most)" + (kinds.count > 3 ? " and \(kinds.count - 3) more (--json)" : ""))
    }
    lines += fallbacks.map { "  on CPU   \(printable($0.reason)): \($0.count)" }
    lines += slowest.map { "  slowest  \($0.input): \(decimals($0.seconds, 1)) s, most of it \($0.phase)" }
    return lines
  }
}

extension StatusReport {
  /// Two lines for each input that failed: why, and the command that does it again.
  ///
  /// - Parameter places: options of `hdrbatch reproduce` that say where the journals are.
  package func failureLines(_ places: String) -> [String] {
    var order: [Failure] = [], counts: [Failure: Int] = [:], advices: [String: (advice: String, inputs: Int)] = [:]
    for failure in failures {
      if counts[failure] == nil { order.append(failure) }
      counts[failure, default: 0] += 1
    }
    var lines: [String] = [], codes: [String] = []
    for failure in order {
      let advice = Advice(failure.message), count = counts[failure] ?? 1
      let known = advices[failure.code]
      let text = known?.advice == advice.rest && known != nil ? advice.fault : failure.message
      lines.append(
        "\(failure.input)\(count > 1 ? " (\(count) outputs)" : ""): \(printable(text)) [\(printable(failure.code))]")
      if let digest = failure.digest { lines.append("  hdrbatch reproduce --digest \(digest.prefix(16)) \(places)") }
      guard let rest = advice.rest else { continue }
      if known == nil { codes.append(failure.code) }
      advices[failure.code] = (known?.advice ?? rest, (known?.inputs ?? 0) + 1)
    }
    for code in codes {
      guard let found = advices[code], found.inputs > 1 else { continue }
      lines.append("advice: \(found.inputs) inputs [\(printable(code))]: \(printable(found.advice))")
    }
    return lines
  }
}

/// The part of an item's last row that a report keeps.
private struct Outcome {
  var status: ItemStatus
  var code: Int32, hdrIn: Int32, hdrOut: Int32, fallback: Int32
  var bytesOut: Int, pixels: Int
  var hasSeconds: Bool
  /// Wall seconds by phase.
  var seconds = SIMD8<Double>()
  /// The digest of an input that crashed or hung a codec process.
  var lost: Digest?
  /// The message of a failure, and the digest of its input.
  var message: String?, digest: Digest?

  init(_ item: JournalRow.Item, _ texts: inout InternedTexts) {
    status = item.status ?? .skipped
    code = texts.number(item.code)
    hdrIn = texts.number(item.hdrIn)
    hdrOut = texts.number(item.hdrOut)
    fallback = texts.number(item.fallback)
    bytesOut = item.bytesOut ?? 0
    pixels = item.pixels ?? 0
    hasSeconds = !item.seconds.isEmpty
    for (phase, wall) in item.seconds {
      if let index = Phase(rawValue: phase).flatMap({ Phase.allCases.firstIndex(of: $0) }) {
        seconds[index] = min(max(wall, 0), 1e9)
      }
    }
    let isLost = Quarantine.codes.contains(item.code ?? "") || item.code == Quarantine.code
    if status == .failed && isLost { lost = item.inputDigest }
    if status == .failed || status == .rejected { (message, digest) = (item.message, item.inputDigest) }
  }
}

/// Texts that many rows share, each once.
private struct InternedTexts {
  private var texts: [String] = []
  private var numbers: [String: Int32] = [:]

  mutating func number(_ text: String?) -> Int32 {
    guard let text else { return -1 }
    if let number = numbers[text] { return number }
    texts.append(text)
    numbers[text] = Int32(texts.count - 1)
    return Int32(texts.count - 1)
  }

  subscript(_ number: Int32) -> String? { number < 0 ? nil : texts[Int(number)] }
}
