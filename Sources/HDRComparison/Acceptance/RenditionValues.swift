import HDRRecipe

/// The values of metrics in each rendition, for expressions.
package struct RenditionValues: Sendable {
  private typealias Part = (selector: AcceptExpression.Selector, values: [Metric: MetricValue], metrics: Set<Metric>)

  private let renditions: [Part]

  package init(_ renditions: [(AcceptExpression.Selector, [Metric: MetricValue])]) {
    self.init(renditions.map { ($0.0, $0.1, Set(Metric.allCases)) })
  }

  /// - Parameter renditions: with the metrics that each was to have; others need no value in it.
  package init(_ renditions: [(AcceptExpression.Selector, [Metric: MetricValue], Set<Metric>)]) {
    self.renditions = renditions.map { (selector: $0.0, values: $0.1, metrics: $0.2) }
  }

  /// Returns the value that a condition is about: of its rendition, else the worst of all renditions. `nil` if it
  /// cannot be told in one of them.
  package func value(_ condition: AcceptExpression.Condition) -> Double? { worst(condition)?.value }

  /// Returns the worst value of a metric in all renditions; of signed numbers that furthest from 0.
  package func worst(_ metric: Metric, _ aggregate: Aggregate? = nil) -> Double? {
    value(AcceptExpression.Condition(metric: metric, aggregate: aggregate, isMagnitude: true))
  }

  /// Returns that value and its rendition.
  package func worst(
    _ condition: AcceptExpression.Condition
  ) -> (selector: AcceptExpression.Selector, value: Double)? {
    let wanted = renditions.filter { rendition in
      if let selector = condition.selector { return rendition.selector == selector }
      return rendition.selector != .base && rendition.selector != .map
        && rendition.metrics.contains(condition.metric)
    }
    let found = wanted.compactMap { rendition in
      rendition.values[condition.metric]?[condition.aggregate].map { (rendition.selector, $0) }
    }
    if found.count < wanted.count { return nil }
    let order = condition.worse
    return found.max { order.isBetter($0.1, than: $1.1) }
  }
}

extension AcceptExpression.Condition {
  /// The rule by which a rendition is worse than another: the sign of a signed metric counts where no `abs` leaves it
  /// out.
  fileprivate var worse: Metric.Order {
    guard metric.worse == .magnitude, !isMagnitude else { return metric.worse }
    return switch comparison {
    case .less, .atMost: .larger
    case .more, .atLeast: .smaller
    case .equal, .unequal: .magnitude
    }
  }
}

extension Metric.Order {
  /// Returns true if a value of one rendition is better than that of another.
  fileprivate func isBetter(_ a: Double, than b: Double) -> Bool {
    switch self {
    case .larger: a < b
    case .smaller: a > b
    case .magnitude: abs(a) < abs(b)
    }
  }
}
