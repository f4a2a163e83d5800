import BatchEngine

/// The arguments that decide pixels and names. A manifest keeps them, and a resumed run must have the same.
struct CommandWords {
  /// In their order, as `--name=value` or `--flag`.
  private(set) var recipe: [String] = []

  /// Options that decide pixels or names, beside those that a recipe may set.
  private static let names = [
    "to", "extract", "filter", "input", "recipe", "set", "name", "gain-map", "metadata-from",
  ]

  /// - Parameter words: what the parser took, without the command's name.
  /// - Throws: `UsageError` for an option without its value, which the parser does not let pass.
  init(_ words: some Sequence<String>) throws(UsageError) {
    var rest = Array(words)[...]
    while let word = rest.popFirst(), word != "--" {
      guard word.hasPrefix("--") else { continue }
      var parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
        String.init)
      guard RecipeSettings.names.contains(parts[0]) || Self.names.contains(parts[0]) else { continue }
      if parts.count == 1 && !RecipeSettings.flags.contains(parts[0]) {
        guard let value = rest.popFirst() else { throw UsageError("\(word) needs a value") }
        parts.append(value)
      }
      recipe.append("--" + parts.joined(separator: "="))
    }
  }
}
