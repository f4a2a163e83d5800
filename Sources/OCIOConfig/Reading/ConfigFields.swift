import PlainData
import YAML

/// Fields are a map of a config. A key that nobody has taken when reading ends is unknown.
struct ConfigFields {
  /// The place of the map and what it belongs to.
  private(set) var place: ConfigPlace
  /// Fields that are not null, by key.
  private let values: [String: YAMLNode]
  private let keys: [YAMLNode]
  private var taken: Set<String> = []
  /// Unknown keys of maps inside.
  private var unknownInside: [YAMLNode] = []

  init(_ node: YAMLNode, _ place: ConfigPlace) throws(ConfigError) {
    self.place = place
    guard case .map(let entries) = node.content else {
      throw ConfigError(.value, place, "a map of keys and values is wanted here")
    }
    values = Dictionary(
      entries.filter { !$0.value.isNull }.map { ($0.key.text ?? "", $0.value) }, uniquingKeysWith: { first, _ in first }
    )
    keys = entries.map(\.key)
  }

  /// The keys that nobody asked for, in the order of the file.
  var unknown: [YAMLNode] { keys.filter { !taken.contains($0.text ?? "") } + unknownInside }

  /// Marks keys as known that decide nothing here.
  mutating func skip(_ names: String...) { taken.formUnion(names) }

  /// Marks all keys as known.
  mutating func skipAll() { taken.formUnion(keys.map { $0.text ?? "" }) }

  /// True if a key has a value.
  func has(_ key: String) -> Bool { values[key] != nil }

  /// True if the value of a key is a map.
  func isMap(_ key: String) -> Bool {
    if case .map? = values[key]?.content { true } else { false }
  }

  mutating func take(_ key: String) -> YAMLNode? {
    taken.insert(key)
    return values[key]
  }

  /// Reads the map of a key; `nil` where the key has no value.
  mutating func inside<Value>(
    _ key: String, _ read: (inout ConfigFields) throws(ConfigError) -> Value
  ) throws(ConfigError) -> Value? {
    guard let node = take(key) else { return nil }
    var fields = try ConfigFields(node, place.at(node))
    let value = try read(&fields)
    unknownInside += fields.unknown
    return value
  }

  /// Returns the fields with another owner.
  func of(_ owner: String) -> ConfigFields {
    var fields = self
    fields.place = place.of(owner)
    return fields
  }

  /// Returns an error about the value of a key, with its line.
  func fault(_ key: String, _ reason: String) -> ConfigError {
    ConfigError(.value, place.at(values[key]), "\(key) \(reason)")
  }

  mutating func text(_ key: String) throws(ConfigError) -> String? {
    guard let node = take(key) else { return nil }
    guard let text = node.text else { throw fault(key, "is a text, not a list or a map") }
    return text
  }

  /// Returns a name that must be there and not be empty.
  mutating func name(_ key: String) throws(ConfigError) -> String {
    guard let text = try text(key), !text.isEmpty else { throw ConfigError(.value, place, "\(key) is missing") }
    return text
  }

  /// Returns a list of texts. One text stands for the words between `separators`.
  mutating func texts(_ key: String, separators: [Character] = [",", ":"]) throws(ConfigError) -> [String] {
    guard let node = take(key) else { return [] }
    if let text = node.text {
      let separator = separators.first { text.contains($0) }
      return text.split { $0 == separator }.map { trimmed($0) }.filter { !$0.isEmpty }
    }
    guard case .list(let items) = node.content else { throw fault(key, "is a list of texts") }
    return try items.map { item throws(ConfigError) in
      guard let text = item.text else { throw fault(key, "is a list of texts") }
      return text
    }
  }

  mutating func flag(_ key: String) throws(ConfigError) -> Bool? {
    guard let text = try text(key) else { return nil }
    switch text.lowercased() {
    case "true", "yes", "on", "y": return true
    case "false", "no", "off", "n": return false
    default: throw fault(key, "is true or false")
    }
  }

  mutating func number(_ key: String) throws(ConfigError) -> Double? {
    guard let node = take(key) else { return nil }
    return try number(key, node)
  }

  private func number(_ key: String, _ node: YAMLNode) throws(ConfigError) -> Double {
    guard let text = node.text, let value = decimal(text), Float(value).isFinite else {
      throw fault(key, "is a finite number")
    }
    return value
  }

  /// Returns a list of numbers.
  mutating func numbers(_ key: String) throws(ConfigError) -> [Double]? {
    guard let node = take(key) else { return nil }
    guard case .list(let items) = node.content else { throw fault(key, "is a list of numbers") }
    return try items.map { item throws(ConfigError) in try number(key, item) }
  }

  /// Returns a list of so many numbers.
  mutating func numbers(_ key: String, count: Int) throws(ConfigError) -> [Double]? {
    guard let list = try numbers(key) else { return nil }
    guard list.count == count else { throw fault(key, "has \(list.count) numbers, \(count) are wanted") }
    return list
  }

  /// Returns a list of numbers; one number is a list of one.
  mutating func numbersOrOne(_ key: String) throws(ConfigError) -> [Double]? {
    guard let node = take(key) else { return nil }
    return node.text == nil ? try numbers(key) : [try number(key, node)]
  }

  /// Returns a number for each channel: one number stands for all three.
  mutating func channels(_ key: String) throws(ConfigError) -> [Double]? {
    guard let node = take(key) else { return nil }
    if node.text == nil { return try numbers(key, count: 3) }
    return Array(repeating: try number(key, node), count: 3)
  }

  /// Returns a word of a list; upper and lower case are the same.
  mutating func word<Word: CaseIterable & RawRepresentable<String>>(
    _ key: String, _: Word.Type = Word.self
  ) throws(ConfigError) -> Word? {
    guard let text = try text(key) else { return nil }
    guard let word = Word.allCases.first(where: { $0.rawValue == text.lowercased() }) else {
      throw fault(key, "is one of \(Word.allCases.map(\.rawValue).joined(separator: ", ")), not \"\(text)\"")
    }
    return word
  }
}

/// Returns a text without white space at its ends.
func trimmed(_ text: some StringProtocol) -> String {
  let rest = text.drop { $0.isWhitespace }
  return rest.lastIndex { !$0.isWhitespace }.map { String(rest[...$0]) } ?? ""
}

extension ConfigPlace {
  /// Returns the place of a node of the same owner.
  func at(_ node: YAMLNode?) -> ConfigPlace {
    ConfigPlace(config: config, line: node?.place.line ?? line, owner: owner)
  }

  /// Returns the place with another owner.
  func of(_ owner: String) -> ConfigPlace { ConfigPlace(config: config, line: line, owner: owner) }
}
