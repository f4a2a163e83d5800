import HDRComparison
import HDRRecipe
import TestSupport
import Testing

/// Expressions that accept pictures.
@Suite struct AcceptExpressionTests {
  static let hasVectors = SharedData.url("specs/compare-vectors.json") != nil
  private let group = SharedData.json("specs/compare-vectors.json")?["expressions"] as? [String: Any]

  /// Decides by values with the names of the vectors.
  private func verdict(_ text: String, _ values: [String: Any]) throws -> AcceptExpression.Verdict {
    var renditions: [(AcceptExpression.Selector, [Metric: MetricValue])] = []
    for (key, value) in values {
      let parts = key.split(separator: "@").map(String.init)
      let metric = try #require(Metric.named(parts[0]))
      let selector: AcceptExpression.Selector =
        parts.count == 2 && parts[1] != "full" ? .headroom(try #require(Double(parts[1]))) : .full
      let found: MetricValue
      switch value {
      case let list as [String: Double]:
        found = .pixels(PixelNumbers(list.reduce(into: [:]) { $0[Aggregate(rawValue: $1.key)!] = $1.value }))
      case let number as Double: found = .number(number)
      case "inf" as String: found = .number(.infinity)
      default: continue
      }
      if let index = renditions.firstIndex(where: { $0.0 == selector }) {
        renditions[index].1[metric] = found
      } else {
        renditions.append((selector, [metric: found]))
      }
    }
    return try AcceptExpression(text).verdict(RenditionValues(renditions).value)
  }

  private func fault(_ text: String) -> AcceptExpression.Fault? {
    do throws(AcceptExpression.Fault) {
      _ = try AcceptExpression(text)
      return nil
    } catch {
      return error
    }
  }

  @Test(.enabled(if: hasVectors, "skipped: no data")) func verdictsAreThoseOfTheVectors() throws {
    let rows = try #require(group?["valid"] as? [[String: Any]])
    #expect(rows.count == 15)
    for row in rows {
      let text = try #require(row["text"] as? String), values = try #require(row["values"] as? [String: Any])
      let verdict = try verdict(text, values), expected = try #require(row["verdict"] as? String)
      let found = verdict.code.map { $0 == "metric.unavailable" ? "rejected (\($0))" : "rejected" } ?? "accepted"
      #expect(found == expected, "\(text)")
    }
  }

  @Test(.enabled(if: hasVectors, "skipped: no data")) func faultsHaveTheColumnsOfTheVectors() throws {
    let rows = try #require(group?["invalid"] as? [[String: Any]])
    #expect(rows.count == 18)
    for row in rows {
      let text = try #require(row["text"] as? String)
      #expect(fault(text)?.column == Int(row.number("column")), "\(text): \(fault(text)?.message ?? "no fault")")
    }
  }

  @Test(
    "a fault says where it is and what to write",
    arguments: [
      ("", 1, "empty"), ("dE-ITP < 1", 1, "say which: p95(dE-ITP)"), ("max < 5", 1, "max of what: max(dE-seen)"),
      ("p95(dE-ITQ) < 1", 5, "unknown metric; did you mean \"dE-ITP\"?"),
      ("p95(dE-ITP) = 1", 13, "= is not a comparison; =="),
      ("p95(dE-ITP)<1 p95(dE-ITP)<1", 15, "needs and, or"), ("words == 1e999", 10, "not a number"),
      ("goof", 1, "unknown metric; did you mean \"good\"?"), ("bias@map < 1", 6, "a headroom such as 4, or full"),
      ("p95(dE-seen@1e300)<2", 13, "a headroom is from 1 to 65536"),
      ("bias@0.5 < 1", 6, "a headroom is from 1 to 65536"),
      ("p97(dE-ITP) < 1", 1, "no such aggregate; there are mean, rms, p50, p95, p99, p99.9, max, tile, and abs"),
    ] as [(String, Int, String)])
  func faultsAreExplained(text: String, column: Int, message: String) {
    #expect(fault(text) == AcceptExpression.Fault(column: column, message: message))
  }

  @Test("names of all metrics are known, with an aggregate where each pixel has a number")
  func metricsAreNames() throws {
    for metric in Metric.allCases {
      let name = metric.rawValue
      #expect(fault("\(name) < 1")?.message == (metric.isOfPixels ? "say which: p95(\(name))" : nil), "\(name)")
      let needless = "\(name) is one number: leave out mean"
      #expect(fault("mean(\(name)) < 1")?.message == (metric.isOfPixels ? nil : needless), "\(name)")
    }
    #expect(
      try AcceptExpression("MEAN(Flip@full)<0.05 and peak-P99.99 > -1").text
        == "mean(flip@full) < 0.05 and peak-p99.99 > -1")
    #expect(fault("shift@map < 0.1") == nil && fault("words@base == 0") == nil)
    #expect(fault("shift@base < 0.1")?.column == 7 && fault("mean(flip@map) < 1")?.column == 11)
  }

  @Test("what is nested or repeated too often is refused, not followed")
  func limitsHold() {
    #expect(fault(String(repeating: "(", count: 4000))?.message == "more than 32 levels")
    #expect(
      fault(Array(repeating: "words == 0", count: 65).joined(separator: " or "))?.message == "more than 64 conditions")
    #expect(fault(String(repeating: " ", count: 5000))?.message == "longer than 4096 bytes")
  }

  @Test func presetsAreExpressions() throws {
    for (name, text) in AcceptExpression.presets {
      #expect(try AcceptExpression(name) == AcceptExpression(text))
      #expect(try AcceptExpression(AcceptExpression(name).text) == AcceptExpression(name))
    }
  }

  @Test("a headroom is the number that was written, and spaces may stand before parentheses")
  func headroomsKeepTheirNumber() throws {
    #expect(try AcceptExpression("p95 (dE-seen@5) < 2").text == "p95(dE-seen@5) < 2")
    #expect(try AcceptExpression("abs (bias@1.7) < 2").text == "abs(bias@1.7) < 2")
    #expect(AcceptExpression.Selector(argument: "5") == .headroom(5))
    #expect(AcceptExpression.Selector(argument: "2ev") == .headroom(4))
    #expect(AcceptExpression.Selector(argument: "1e300") == nil)
    let values: [String: Any] = ["dE-seen@5": ["p95": 1.0], "dE-seen@full": ["p95": 3.0]]
    #expect(try verdict("p95(dE-seen@5) < 2", values) == .accepted)
  }

  @Test(
    "of signed metrics the rendition counts that the comparison is hardest for",
    arguments: [
      ("bias < 0.1", false), ("bias > -0.1", false), ("abs(bias) < 0.25", true), ("abs(bias) < 0.15", false),
      ("bias <= 0.15", true), ("bias >= -0.2", true), ("not bias > 0.1", false), ("not bias < -0.1", false),
      ("not (bias < -0.3 or bias > 0.2)", true), ("bias@4 > 0", true),
    ] as [(String, Bool)])
  func signsCountInConditions(text: String, isAccepted: Bool) throws {
    let verdict = try verdict(text, ["bias@1": -0.2, "bias@4": 0.15])
    #expect((verdict == .accepted) == isAccepted)
  }

  @Test("a rejection names the first condition that decides")
  func rejectionsNameACondition() throws {
    let verdict = try verdict("good", ["dE-seen": ["p95": 1.0, "p99.9": 6.0, "tile": 7.0], "bias": 0.0])
    guard case .rejected(let condition, let value) = verdict else { return #expect(Bool(false), "accepted") }
    #expect(condition.subject == "p99.9(dE-seen)")
    #expect(value == 6)
  }
}
