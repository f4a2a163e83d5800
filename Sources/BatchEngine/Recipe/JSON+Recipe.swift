import HDRRecipe

extension JSON {
  /// A recipe's data with keys in one order.
  init(_ value: RecipeValue) {
    switch value {
    case .null: self = .null
    case .flag(let flag): self = .bool(flag)
    case .number(let x): self = .number(x)
    case .text(let text): self = .string(text)
    case .list(let list): self = .array(list.map { JSON($0) })
    case .map(let map):
      self = .object(
        map.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { Field($0.key, JSON($0.value)) })
    }
  }
}

extension RecipeValue {
  init(_ json: JSON) {
    switch json {
    case .null: self = .null
    case .bool(let flag): self = .flag(flag)
    case .int(let n): self = .number(Double(n))
    case .number(let x): self = .number(x)
    case .string(let text): self = .text(text)
    case .array(let list): self = .list(list.map { RecipeValue($0) })
    case .object(let fields):
      self = .map(Dictionary(fields.map { ($0.key, RecipeValue($0.value)) }) { $1 })
    }
  }
}
