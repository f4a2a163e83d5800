/// A problem that did not stop the item. `code` is stable and short; `message` is one line.
public struct Warning: Sendable, Hashable, Codable {
  public var code: String
  public var message: String
  public init(_ code: String, _ message: String) {
    self.code = code
    self.message = message
  }
}
