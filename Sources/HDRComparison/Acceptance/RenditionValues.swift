/// The values of metrics in each rendition, for expressions.
package struct RenditionValues: Sendable {
  private let renditions: [(selector: AcceptExpression.Selector, values: [Metric: MetricValue])]

  package init(_ renditions: [(AcceptExpression.Selector, [Metric: MetricValue])]) {
    self.renditions = renditions.map { (selector: $0.0, values: $0.1) }
  }

  /// Returns the value that a condition is about: of its rendition, else the worst of all renditions. `nil` if it cannot
  /// be told in one of them.
  package func value(_ condition: AcceptExpression.Condition) -> Double? { worst(condition)?.value }

  /// Returns that value and its rendition.
  package func worst(
    _ condition: AcceptExpression.Condition
  ) -> (selector: AcceptExpression.Selector, value: Double)? {
    let wanted = renditions.filter { rendition in
      if let selector = condition.selector { return rendition.selector == selector }
      return rendition.selector != .base && rendition.selector != .map
    }
    let found = wanted.compactMap { rendition in
      rendition.values[condition.metric]?[condition.aggregate].map { (rendition.selector, $0) }
    }
    if found.count < wanted.count { return nil }
    return found.max { condition.metric.isBetter($0.1, than: $1.1) }
  }
}

extension Metric {
  /// Returns true if a value of one rendition is better than that of another.
  func isBetter(_ a: Double, than b: Double) -> Bool {
    switch worse {
    case .larger: a < b
    case .smaller: a > b
    case .magnitude: abs(a) < abs(b)
    }
  }
}
