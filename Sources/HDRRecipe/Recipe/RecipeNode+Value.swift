import PlainData

extension RecipeNode {
  /// Makes a node of data without places, from a manifest or a decoder.
  ///
  /// - Parameter file: its name in messages.
  package init(_ value: JSON, file: String = "recipe") {
    func node(_ value: JSON) -> RecipeNode { RecipeNode(value, file: file) }
    let content: Content =
      switch value {
      case .null: .scalar("", isPlain: true)
      case .bool, .int, .number: .scalar(value.double.map(shortest) ?? value.line, isPlain: true)
      case .string(let text): .scalar(text, isPlain: false)
      case .array(let values): .list(values.map(node))
      case .object(let fields): .map(fields.sorted { $0.key < $1.key }.map { (node(.string($0.key)), node($0.value)) })
      }
    self.init(content: content, place: RecipePlace(file: file, line: 1, column: 1))
  }
}

extension RecipeText {
  /// Makes a recipe from plain data, as manifests hold it.
  ///
  /// - Throws: `UsageError`.
  package init(_ value: JSON, file: String) throws(UsageError) {
    try self.init(RecipeNode(value, file: file), folder: "")
  }
}
