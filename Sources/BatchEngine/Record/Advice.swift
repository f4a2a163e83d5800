/// A message in two parts: the fault, and what to do about it, which many inputs may share.
package struct Advice: Sendable, Hashable {
  /// The part up to the first semicolon that stands in no parentheses.
  package let fault: String
  /// The rest; `nil` for a message of one part.
  package let rest: String?

  package init(_ message: String) {
    var depth = 0
    let end = message.indices.first { index in
      if message[index] == "(" { depth += 1 }
      if message[index] == ")" { depth -= 1 }
      return depth <= 0 && message[index...].hasPrefix("; ")
    }
    fault = end.map { String(message[..<$0]) } ?? message
    rest = end.map { String(message[$0...].dropFirst(2)) }
  }
}
