import HDRCore
import PlainData

extension RecipeNode {
  /// Makes a node of data without places, from a manifest or a decoder.
  ///
  /// - Parameter file: its name in messages.
  public init(_ value: RecipeValue, file: String = "recipe") {
    let place = RecipePlace(file: file, line: 1, column: 1)
    func node(_ value: RecipeValue) -> RecipeNode { RecipeNode(value, file: file) }
    switch value {
    case .null: self.init(content: .scalar("", isPlain: true), place: place)
    case .flag(let flag): self.init(content: .scalar("\(flag)", isPlain: true), place: place)
    case .number(let x): self.init(content: .scalar(shortest(x), isPlain: true), place: place)
    case .text(let text): self.init(content: .scalar(text, isPlain: false), place: place)
    case .list(let list): self.init(content: .list(list.map(node)), place: place)
    case .map(let map):
      self.init(
        content: .map(map.sorted { $0.key < $1.key }.map { (node(.text($0.key)), node($0.value)) }), place: place)
    }
  }
}

extension RecipeText {
  /// Makes a recipe from plain data, as manifests hold it.
  ///
  /// - Throws: `UsageError`.
  public init(_ value: RecipeValue, file: String) throws(UsageError) {
    try self.init(RecipeNode(value, file: file), folder: "")
  }
}
