/// A context has what a config is resolved with: variables, and which files there are.
package struct ConfigContext: Sendable {
  /// The variables that a user gives (`--context`); they go before all others.
  package var variables: [String: String]
  /// The variables of the process.
  package var environment: [String: String]
  /// Returns true if a file can be read at a path.
  package var exists: @Sendable (String) -> Bool

  package init(
    variables: [String: String] = [:], environment: [String: String] = [:],
    exists: @escaping @Sendable (String) -> Bool
  ) {
    (self.variables, self.environment, self.exists) = (variables, environment, exists)
  }
}
