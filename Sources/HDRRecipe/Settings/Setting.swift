/// A row of the list of settings: all that help, completion, docs, recipes and parsers need of a setting.
package struct Setting: Sendable {
  package enum Scope: Sendable, Hashable {
    /// A setting that decides pixels or files: part of a recipe, of its digest and of a manifest.
    case recipe
    /// A setting of one run on one machine, which decides no byte of an output.
    case run
    /// A setting of a single command.
    case command
  }

  package enum Count: Sendable, Hashable {
    /// Present or absent; `true` or `false` in recipes.
    case flag
    case one
    /// Several values in their order.
    case list
  }

  /// The name on the command line without dashes.
  package var name: String
  package var short: Character?
  package var count: Count
  /// The placeholder of a value in help.
  package var placeholder: String
  /// The possible values, or beginnings of them.
  package var words: [String]
  package var isNumber: Bool
  package var isPath: Bool
  /// The default as text; `nil` if it depends on other things.
  package var standard: String?
  /// The behaviour without a value, for help, if `standard` cannot express it.
  package var assumed: String?
  /// The meaning of the option without a value, if the value after `=` is optional.
  package var bare: String?
  /// The kinds of outputs that it has an effect on.
  package var outputs: KindPattern
  /// The reason why it has no effect on others.
  package var reason: String?
  /// The label of settings that exclude each other: the last level that gives one of them counts.
  package var alternative: String?
  package var help: String
  /// True if only `--help-all` lists it.
  package var isRare: Bool
  /// The heading of its group in help.
  package var group = ""
  package var scope = Scope.command

  let canonical: @Sendable (String) throws(SettingFault) -> String

  /// Returns the values in their canonical form, which is stored.
  ///
  /// - Throws: `SettingFault`, whose message follows the setting's name.
  package func normalized(_ values: [String]) throws(SettingFault) -> [String] {
    if count != .list && values.count != 1 { throw SettingFault("is one value") }
    var result: [String] = []
    for value in values { result.append(try canonical(value)) }
    return result
  }

  /// Returns true for a value that is a path: the names of built-in configs and of rules are none.
  func isPath(_ value: String) -> Bool {
    switch name {
    case Settings.config.ocio.name: isPath && !ConfigName.isBuiltIn(value)
    case Settings.light.iccHAGC.name: isPath && !ProfileToneChoice.names.contains(value)
    default: isPath
    }
  }

  /// Returns true if the values equal the default.
  func isStandard(_ values: [String]) -> Bool { standard.map { values == [$0] } ?? values.isEmpty }
}

extension Setting {
  /// The default, for help and docs; empty if there is none.
  package var defaultText: String { count == .flag ? "" : assumed ?? standard ?? "" }
}
