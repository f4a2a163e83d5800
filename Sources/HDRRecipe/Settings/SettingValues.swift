/// The given values of settings by name; each is in its canonical form, so that equal settings are equal values.
package struct SettingValues: Sendable, Hashable {
  /// The given words by the settings' names; one word for each value.
  package private(set) var words: [String: [String]] = [:]

  package init() {}

  package var isEmpty: Bool { words.isEmpty }

  /// Returns the value, or the default.
  package subscript<Value>(key: SettingKey<Value>) -> Value { key.value(words[key.name]) }

  /// Returns true if a value is given.
  package func has(_ row: some SettingRow) -> Bool { words[row.setting.name] != nil }

  /// Sets a value, and replaces a given one.
  ///
  /// - Throws: `SettingFault`, whose message follows the setting's name.
  package mutating func set(_ setting: Setting, _ values: [String]) throws(SettingFault) {
    words[setting.name] = try setting.normalized(values)
  }

  package mutating func set<Value>(_ key: SettingKey<Value>, _ text: String) throws(SettingFault) {
    try set(key.setting, [text])
  }

  /// Sets or removes a value, and replaces a given one. Ranges are checked when a recipe is checked.
  package mutating func set<Value>(_ key: SettingKey<Value>, to value: Value) {
    words[key.name] = key.words(value)
  }

  /// Sets values that are already in their canonical form.
  mutating func replace(_ name: String, _ values: [String]) { words[name] = values }

  package mutating func remove(_ name: String) { words[name] = nil }

  /// Returns the given values whose names satisfy a condition.
  package func filter(_ condition: (String) -> Bool) -> SettingValues {
    var result = self
    result.words = words.filter { condition($0.key) }
    return result
  }

  /// Finds two given settings that exclude each other, with their label; `nil` if there are none.
  package func conflict(
    _ row: (String) -> Setting?
  ) -> (earlier: String, name: String, label: String)? {
    var seen: [String: String] = [:]
    for name in words.keys.sorted() {
      guard let label = row(name)?.alternative else { continue }
      if let earlier = seen.updateValue(name, forKey: label) { return (earlier, name, label) }
    }
    return nil
  }

  /// Returns these values over those of another level: settings of one label replace each other.
  package func over(_ earlier: SettingValues, _ rows: [String: Setting]) -> SettingValues {
    var result = earlier
    for name in words.keys {
      guard let label = rows[name]?.alternative else { continue }
      for other in result.words.keys where rows[other]?.alternative == label { result.words[other] = nil }
    }
    result.words.merge(words) { $1 }
    return result
  }
}
