/// A row of the list of settings: all that help, completion, docs, recipes and parsers need of a setting.
public struct Setting: Sendable {
  public enum Scope: Sendable, Hashable {
    /// A setting that decides pixels or files: part of a recipe, of its digest and of a manifest.
    case recipe
    /// A setting of one run on one machine, which decides no byte of an output.
    case run
    /// A setting of a single command.
    case command
  }

  public enum Count: Sendable, Hashable {
    /// Present or absent; `true` or `false` in recipes.
    case flag
    case one
    /// Several values in their order.
    case list
  }

  /// The name on the command line without dashes.
  public var name: String
  public var short: Character?
  public var count: Count
  /// The placeholder of a value in help.
  public var placeholder: String
  /// The possible values, or beginnings of them.
  public var words: [String]
  public var isNumber: Bool
  public var isPath: Bool
  /// The default as text; `nil` if it depends on other things.
  public var standard: String?
  /// The behaviour without a value, for help, if `standard` cannot express it.
  public var assumed: String?
  /// The meaning of the option without a value, if the value after `=` is optional.
  public var bare: String?
  /// The kinds of outputs that it has an effect on.
  public var outputs: OutputPattern
  /// The reason why it has no effect on others.
  public var reason: String?
  /// The label of settings that exclude each other: the last level that gives one of them counts.
  public var alternative: String?
  public var help: String
  /// True if only `--help-all` lists it.
  public var isRare: Bool
  /// The heading of its group in help.
  public var group = ""
  public var scope = Scope.command

  let canonical: @Sendable (String) throws(SettingFault) -> String

  /// Returns the values in their canonical form, which is stored.
  ///
  /// - Throws: `SettingFault`, whose message follows the setting's name.
  public func normalized(_ values: [String]) throws(SettingFault) -> [String] {
    if count != .list && values.count != 1 { throw SettingFault("is one value") }
    var result: [String] = []
    for value in values { result.append(try canonical(value)) }
    return result
  }

  /// Returns true if the values equal the default.
  func isStandard(_ values: [String]) -> Bool { standard.map { values == [$0] } ?? values.isEmpty }
}

extension Setting {
  /// The default, for help and docs; empty if there is none.
  public var defaultText: String { count == .flag ? "" : assumed ?? standard ?? "" }
}
