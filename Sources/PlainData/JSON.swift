/// A plain value with the types of JSON: keys keep their order, so that equal facts give equal bytes.
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
}

extension JSON: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, JSON)...) { self = .object(elements.map { Field($0.0, $0.1) }) }
}

extension JSON {
  /// Makes an object with its keys in the order of their bytes.
  package init(sorting map: [String: JSON]) { self = .object(Self.sorted(map.map { Field($0.key, $0.value) })) }

  static func sorted(_ fields: [Field]) -> [Field] {
    fields.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }

  /// Returns the value, or `null` for `nil`.
  package static func maybe(_ value: String?) -> JSON { value.map(JSON.string) ?? .null }
  package static func maybe(_ value: Double?) -> JSON { value.map(JSON.number) ?? .null }
  package static func maybe(_ value: Int?) -> JSON { value.map(JSON.int) ?? .null }

  /// Returns an object with one more field at its end.
  package func with(_ key: String, _ value: JSON) -> JSON {
    guard case .object(let fields) = self else { return self }
    return .object(fields + [Field(key, value)])
  }
}

extension JSON {
  /// The value of a key; `nil` for other kinds and keys that are not there.
  package subscript(key: String) -> JSON? {
    guard case .object(let fields) = self else { return nil }
    return fields.first { $0.key == key }?.value
  }

  package var string: String? { if case .string(let text) = self { text } else { nil } }
  package var array: [JSON]? { if case .array(let list) = self { list } else { nil } }
  package var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }

  /// A whole number, however it is written.
  package var integer: Int? {
    switch self {
    case .int(let value): value
    case .number(let value): Int(exactly: value)
    default: nil
    }
  }

  package var double: Double? {
    switch self {
    case .int(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }
}
