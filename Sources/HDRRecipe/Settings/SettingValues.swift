/// What settings are given, by their names: each value in its one form, so that equal settings are equal values.
public struct SettingValues: Sendable, Hashable {
  /// By the settings' names; one word for each value.
  public private(set) var words: [String: [String]] = [:]

  public init() {}

  public var isEmpty: Bool { words.isEmpty }

  /// The value, or the default.
  public subscript<Value>(key: SettingKey<Value>) -> Value { key.value(words[key.name]) }

  /// Whether a value is given.
  public func has(_ row: some SettingRow) -> Bool { words[row.setting.name] != nil }

  /// The value of a choice whose type lives in a higher room.
  public func choice<Value: RawRepresentable>(
    _ key: SettingKey<String>, _ type: Value.Type = Value.self
  ) -> Value where Value.RawValue == String {
    guard let value = Value(rawValue: self[key]) else { preconditionFailure("\(key.name): \(self[key])") }
    return value
  }

  /// Gives a value in place of what was given.
  ///
  /// - Throws: `SettingFault`, to follow the setting's name.
  public mutating func set(_ setting: Setting, _ values: [String]) throws(SettingFault) {
    words[setting.name] = try setting.normalized(values)
  }

  public mutating func set<Value>(_ key: SettingKey<Value>, _ text: String) throws(SettingFault) {
    try set(key.setting, [text])
  }

  /// Gives a value, or takes it away, in place of what was given. Ranges are looked at when a recipe is checked.
  public mutating func set<Value>(_ key: SettingKey<Value>, to value: Value) {
    words[key.name] = key.words(value)
  }

  /// Values that are in their one form already.
  mutating func replace(_ name: String, _ values: [String]) { words[name] = values }

  public mutating func remove(_ name: String) { words[name] = nil }

  /// The given ones that a condition holds for.
  public func filter(_ condition: (String) -> Bool) -> SettingValues {
    var result = self
    result.words = words.filter { condition($0.key) }
    return result
  }

  /// Two that say the same thing in other words, and what that is; `nil` where there are none.
  public func conflict(
    _ row: (String) -> Setting?
  ) -> (earlier: String, name: String, label: String)? {
    var seen: [String: String] = [:]
    for name in words.keys.sorted() {
      guard let label = row(name)?.alternative else { continue }
      if let earlier = seen.updateValue(name, forKey: label) { return (earlier, name, label) }
    }
    return nil
  }

  /// These in the place of those of another level: settings that say the same thing replace each other.
  public func over(_ earlier: SettingValues, _ rows: [String: Setting]) -> SettingValues {
    var result = earlier
    for name in words.keys {
      guard let label = rows[name]?.alternative else { continue }
      for other in result.words.keys where rows[other]?.alternative == label { result.words[other] = nil }
    }
    result.words.merge(words) { $1 }
    return result
  }
}
