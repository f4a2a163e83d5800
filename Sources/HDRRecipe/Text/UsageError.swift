/// A command line or a recipe that cannot be carried out. `description` says the reason and the fix. Exit code 64.
public struct UsageError: Error, Sendable, Equatable, CustomStringConvertible {
  public var description: String
  public init(_ description: String) { self.description = description }
}
