/// A demanded device or codec is not here: exit code 69.
package struct UnavailableError: Error, Sendable, Equatable, CustomStringConvertible {
  package var description: String

  package init(description: String) { self.description = description }
}
