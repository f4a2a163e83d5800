import HDRCore
import PlainData

/// A condition under which a picture is accepted: `p95(dE-seen)<2 and abs(bias)<0.03`, or the name of a preset
/// (docs/compare.md#accepting).
package struct AcceptExpression: Sendable, Hashable {
  /// The rendition that a value is of.
  package enum Selector: Sendable, Hashable {
    /// The rendition for a headroom, a factor.
    case headroom(Double)
    /// The rendition in full.
    case full
    /// The base or the gain map of a file.
    case base, map

    package var text: String {
      switch self {
      case .headroom(let factor): shortest(factor)
      case .full: "full"
      case .base: "base"
      case .map: "map"
      }
    }

    /// Reads `full`, or a headroom as the command line has it: a factor of 1 to 65 536, or `2ev`. Returns `nil` for
    /// anything else.
    package init?(argument: String) {
      if argument.lowercased() == "full" {
        self = .full
      } else {
        guard let headroom = Headroom(argument: argument) else { return nil }
        // A factor stays as it was written: 5 in stops and back is 4.999999999999999.
        self = .headroom(decimal(argument) ?? headroom.factor)
      }
    }
  }

  package enum Comparison: String, Sendable, Hashable, CaseIterable {
    // Longer ones come first: the reader takes the first that fits.
    case atMost = "<="
    case atLeast = ">="
    case equal = "=="
    case unequal = "!="
    case less = "<"
    case more = ">"

    package func holds(_ a: Double, _ b: Double) -> Bool {
      switch self {
      case .atMost: a <= b
      case .atLeast: a >= b
      case .equal: a == b
      case .unequal: a != b
      case .less: a < b
      case .more: a > b
      }
    }

    /// The comparison that holds where this one does not.
    package var opposite: Comparison {
      switch self {
      case .atMost: .more
      case .atLeast: .less
      case .equal: .unequal
      case .unequal: .equal
      case .less: .atLeast
      case .more: .atMost
      }
    }
  }

  /// A value against a number.
  package struct Condition: Sendable, Hashable {
    package var metric: Metric
    package var aggregate: Aggregate?
    /// `nil`: the worst of all renditions.
    package var selector: Selector?
    package var isMagnitude = false
    package var comparison = Comparison.less
    package var bound = 0.0

    package init(metric: Metric, aggregate: Aggregate? = nil, selector: Selector? = nil, isMagnitude: Bool = false) {
      (self.metric, self.aggregate, self.selector, self.isMagnitude) = (metric, aggregate, selector, isMagnitude)
    }

    /// The value in the words of an expression.
    package var subject: String {
      let name = metric.rawValue + (selector.map { "@" + $0.text } ?? "")
      return aggregate.map { "\($0.rawValue)(\(name))" } ?? (isMagnitude ? "abs(\(name))" : name)
    }
  }

  indirect enum Node: Sendable, Hashable {
    case condition(Condition)
    case not(Node)
    case all([Node])
    case any([Node])
  }

  let root: Node

  /// The metrics that it needs.
  package var metrics: Set<Metric> { Set(conditions.map(\.metric)) }

  /// The conditions in the order of the text.
  package var conditions: [Condition] { root.conditions }
}

extension AcceptExpression.Node {
  fileprivate var conditions: [AcceptExpression.Condition] {
    switch self {
    case .condition(let condition): [condition]
    case .not(let node): node.conditions
    case .all(let nodes), .any(let nodes): nodes.flatMap(\.conditions)
    }
  }
}

// MARK: Verdicts

extension AcceptExpression {
  /// The answer to an expression.
  package enum Verdict: Sendable, Hashable {
    case accepted
    /// The first condition that decides, with its value.
    case rejected(Condition, Double?)

    /// `accept.rejected`, or `metric.unavailable` for a value that could not be told; `nil` if accepted.
    package var code: String? {
      guard case .rejected(_, let value) = self else { return nil }
      return value == nil ? "metric.unavailable" : "accept.rejected"
    }
  }

