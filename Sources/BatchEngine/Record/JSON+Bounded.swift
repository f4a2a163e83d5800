import PlainData

extension JSON {
  /// The most bytes of a text in a row.
  package static let maxTextBytes = 4096

  /// The value with no longer text; a text that was cut ends with the number of bytes that it lost.
  package var bounded: JSON {
    switch self {
    case .null, .bool, .int, .number: self
    case .string(let text): .string(Self.bounded(text))
    case .array(let values): .array(values.map(\.bounded))
    case .object(let fields): .object(fields.map { Field($0.key, $0.value.bounded) })
    }
  }

  private static func bounded(_ text: String) -> String {
    let count = text.utf8.count
    guard count > maxTextBytes else { return text }
    // Whole scalars.
    var end = text.utf8.index(text.startIndex, offsetBy: maxTextBytes - 40)
    while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
    let kept = text[..<end]
    return kept + " … \(count - kept.utf8.count) bytes more"
  }
}
