import CodecService
import HDRCore
import HDRRecipe
import HDRRender
import PlainData

/// A pair of files is reported so: as a line, a record, a row.
package struct PairReport: Sendable {
  package enum Verdict: String, Sendable, Hashable, CaseIterable {
    case equal, differs, accepted, rejected, failed, unpaired

    /// True if the pair makes the exit code 65.
    package var fails: Bool { self == .rejected || self == .failed || self == .unpaired }
  }

  /// The files; `nil` for a missing partner.
  package let a: FilePath?
  package let b: FilePath?
  package private(set) var verdict: Verdict
  /// The reason of a verdict, with its stable code.
  package private(set) var code: String?
  package private(set) var message: Message?
  /// The error of a pair that failed.
  package private(set) var error: HDRError?
  package private(set) var comparison: PairComparison?
  package var digestA: String?
  package var digestB: String?
  package var seconds = 0.0
  /// The change of an output between two runs; `nil` for files of no runs, and where it cannot be told.
  package var change: Change?

  /// Makes the report of a file without a partner.
  ///
  /// - Parameter reason: why it has none; `nil`: the other side has no file of its name.
  package init(unpairedA a: FilePath? = nil, unpairedB b: FilePath? = nil, because reason: Message? = nil) {
    (self.a, self.b, verdict, code) = (a, b, .unpaired, "compare.unpaired")
    message = reason ?? "no partner in \(a == nil ? "A" : "B")"
  }

  /// Makes the report of two files with the same bytes, which were not decoded.
  ///
  /// - Parameter isAccepted: true if an expression accepts such files.
  package init(_ a: FilePath, _ b: FilePath, sameBytes digest: Digest, isAccepted: Bool) {
    (self.a, self.b, verdict) = (a, b, isAccepted ? .accepted : .equal)
    (digestA, digestB) = (digest.hex, digest.hex)
  }

  package init(_ a: FilePath, _ b: FilePath, failed error: HDRError) {
    (self.a, self.b, self.error, verdict) = (a, b, error, .failed)
    (code, message) = (error.code, error.file.map { "\($0): \(error.message)" } ?? error.message)
  }

  package init(_ a: FilePath, _ b: FilePath, _ comparison: PairComparison) {
    (self.a, self.b, self.comparison) = (a, b, comparison)
    switch comparison.verdict {
    case nil: verdict = comparison.isEqual ? .equal : .differs
    case .accepted: verdict = .accepted
    case .rejected(let condition, _):
      verdict = .rejected
      code = comparison.verdict?.code
      message = comparison.reason(condition)
    }
  }

  private static func text(_ value: Double) -> String { value.isFinite ? short(value) : value > 0 ? "inf" : "-inf" }
}

// MARK: For people

extension PairReport {
  /// The name in lines: that of B.
  package var name: String { (b ?? a)?.display ?? "" }

  /// The number that says how much the pictures differ, and its text; `nil` where it was not computed.
  package var size: (value: Double, text: String)? {
    guard let numbers = comparison?.numbers else { return nil }
    for metric in [Metric.deltaSeen, .deltaITP] {
      if let p95 = numbers.worst(metric, .p95) { return (p95, "\(metric.rawValue) p95 \(decimals(p95, 2))") }
    }
    return nil
  }

  /// One line.
  package var line: String {
    var parts = [name, verdict.rawValue]
    if let change, change.says { parts.append(change.text) }
    if let comparison { parts += summary(comparison) }
    if let message { parts.append("\(printable(message.text(dashes: true))) [\(code ?? "")]") }
    parts += (comparison?.notes ?? []).map { "\(printable($0.message.text(dashes: true))) [\($0.code)]" }
    return parts.joined(separator: "  ")
  }

  /// Returns a number with its sign; what is 0 after rounding has a plus.
  private func signed(_ value: Double, _ digits: Int) -> String {
    let text = decimals(value, digits)
    return text.hasPrefix("-") ? text : "+" + text
  }

  private func summary(_ comparison: PairComparison) -> [String] {
    let numbers = comparison.numbers
    var parts: [String] = []
    if let size {
      let tile = numbers.worst(.deltaSeen, .tile).map { " tile \(decimals($0, 2))" } ?? ""
      parts.append(size.text + tile)
    }
    if let bias = numbers.worst(.bias) { parts.append("bias \(signed(bias, 3))") }
    if let psnr = numbers.worst(.psnrPQ) { parts.append("psnr-pq \(psnr.isFinite ? decimals(psnr, 1) : "inf") dB") }
    if let rows = numbers.worst(.metadata), rows > 0 {
      parts.append(rows == 1 ? "1 metadata row differs" : "\(Int(rows)) metadata rows differ")
    }
    return parts
  }

