import HDRCore

/// A command line or a recipe that cannot be carried out. `message` says the reason and the fix. Exit code 64.
public struct UsageError: Error, Sendable, Equatable, HasMessage {
  public var message: Message
  public init(_ message: Message) { self.message = message }
}
