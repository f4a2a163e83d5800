/// A file rule finds the space of a file by its path.
package struct FileRule: Sendable {
  package enum Test: Sendable {
    /// The whole path matches a pattern.
    case path(PathPattern)
    /// The path has the name of a space: the right-most, and the longest of those that end there.
    case spaceName
    /// All files match.
    case all
  }
  package let name: String
  package let test: Test
  /// The space as the rule names it; empty for `spaceName`.
  package let space: String
  package let place: ConfigPlace

  /// The comparisons that a scalar of a path takes.
  var cost: Int { if case .path(let pattern) = test { pattern.cost } else { 0 } }
}

/// A match says which file rule a path has, and which space.
package struct FileRuleMatch: Sendable, Hashable {
  /// The name and the index of the rule, from 0 at the top.
  package let rule: String
  package let index: Int
  /// The space: a name, an alias or a role, as the rule writes it; a name for a rule that looks for names in the path.
  package let space: String

  package init(rule: String, index: Int, space: String) { (self.rule, self.index, self.space) = (rule, index, space) }
}
