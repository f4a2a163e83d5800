/// A problem that did not stop the item. `code` is stable and short; `message` is one line.
public struct Warning: Sendable, Hashable {
  public var code: String
  public var message: Message
  package init(_ code: String, _ message: Message) {
    self.code = code
    self.message = message
  }
}
