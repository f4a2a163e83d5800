import HDRCore
import PlainData

/// A JSON value, written here and read by `JSONParser`: keys keep their order, so that equal facts give equal bytes.
package enum JSON: Sendable, Hashable {
  case null
  case bool(Bool)
  case int(Int)
  /// Written as the shortest decimal that reads back as the same Double; NaN and infinity, which JSON lacks, as `null`.
  case number(Double)
  case string(String)
  case array([JSON])
  case object([Field])

  package struct Field: Sendable, Hashable {
    package var key: String
    package var value: JSON
    package init(_ key: String, _ value: JSON) {
      self.key = key
      self.value = value
    }
  }

  /// The value on one line, ASCII only: other characters become `\u` escapes, so that text controls no terminal or log.
  package var line: String {
    var text = ""
    write(to: &text, indent: nil)
    return text
  }

  /// The value over several lines, two spaces a level.
  package var pretty: String {
    var text = ""
    write(to: &text, indent: 0)
    return text
  }

  private func write(to text: inout String, indent: Int?) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .int(let value): text += "\(value)"
    case .number(let value): text += Self.decimal(value)
    case .string(let value): Self.quote(value, to: &text)
    case .array(let values):
      let isFlat = values.allSatisfy { if case .object = $0 { false } else { true } }
      Self.list("[", "]", values, indent: isFlat ? nil : indent, &text) { $0.write(to: &$2, indent: $1) }
    case .object(let fields):
      Self.list("{", "}", fields, indent: indent, &text) { field, indent, text in
        Self.quote(field.key, to: &text)
        text += indent == nil ? ":" : ": "
        field.value.write(to: &text, indent: indent)
      }
    }
  }

  private static func list<T>(
    _ open: String, _ close: String, _ items: [T], indent: Int?, _ text: inout String,
    _ item: (T, Int?, inout String) -> Void
  ) {
    let inner = indent.map { $0 + 2 }
    func newLine(_ spaces: Int?) { if let spaces { text += "\n" + String(repeating: " ", count: spaces) } }
    text += open
    for (index, element) in items.enumerated() {
      if index > 0 { text += "," }
      newLine(inner)
      item(element, inner, &text)
    }
    if !items.isEmpty { newLine(indent) }
    text += close
  }

  private static func decimal(_ value: Double) -> String {
    guard value.isFinite else { return "null" }
    if value == value.rounded(), abs(value) < 1e15 { return "\(Int(value))" }
    return "\(value)"
  }

  private static func quote(_ value: String, to text: inout String) {
    text += "\""
    defer { text += "\"" }
    // Most texts, and all keys, have nothing to replace.
    if value.utf8.allSatisfy({ 0x20..<0x7F ~= $0 && $0 != 0x22 && $0 != 0x5C }) {
      text += value
      return
    }
    // Readers refuse long runs of combining marks.
    for unit in (isStreamSafe(utf8: value.utf8) ? value : streamSafe(value)).utf16 {
      switch unit {
      case 0x22: text += "\\\""
      case 0x5C: text += "\\\\"
      case 0x0A: text += "\\n"
      case 0x09: text += "\\t"
      case 0x0D: text += "\\r"
      case 0x20..<0x7F: text.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
      default:
        let digits = String(unit, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
  }
}

extension JSON {
  /// Returns the value, or `null` for `nil`.
  package static func maybe(_ value: String?) -> JSON { value.map(JSON.string) ?? .null }
  package static func maybe(_ value: Double?) -> JSON { value.map(JSON.number) ?? .null }
  package static func maybe(_ value: Int?) -> JSON { value.map(JSON.int) ?? .null }
}

extension JSON {
  /// An object with one more field at its end.
  package func with(_ key: String, _ value: JSON) -> JSON {
    guard case .object(let fields) = self else { return self }
    return .object(fields + [Field(key, value)])
  }
}

extension JSON: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, JSON)...) { self = .object(elements.map { Field($0.0, $0.1) }) }
}

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