  /// Decides by values; `nil` is one that cannot be told, which never leads to acceptance.
  package func verdict(_ value: (Condition) -> Double?) -> Verdict {
    let answer = root.holds(value)
    if answer == true { return .accepted }
    let condition = root.decisive(answer, value)
    return .rejected(condition, value(condition))
  }
}

extension AcceptExpression.Node {
  /// The node that `not` means: its conditions have the opposite comparisons, since they too are of all renditions.
  private var opposite: AcceptExpression.Node {
    switch self {
    case .condition(var condition):
      condition.comparison = condition.comparison.opposite
      return .condition(condition)
    case .not(let node): return node
    case .all(let nodes): return .any(nodes.map(\.opposite))
    case .any(let nodes): return .all(nodes.map(\.opposite))
    }
  }

  /// Returns `nil` for what values that cannot be told leave open.
  fileprivate func holds(_ value: (AcceptExpression.Condition) -> Double?) -> Bool? {
    switch self {
    case .condition(let condition):
      return value(condition).map { condition.comparison.holds(condition.isMagnitude ? abs($0) : $0, condition.bound) }
    case .not(let node): return node.opposite.holds(value)
    case .all(let nodes):
      let answers = nodes.map { $0.holds(value) }
      return answers.contains(false) ? false : answers.contains(nil) ? nil : true
    case .any(let nodes):
      let answers = nodes.map { $0.holds(value) }
      return answers.contains(true) ? true : answers.contains(nil) ? nil : false
    }
  }

  /// Returns the first condition to which an answer is due.
  fileprivate func decisive(
    _ answer: Bool?, _ value: (AcceptExpression.Condition) -> Double?
  ) -> AcceptExpression.Condition {
    switch self {
    case .condition(let condition): return condition
    case .not(let node): return node.opposite.decisive(answer, value)
    case .all(let nodes), .any(let nodes):
      let node = nodes.first { $0.holds(value) == answer } ?? nodes[0]
      return node.decisive(answer, value)
    }
  }
}

// MARK: Gain maps

extension AcceptExpression {
  /// A condition about gain maps without which the expression cannot hold, so that it accepts no file without one; `nil`
  /// if there is none.
  package var conditionOfMaps: Condition? { root.conditionOfMaps }
}

extension AcceptExpression.Condition {
  fileprivate var isOfMaps: Bool { metric == .maps || selector == .map }
}

extension AcceptExpression.Node {
  fileprivate var conditionOfMaps: AcceptExpression.Condition? {
    switch self {
    case .condition(let condition): return condition.isOfMaps ? condition : nil
    case .not(let node): return node.opposite.conditionOfMaps
    case .all(let nodes): return nodes.lazy.compactMap(\.conditionOfMaps).first
    case .any(let nodes):
      let needed = nodes.compactMap(\.conditionOfMaps)
      return needed.count == nodes.count ? needed.first : nil
    }
  }
}

// MARK: Presets

extension AcceptExpression {
  /// The expressions that have names, from strict to lenient.
  package static let presets: [(name: String, text: String)] = [
    ("exact", "words == 0 and metadata == 0"),
    ("precise", "p95(dE-ITP) < 1 and max(dE-ITP) < 3 and abs(bias) < 0.005"),
    ("near", "p95(dE-seen) < 1 and p99.9(dE-seen) < 3 and tile(dE-seen) < 3 and abs(bias) < 0.02"),
    ("good", "p95(dE-seen) < 2 and p99.9(dE-seen) < 5 and tile(dE-seen) < 5 and abs(bias) < 0.03"),
    ("web", "p95(dE-seen) < 5 and p99.9(dE-seen) < 12 and tile(dE-seen) < 10 and abs(bias) < 0.05"),
  ]

  /// The text of the expression with its presets in full.
  package var text: String { root.text }
}

extension AcceptExpression.Node {
  fileprivate var text: String {
    switch self {
    case .condition(let c): "\(c.subject) \(c.comparison.rawValue) \(shortest(c.bound))"
    case .not(let node): "not (\(node.text))"
    case .all(let nodes): nodes.map { if case .any = $0 { "(\($0.text))" } else { $0.text } }.joined(separator: " and ")
    case .any(let nodes): nodes.map(\.text).joined(separator: " or ")
    }
  }
}
