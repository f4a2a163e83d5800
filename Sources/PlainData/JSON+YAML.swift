extension JSON {
  /// Returns YAML that reads back as the same value, with sorted keys.
  ///
  /// - Parameters:
  ///   - first: the keys that come before all others, in this order.
  ///   - last: the keys that come after all others.
  package func yaml(first: [String], last: [String]) -> String {
    var text = ""
    YAMLWriter(first: first, last: last).write(self, to: &text, indent: 0)
    return text
  }

  fileprivate var isFlat: Bool {
    switch self {
    case .array(let values): values.allSatisfy(\.isScalar)
    case .object(let fields): fields.allSatisfy { $0.value.isScalar || $0.value.isFlatList }
    default: true
    }
  }

  fileprivate var isScalar: Bool {
    switch self {
    case .array, .object: false
    default: true
    }
  }

  fileprivate var isFlatList: Bool { if case .array = self { isFlat } else { false } }
}

private struct YAMLWriter {
  let first: [String]
  let last: [String]

  private func sorted(_ fields: [JSON.Field]) -> [JSON.Field] {
    func rank(_ key: String) -> Int {
      first.firstIndex(of: key) ?? last.firstIndex(of: key).map { first.count + 1 + $0 } ?? first.count
    }
    return fields.sorted { (rank($0.key), $0.key) < (rank($1.key), $1.key) }
  }

  /// Returns the value on one line, for after a key or a hyphen.
  private func flow(_ value: JSON) -> String {
    switch value {
    case .null, .bool, .int, .number: value.line
    case .string(let text): scalar(text)
    case .array(let values): "[" + values.map(flow).joined(separator: ", ") + "]"
    case .object(let fields):
      "{" + sorted(fields).map { "\(scalar($0.key)): \(flow($0.value))" }.joined(separator: ", ") + "}"
    }
  }

  func write(_ value: JSON, to text: inout String, indent: Int) {
    let spaces = String(repeating: " ", count: indent)
    switch value {
    case .object(let fields) where !fields.isEmpty:
      for field in sorted(fields) {
        let value = field.value
        text += spaces + scalar(field.key) + ":"
        if value.isScalar || value.isFlatList || indent > 0 && value.isFlat {
          text += " " + flow(value) + "\n"
        } else {
          text += "\n"
          write(value, to: &text, indent: indent + 2)
        }
      }
    case .array(let values) where !values.isEmpty:
      for value in values {
        if case .object(let fields) = value, !value.isFlat || fields.count > 3 {
          var block = ""
          write(value, to: &block, indent: indent + 2)
          text += spaces + "- " + block.dropFirst(indent + 2)
        } else {
          text += spaces + "- " + flow(value) + "\n"
        }
      }
    default: text += spaces + flow(value) + "\n"
    }
  }

  /// Returns the text without quotes if it cannot be read as anything else.
  private func scalar(_ text: String) -> String {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-+._/=".unicodeScalars)
    let words = ["null", "true", "false", "yes", "no", "on", "off", "-", "."]
    if let first = text.unicodeScalars.first, text.unicodeScalars.allSatisfy(plain.contains),
      first.properties.isAlphabetic || first == "/" || decimal(text) != nil, !words.contains(text.lowercased())
    {
      return text
    }
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where scalar.properties.generalCategory == .control || !scalar.isASCII:
        result += "\\U" + hex(scalar.value, digits: 8)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
