import HDRCore
import PlainData

/// A recipe as plain data: the types of JSON, with unordered maps.
public indirect enum RecipeValue: Sendable, Hashable {
  case null
  case flag(Bool)
  case number(Double)
  case text(String)
  case list([RecipeValue])
  case map([String: RecipeValue])
}

extension RecipeValue {
  /// The canonical JSON: sorted keys, no spaces, ASCII only.
  public var canonicalJSON: String {
    switch self {
    case .null: "null"
    case .flag(let flag): "\(flag)"
    case .number(let x): shortest(x)
    case .text(let text): Self.quoted(text)
    case .list(let list): "[" + list.map(\.canonicalJSON).joined(separator: ",") + "]"
    case .map(let map):
      "{"
        + map.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        .map { Self.quoted($0.key) + ":" + $0.value.canonicalJSON }.joined(separator: ",") + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for unit in text.utf16 {
      switch unit {
      case 0x22: result += "\\\""
      case 0x5C: result += "\\\\"
      case 0x20..<0x7F: result.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
      default: result += "\\u" + hexDigits(unit)
      }
    }
    return result + "\""
  }

  private static func hexDigits(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}

extension RecipeValue {
  /// The keys that come first in YAML; `last` has those that come last.
  private static let first = ["to", "name", "filter", "as", "file", "generator"]
  private static let last = ["steps", "sdr", "hdr", "outputs"]

  /// The YAML, which reads back as the same recipe.
  public var yaml: String {
    var text = ""
    write(to: &text, indent: 0)
    return text
  }

  private static func sorted(_ map: [String: RecipeValue]) -> [(key: String, value: RecipeValue)] {
    func rank(_ key: String) -> Int {
      first.firstIndex(of: key) ?? last.firstIndex(of: key).map { 1000 + $0 } ?? 100
    }
    return map.sorted { (rank($0.key), $0.key) < (rank($1.key), $1.key) }
  }

  private var isFlat: Bool {
    switch self {
    case .list(let list): list.allSatisfy(\.isScalar)
    case .map(let map): map.values.allSatisfy { $0.isScalar || $0.isFlatList }
    default: true
    }
  }

  private var isScalar: Bool {
    switch self {
    case .list, .map: false
    default: true
    }
  }

  private var isFlatList: Bool { if case .list = self { isFlat } else { false } }

  /// The value on one line, after a key or a hyphen.
  private var flow: String {
    switch self {
    case .null: "null"
    case .flag(let flag): "\(flag)"
    case .number(let x): shortest(x)
    case .text(let text): Self.scalar(text)
    case .list(let list): "[" + list.map(\.flow).joined(separator: ", ") + "]"
    case .map(let map):
      "{" + Self.sorted(map).map { "\(Self.scalar($0.key)): \($0.value.flow)" }.joined(separator: ", ") + "}"
    }
  }

  private func write(to text: inout String, indent: Int) {
    let spaces = String(repeating: " ", count: indent)
    switch self {
    case .map(let map) where !map.isEmpty:
      for (key, value) in Self.sorted(map) {
        text += spaces + Self.scalar(key) + ":"
        if value.isScalar || value.isFlatList || indent > 0 && value.isFlat {
          text += " " + value.flow + "\n"
        } else {
          text += "\n"
          value.write(to: &text, indent: indent + 2)
        }
      }
    case .list(let list) where !list.isEmpty:
      for value in list {
        if case .map(let map) = value, !value.isFlat || map.count > 3 {
          var block = ""
          value.write(to: &block, indent: indent + 2)
          text += spaces + "- " + block.dropFirst(indent + 2)
        } else {
          text += spaces + "- " + value.flow + "\n"
        }
      }
    default: text += spaces + flow + "\n"
    }
  }

  /// Returns the text without quotes if it cannot be read as anything else.
  private static func scalar(_ text: String) -> String {
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
        let digits = String(scalar.value, radix: 16)
        result += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

extension RecipeValue: Codable {
  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  public init(from decoder: any Decoder) throws {
    if let map = try? decoder.container(keyedBy: Key.self) {
      self = .map(
        try Dictionary(
          uniqueKeysWithValues: map.allKeys.map { ($0.stringValue, try map.decode(RecipeValue.self, forKey: $0)) }))
    } else if var list = try? decoder.unkeyedContainer() {
      var values: [RecipeValue] = []
      while !list.isAtEnd { values.append(try list.decode(RecipeValue.self)) }
      self = .list(values)
    } else {
      let value = try decoder.singleValueContainer()
      if value.decodeNil() {
        self = .null
      } else if let flag = try? value.decode(Bool.self) {
        self = .flag(flag)
      } else if let number = try? value.decode(Double.self) {
        self = .number(number)
      } else {
        self = .text(try value.decode(String.self))
      }
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .map(let map):
      var container = encoder.container(keyedBy: Key.self)
      for (key, value) in map { try container.encode(value, forKey: Key(stringValue: key)) }
    case .list(let list):
      var container = encoder.unkeyedContainer()
      for value in list { try container.encode(value) }
    default:
      var container = encoder.singleValueContainer()
      switch self {
      case .flag(let flag): try container.encode(flag)
      case .number(let x): try container.encode(x)
      case .text(let text): try container.encode(text)
      default: try container.encodeNil()
      }
    }
  }
}
