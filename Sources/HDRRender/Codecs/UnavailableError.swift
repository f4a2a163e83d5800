/// A demanded device or codec is not here: exit code 69.
public struct UnavailableError: Error, Sendable, Equatable, CustomStringConvertible {
  public var description: String

  public init(description: String) { self.description = description }
}
