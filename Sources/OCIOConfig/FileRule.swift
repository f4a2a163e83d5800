/// A rule that finds the space of a file by its path.
package struct FileRule: Sendable {
  package enum Test: Sendable {
    /// The path matches a pattern and its ending another.
    case pattern(String, extension: String)
    case regex(String)
    /// The right-most name of a space in the path, the longest of those that end there.
    case spaceName
    /// All other files.
    case all
  }
  package var name: String
  package var test: Test
  /// The space as the rule names it; empty for `spaceName`.
  package var space: String
  package var place: ConfigPlace
}

/// What the file rules say about a path.
package struct FileRuleMatch: Sendable, Hashable {
  /// The name and the index of the rule, from 0 at the top.
  package var rule: String
  package var index: Int
  /// The space: a name, an alias or a role, as the rule writes it; a name for a rule that looks for names in the path.
  package var space: String
}
