import HDRCore
import HDRRecipe
import HDRRender
import PlainData

extension JSON {
  /// Makes the record of a judgement: the expression with presets in full, and the value of each condition by its name.
  init(_ judgement: Judgement) {
    var fields: [JSON.Field] = []
    for value in judgement.values where !fields.contains(where: { $0.key == value.condition.subject }) {
      fields.append(JSON.Field(value.condition.subject, .metric(value.number)))
    }
    self = [
      "expression": .string(judgement.expression.text), "accepted": .bool(judgement.verdict == .accepted),
      "values": .object(fields),
    ]
  }

  /// Returns the value of a metric: infinity is a word, and `null` what cannot be told.
  static func metric(_ value: Double?) -> JSON {
    value.map { $0.isFinite ? .number($0) : .string($0 > 0 ? "inf" : "-inf") } ?? .null
  }
}
