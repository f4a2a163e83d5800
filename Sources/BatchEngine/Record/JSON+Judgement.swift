import HDRCore
import HDRRecipe
import HDRRender
import PlainData

extension JSON {
  /// Makes the record of a judgement: the expression with presets in full, and the value of each condition by its name.
  init(_ judgement: Judgement) {
    var fields: [JSON.Field] = []
    for value in judgement.values where !fields.contains(where: { $0.key == value.condition.subject }) {
      let number: JSON? = value.number.map { $0.isFinite ? .number($0) : .string($0 > 0 ? "inf" : "-inf") }
      fields.append(JSON.Field(value.condition.subject, number ?? .null))
    }
    self = [
      "expression": .string(judgement.expression.text), "accepted": .bool(judgement.verdict == .accepted),
      "values": .object(fields),
    ]
  }
}
