import HDRCore
import PlainData

/// An error that a file may have, by which its quality is chosen: `dE-seen:2` (docs/compare.md#quality-by-error).
package struct QualityTarget: Sendable, Hashable {
  /// A file keeps to a target: a metric that quality improves, and the bound on its good side.
  package let condition: AcceptExpression.Condition

  /// Reads `METRIC:VALUE`, of which differences of pixels mean their p95, or a condition such as `tile(dE-seen) < 3`.
  ///
  /// - Throws: `SettingFault` with the nearest name for an unknown metric, and for one that quality does not improve.
  package init(_ text: String) throws(SettingFault) {
    let words = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard words.count <= 2 else { throw Self.fault("\(text) has more than one colon") }
    var condition = try words.count == 2 ? Self.condition(words[0], words[1]) : Self.condition(text)
    guard let loss = condition.metric.loss else {
      let names = Metric.allCases.filter { $0.loss != nil }.map(\.rawValue).joined(separator: ", ")
      throw SettingFault("has no metric \"\(condition.metric.rawValue)\", which quality does not steer: \(names)")
    }
    if words.count == 2, loss.isLargerBetter { condition.comparison = .atLeast }
    let isDirected = (loss.isLargerBetter ? [.more, .atLeast] : [.less, .atMost]).contains(condition.comparison)
    guard isDirected, !condition.isMagnitude else {
      throw Self.fault("\(condition.metric.rawValue) is better the \(loss.isLargerBetter ? "larger" : "smaller") it is")
    }
    guard condition.bound > 0, condition.bound < loss.most else {
      throw Self.fault("the value is above 0\(loss.most.isFinite ? " and below \(shortest(loss.most))" : "")")
    }
    self.condition = condition
  }

  /// The words that the target is read from.
  package var text: String {
    let bound = shortest(condition.bound), selector = condition.selector.map { "@" + $0.text } ?? ""
    let isUsual = condition.aggregate == (condition.metric.isOfPixels ? .p95 : nil)
    guard isUsual, [.atMost, .atLeast].contains(condition.comparison) else {
      return "\(condition.subject) \(condition.comparison.rawValue) \(bound)"
    }
    return "\(condition.metric.rawValue)\(selector):\(bound)"
  }

  /// The target as what a file is judged by.
  package var expression: AcceptExpression { AcceptExpression(root: .condition(condition)) }

  package func isMet(_ value: Double) -> Bool { condition.comparison.holds(value, condition.bound) }

  /// Returns by how many doublings the loss of a value exceeds that of the bound; below 0 for better values.
  package func excess(_ value: Double) -> Double {
    switch condition.metric.loss {
    case .decibels: (condition.bound - value) / Self.decibelsOfDoubling
    case .likeness(let most): Self.doublings(most - value, over: most - condition.bound)
    case .error, nil: Self.doublings(value, over: condition.bound)
    }
  }

  /// 20 log10(2).
  private static let decibelsOfDoubling = 6.020_599_913_279_624

  private static func doublings(_ loss: Double, over bound: Double) -> Double {
    loss > 0 ? ExactMath.log2(loss / bound) : -.infinity
  }

  private static func fault(_ message: String) -> SettingFault {
    SettingFault("is METRIC:VALUE, as dE-seen:2 or psnr-pq:45: \(message)")
  }

  /// Reads the words on both sides of the colon.
  private static func condition(_ value: String, _ bound: String) throws(SettingFault) -> AcceptExpression.Condition {
    let name = String(value.prefix { $0 != "@" && $0 != "(" })
    guard decimal(bound) != nil else { throw fault("\(bound.isEmpty ? "nothing" : bound) is no number") }
    if value.contains("(") { return try condition("\(value) <= \(bound)") }
    guard let metric = Metric.named(name) else {
      let names = Metric.allCases.filter { $0.loss != nil }.map(\.rawValue)
      throw SettingFault("has no metric \"\(name)\"\(Nearest.hint(name, among: names))")
    }
    return try condition(metric.isOfPixels ? "p95(\(value)) <= \(bound)" : "\(value) <= \(bound)")
  }

  private static func condition(_ text: String) throws(SettingFault) -> AcceptExpression.Condition {
    let expression: AcceptExpression
    do throws(AcceptExpression.Fault) {
      expression = try AcceptExpression(text)
    } catch {
      throw fault(error.message)
    }
    // A preset or a negation is more than its condition.
    guard case .condition(let condition) = expression.root else { throw fault("one condition, not \(text)") }
    return condition
  }
}

extension Metric {
  /// The reading of a metric that is better the less an encoder loses.
  package enum Loss: Sendable, Hashable {
    /// A difference, 0 for none.
    case error
    /// A ratio in dB.
    case decibels
    /// A likeness, at most so much.
    case likeness(Double)

    var isLargerBetter: Bool { self != .error }
    /// No value is larger.
    var most: Double { if case .likeness(let most) = self { most } else { .infinity } }
  }

  /// The loss that the metric measures; `nil` if quality does not steer it.
  package var loss: Loss? {
    switch self {
    case .psnrPQ, .psnrPQLuminance, .psnrPU: .decibels
    case .ssim: .likeness(1)
    case .ssimulacra2: .likeness(100)
    default: isOfPixels ? .error : nil
    }
  }
}

extension SettingType where Value == QualityTarget {
  static var qualityTarget: SettingType {
    SettingType("metric:value") { text throws(SettingFault) in
      try QualityTarget(text)
    } text: {
      $0.text
    }
  }
}
