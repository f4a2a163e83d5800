/// A row of the list of settings with the type of its values: `values[Settings.files.quality]` is an `Int?`.
package struct SettingKey<Value: Sendable>: SettingRow {
  package private(set) var setting: Setting
  let value: @Sendable ([String]?) -> Value
  /// Returns the words of a value; `nil` if none is given.
  let words: @Sendable (Value) -> [String]?

  package var name: String { setting.name }

  /// A copy of the row for a command whose plain help lists it.
  package var common: SettingKey {
    var copy = self
    copy.setting.isRare = false
    return copy
  }

  /// Makes a setting with a default.
  package init(
    _ name: String, short: Character? = nil, _ type: SettingType<Value>, standard: Value, assumed: String? = nil,
    bare: String? = nil, on outputs: KindPattern = .all, because reason: String? = nil,
    like alternative: String? = nil,
    rare: Bool = false, _ help: String
  ) {
    setting = Setting(
      name, short, .one, type, standard: type.text(standard), assumed, bare, outputs, reason, alternative, rare, help)
    value = { words in words?.first.flatMap { try? type.read($0) } ?? standard }
    words = { [type.text($0)] }
  }

  /// Makes a setting whose value is optional.
  ///
  /// - Parameter assumed: the behaviour without a value, in words.
  package init<V>(
    _ name: String, short: Character? = nil, _ type: SettingType<V>, assumed: String? = nil, bare: String? = nil,
    on outputs: KindPattern = .all, because reason: String? = nil, like alternative: String? = nil,
    rare: Bool = false, _ help: String
  ) where Value == V? {
    setting = Setting(
      name, short, .one, type, standard: nil, assumed, bare, outputs, reason, alternative, rare, help)
    value = { words in words?.first.flatMap { try? type.read($0) } }
    words = { $0.map { [type.text($0)] } }
  }

  /// Makes a setting with any number of values.
  package init<V>(
    _ name: String, short: Character? = nil, listOf type: SettingType<V>, assumed: String? = nil,
    on outputs: KindPattern = .all, because reason: String? = nil, like alternative: String? = nil,
    rare: Bool = false, _ help: String
  ) where Value == [V] {
    setting = Setting(
      name, short, .list, type, standard: nil, assumed, nil, outputs, reason, alternative, rare, help)
    value = { words in (words ?? []).compactMap { try? type.read($0) } }
    words = { $0.isEmpty ? nil : $0.map(type.text) }
  }

  /// Makes a setting that is present or absent.
  package init(
    flag name: String, short: Character? = nil, on outputs: KindPattern = .all, because reason: String? = nil,
    rare: Bool = false, _ help: String
  ) where Value == Bool {
    setting = Setting(name, short, .flag, .truth, standard: "false", nil, nil, outputs, reason, nil, rare, help)
    value = { $0 == ["true"] }
    words = { $0 ? ["true"] : nil }
  }
}

/// A row without the type of its values.
package protocol SettingRow: Sendable {
  var setting: Setting { get }
}

extension Setting {
  fileprivate init<V>(
    _ name: String, _ short: Character?, _ count: Count, _ type: SettingType<V>, standard: String?, _ assumed: String?,
    _ bare: String?, _ outputs: KindPattern, _ reason: String?, _ alternative: String?, _ isRare: Bool, _ help: String
  ) {
    self.init(
      name: name, short: short, count: count, placeholder: type.placeholder, words: type.words,
      isNumber: type.isNumber, isPath: type.isPath, standard: standard, assumed: assumed, bare: bare, outputs: outputs,
      reason: reason, alternative: alternative, help: help, isRare: isRare,
      canonical: { text throws(SettingFault) in type.text(try type.read(text)) })
  }
}

extension SettingType where Value == Bool {
  static var truth: SettingType {
    SettingType("true|false", words: ["true", "false"]) { text throws(SettingFault) in
      guard text == "true" || text == "false" else { throw SettingFault("is true or false, not \(text)") }
      return text == "true"
    } text: {
      "\($0)"
    }
  }
}
