import PlainData

extension JSON {
  /// The value as a cell of a table: texts and numbers as they are, lists of them with spaces between, nothing for what
  /// is absent or empty, else JSON.
  var cell: String {
    switch self {
    case .null: return ""
    case .string(let text): return text
    case .array(let items):
      let texts = items.map { item in if case .string(let text) = item { text } else { item.line } }
      let isPlain = items.allSatisfy { item in
        switch item {
        case .array, .object: false
        default: true
        }
      }
      return isPlain ? texts.joined(separator: " ") : line
    case .object(let fields): return fields.isEmpty || fields.allSatisfy { $0.value == .null } ? "" : line
    default: return line
    }
  }
}
