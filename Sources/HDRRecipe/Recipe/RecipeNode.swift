import HDRCore
import PlainData
import YAML

/// A recipe is a YAML file of these nodes.
package typealias RecipeNode = YAMLNode

/// Messages about recipes name these places.
package typealias RecipePlace = YAMLPlace

extension YAMLPlace {
  /// Returns an error with its place: `FILE:LINE:COLUMN: message`.
  package func error(_ message: Message) -> UsageError {
    UsageError("\(file):\(line):\(column): \(printable(message))")
  }
}

extension YAMLNode {
  /// The largest size of a recipe in bytes.
  package static let maxBytes = 1 << 20
  /// Recipes hold no tags, and few levels.
  private static let recipe = YAMLRules(noun: "recipe", maxBytes: maxBytes, maxDepth: 32)

  /// Returns another text at the same place.
  func renamed(_ text: String) -> RecipeNode { RecipeNode(content: .scalar(text, isPlain: true), place: place) }

  /// Reads a recipe.
  ///
  /// - Throws: `UsageError` with line and column if the text is not YAML, is too large or too deep, repeats a key, or
  ///   uses aliases or tags.
  package init(parsing bytes: [UInt8], file: String) throws(UsageError) {
    do throws(YAMLError) {
      try self.init(parsing: bytes, file: file, Self.recipe)
    } catch {
      throw error.place?.error("\(error.reason)") ?? UsageError("\(file): \(error.reason)")
    }
  }
}
