/// A message in two parts: the fault, and what to do about it, which many inputs may share.
package struct Advice: Sendable, Hashable {
  /// The part up to the first semicolon.
  package let fault: String
  /// The rest; `nil` for a message of one part.
  package let rest: String?

  package init(_ message: String) {
    let parts = message.split(separator: "; ", maxSplits: 1)
    fault = parts.first.map(String.init) ?? message
    rest = parts.count > 1 ? String(parts[1]) : nil
  }
}
