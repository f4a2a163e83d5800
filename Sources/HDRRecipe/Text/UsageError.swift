import HDRCore

/// A command line or a recipe that cannot be carried out. `message` says the reason and the fix. Exit code 64.
package struct UsageError: Error, Sendable, Equatable, HasMessage {
  package var message: Message
  package init(_ message: Message) { self.message = message }
}
