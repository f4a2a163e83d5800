import HDRCore
import HDRRecipe
import PlainData

extension PairComparison {
  /// Returns the reason of a rejection: the condition with its value, in the worst rendition that it is about, and the
  /// place of a largest difference. `p95(dE-seen@full) 5.07 >= 2`, `max(dE-ITP@1) 7.2 at 145,116 >= 3`.
  package func reason(_ condition: AcceptExpression.Condition) -> Message {
    guard let worst = numbers.worst(condition) else { return "\(condition.subject) has no value" }
    var condition = condition
    if !condition.metric.isOfFiles { condition.selector = worst.selector }
    let value = condition.isMagnitude ? abs(worst.value) : worst.value
    let holds = condition.comparison.holds(value, condition.bound)
    let comparison = holds ? condition.comparison : condition.comparison.opposite
    let bound = shortest(condition.bound), isRoundedToBound = Self.text(value) == bound && value != condition.bound
    let place = place(of: condition).map { " at \($0.x),\($0.y)" } ?? ""
    return
      "\(condition.subject) \(isRoundedToBound ? shortest(value) : Self.text(value))\(place) \(comparison.rawValue) \(bound)"
  }

  /// Returns the pixel of a largest difference, or the top left one of a square; `nil` for numbers of the whole picture.
  package func place(of condition: AcceptExpression.Condition) -> (x: Int, y: Int)? {
    let rendition = renditions.first { $0.selector == condition.selector }
    guard let pixels = rendition?.values[condition.metric]?.pixels else { return nil }
    switch condition.aggregate {
    case .max: return pixels.most.map { ($0.x, $0.y) }
    case .tile: return pixels.tile.map { ($0.x, $0.y) }
    default: return nil
    }
  }

  private static func text(_ value: Double) -> String { value.isFinite ? short(value) : value > 0 ? "inf" : "-inf" }
}