  /// All numbers, a line a metric and rendition, for one pair.
  package var table: [String] {
    guard let comparison else { return [line] }
    var lines = [
      "A \(a?.display ?? "")  \(comparison.width)x\(comparison.height), \(comparison.kindA.rawValue)",
      "B \(b?.display ?? "")  \(comparison.width)x\(comparison.height), \(comparison.kindB.rawValue)",
    ]
    func row(_ name: String, _ text: String) {
      lines.append("  " + name + String(repeating: " ", count: max(1, 16 - name.count)) + text)
    }
    for rendition in comparison.renditions {
      let texts = [("A", rendition.lightA), ("B", rendition.lightB)].map { side, light in
        "\(side) peak \(significant(light.peak)) average \(significant(light.average))"
      }
      row("light@" + rendition.selector.text, texts.joined(separator: "  ") + " cd/m²")
    }
    for metric in Metric.allCases {
      if metric == .words {
        wordRows(comparison).forEach(row)
      } else if let value = comparison.values[metric] {
        row(metric.rawValue, Self.text(value))
      }
      for rendition in comparison.renditions {
        guard let value = rendition.values[metric] else { continue }
        row(metric.rawValue + "@" + rendition.selector.text, Self.text(value))
      }
      if metric == .shift, let shift = comparison.mapShift { row("shift@map", Self.text(.shift(shift))) }
    }
    for statement in comparison.metadata where !statement.isSame {
      row(statement.name, "\(statement.verdict): \(printable(statement.a ?? "-")) | \(printable(statement.b ?? "-"))")
    }
    for note in comparison.notes { row("note", "\(printable(note.message.text(dashes: true))) [\(note.code)]") }
    let reason = message.map { ": \(printable($0.text(dashes: true))) [\(code ?? "")]" } ?? ""
    return lines + [verdict.rawValue + reason]
  }

  private func wordRows(_ comparison: PairComparison) -> [(String, String)] {
    let cannot = "cannot be compared: other depth, chroma or size of samples"
    guard comparison.asked.contains(.words) else { return [] }
    let sum = comparison.values[.words].map { "\(Self.text($0)) differ" } ?? cannot
    return [("words", sum)]
      + comparison.wordParts.map { part in
        let most = part.words?.largest.map { ", by \($0) at most" } ?? ""
        return ("words@\(part.selector.text)", part.words.map { "\($0.count) differ\(most)" } ?? cannot)
      }
  }

  private static func text(_ value: MetricValue) -> String {
    switch value {
    case .number(let number): return text(number)
    case .shift(let shift):
      return "\(decimals(shift.distance, 3))  x \(decimals(shift.x, 3))  y \(decimals(shift.y, 3))"
        + "  score \(decimals(shift.score, 3))"
    case .pixels(let pixels):
      var parts = Aggregate.allCases.compactMap { aggregate -> String? in
        guard let number = pixels.numbers[aggregate] else { return nil }
        let place =
          switch aggregate {
          case .max: pixels.most.map { " at \($0.x),\($0.y)" } ?? ""
          case .tile: pixels.tile.map { " at \($0.x),\($0.y)" } ?? ""
          default: ""
          }
        return "\(aggregate.rawValue) \(decimals(number, pixels.isFine ? 5 : 3))\(place)"
      }
      if let range = pixels.exposures {
        parts.append("start \(decimals(range.start, 3))  stop \(decimals(range.stop, 3))  count \(range.count)")
      }
      return parts.joined(separator: "  ")
    }
  }
}

// MARK: For programs

