extension JSON {
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

  /// The canonical text on one line, ASCII only: keys in the order of their bytes, all control characters as `\uHHHH`.
  package var canonical: String {
    switch self {
    case .null, .bool, .int, .number: line
    case .string(let value): Self.canonical(value)
    case .array(let values): "[" + values.map(\.canonical).joined(separator: ",") + "]"
    case .object(let fields):
      "{" + Self.sorted(fields).map { Self.canonical($0.key) + ":" + $0.value.canonical }.joined(separator: ",") + "}"
    }
  }

  private static func canonical(_ value: String) -> String {
    var text = ""
    quote(value, to: &text, isCanonical: true)
    return text
  }

  private func write(to text: inout String, indent: Int?) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .int(let value): text += "\(value)"
    case .number(let value): text += value.isFinite ? shortest(value) : "null"
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

  /// Appends a text in quotes. A canonical one has no short escapes, and no more characters than `value`.
  private static func quote(_ value: String, to text: inout String, isCanonical: Bool = false) {
    text += "\""
    defer { text += "\"" }
    // Most texts, and all keys, have nothing to replace.
    if value.utf8.allSatisfy({ 0x20..<0x7F ~= $0 && $0 != 0x22 && $0 != 0x5C }) {
      text += value
      return
    }
    // Readers refuse long runs of combining marks.
    for unit in (isCanonical || isStreamSafe(utf8: value.utf8) ? value : streamSafe(value)).utf16 {
      switch unit {
      case 0x22: text += "\\\""
      case 0x5C: text += "\\\\"
      case 0x0A where !isCanonical: text += "\\n"
      case 0x09 where !isCanonical: text += "\\t"
      case 0x0D where !isCanonical: text += "\\r"
      case 0x20..<0x7F: text.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
      default: text += "\\u" + hex(unit, digits: 4)
      }
    }
  }
}