extension PairReport {
  /// A record: null for what cannot be told, "inf" for infinity.
  package var json: JSON {
    func path(_ path: FilePath?) -> JSON { path.map { .string($0.text ?? $0.display) } ?? .null }
    func words(_ words: WordDifference?) -> JSON {
      words.map {
        [
          "differing": .int($0.count), "max": .maybe($0.largest),
          "planes": .array($0.planes.map { ["differing": .int($0.count), "max": .maybe($0.largest)] }),
        ]
      } ?? .null
    }
    return [
      "type": .string("pair"), "a": path(a), "b": path(b), "digestA": .maybe(digestA), "digestB": .maybe(digestB),
      "verdict": .string(verdict.rawValue), "change": .maybe(change?.rawValue), "code": .maybe(code),
      "message": .maybe(message.map { $0.text(dashes: true) }), "width": .maybe(comparison?.width),
      "height": .maybe(comparison?.height), "kindA": .maybe(comparison?.kindA.rawValue),
      "kindB": .maybe(comparison?.kindB.rawValue), "words@base": words(comparison?.words),
      "words@map": words(comparison?.mapWords),
      "shift@map": comparison?.mapShift.map { MetricValue.shift($0).json } ?? .null,
      "files": .object((comparison?.values ?? [:]).fields),
      "headrooms": .array((comparison?.renditions ?? []).map(Self.json)),
      "metadata": .array(
        (comparison?.metadata ?? []).map {
          ["row": .string($0.name), "verdict": .string($0.verdict), "a": .maybe($0.a), "b": .maybe($0.b)]
        }),
      "notes": .array(
        (comparison?.notes ?? []).map {
          ["code": .string($0.code), "message": .string($0.message.text(dashes: true))]
        }),
      "seconds": .number(seconds),
    ]
  }

  private static func json(_ rendition: PairComparison.Rendition) -> JSON {
    let headroom: JSON =
      if case .headroom(let factor) = rendition.selector { .number(factor) } else { .string(rendition.selector.text) }
    let weights = zip(["weightA", "weightB"], rendition.weights ?? []).map { JSON.Field($0, .number($1)) }
    let light = [("A", rendition.lightA), ("B", rendition.lightB)].flatMap { side, light in
      [
        JSON.Field("light\(side)", ["peak": .number(light.peak), "average": .number(light.average)]),
        JSON.Field("outside\(side)", .number(light.outside)),
      ]
    }
    return .object([JSON.Field("headroom", headroom)] + rendition.values.fields + weights + light)
  }

  /// The heads of the columns of `cells`.
  package static let columns = ["a", "b", "verdict", "code", "message"] + numberColumns

  /// The heads of the columns with numbers, which come last.
  package static let numberColumns = valueColumns.map { column in
    column.metric.rawValue + (column.selector.map { "@\($0.text)" } ?? "")
      + (column.aggregate.map { " \($0.rawValue)" } ?? "")
  }

  /// The columns with numbers: of words and shifts also those of base and map.
  private static let valueColumns: [AcceptExpression.Condition] = Metric.allCases.flatMap { metric in
    typealias Column = AcceptExpression.Condition
    if metric.isOfPixels { return Aggregate.allCases.map { Column(metric: metric, aggregate: $0) } }
    let parts: [AcceptExpression.Selector?] = [nil] + [.base, .map].filter(metric.has)
    return parts.map { Column(metric: metric, selector: $0, isMagnitude: true) }
  }

  /// A row of a table: the worst of all renditions; empty for what was not asked for or cannot be told.
  package var cells: [String] {
    let numbers = comparison?.numbers
    let values = Self.valueColumns.map { numbers?.value($0).map(Self.cell) ?? "" }
    return [
      a?.display ?? "", b?.display ?? "", verdict.rawValue, code ?? "", message.map { $0.text(dashes: true) } ?? "",
    ] + values
  }

  private static func cell(_ value: Double) -> String { value.isFinite ? shortest(value) : value > 0 ? "inf" : "-inf" }
}

extension [Metric: MetricValue] {
  /// The values as fields, in the order of metrics.
  fileprivate var fields: [JSON.Field] {
    Metric.allCases.compactMap { metric in
      self[metric].map { JSON.Field(metric.rawValue, $0.json) }
    }
  }
}

extension MetricValue {
  fileprivate var json: JSON {
    func number(_ x: Double) -> JSON { x.isFinite ? .number(x) : .string(x > 0 ? "inf" : "-inf") }
    switch self {
    case .number(let value): return number(value)
    case .shift(let shift):
      return [
        "distance": .number(shift.distance), "x": .number(shift.x), "y": .number(shift.y),
        "score": .number(shift.score),
      ]
    case .pixels(let pixels):
      let exposures = pixels.exposures.map {
        [
          JSON.Field("start", .number($0.start)), JSON.Field("stop", .number($0.stop)),
          JSON.Field("count", .int($0.count)),
        ]
      }
      let place: JSON = pixels.most.map { .array([.int($0.x), .int($0.y)]) } ?? .null
      let tile: JSON = pixels.tile.map { .array([.int($0.x), .int($0.y)]) } ?? .null
      return .object(
        Aggregate.allCases.map { JSON.Field($0.rawValue, pixels.numbers[$0].map(number) ?? .null) } + [
          JSON.Field("at", place), JSON.Field("tileAt", tile),
        ] + (exposures ?? []))
    }
  }
}
