/// One row of the list of settings: all that help, completion, docs, recipes and parsers know of a setting.
public struct Setting: Sendable {
  public enum Scope: Sendable, Hashable {
    /// Decides pixels or files: part of a recipe, of its digest and of a manifest.
    case recipe
    /// Of one run on one machine: decides no byte of an output.
    case run
    /// Of one command only.
    case command
  }

  public enum Count: Sendable, Hashable {
    /// There or not; `true` or `false` in recipes.
    case flag
    case one
    /// Several, in their order.
    case list
  }

  /// As on the command line without dashes.
  public var name: String
  public var short: Character?
  public var count: Count
  /// Stands for a value in help.
  public var placeholder: String
  /// Values, or beginnings of them.
  public var words: [String]
  public var isNumber: Bool
  public var isPath: Bool
  /// The value where none is given, as text; `nil` where that depends on other things.
  public var standard: String?
  /// What happens without a value, for help, where `standard` cannot say it.
  public var assumed: String?
  /// What a bare option means, of one that can have a value after `=`.
  public var bare: String?
  /// Kinds of outputs that it has an effect on.
  public var outputs: OutputPattern
  /// Why it has none on others.
  public var reason: String?
  /// Settings with one such label say the same thing in other words: the last level that gives one of them counts.
  public var alternative: String?
  public var help: String
  /// Listed by `--help-all` only.
  public var isRare: Bool
  /// Heading in help, of the group that it stands in.
  public var group = ""
  public var scope = Scope.command

  let canonical: @Sendable (String) throws(SettingFault) -> String

  /// Values as they are stored: each in its one form.
  ///
  /// - Throws: `SettingFault`, to follow the setting's name.
  public func normalized(_ values: [String]) throws(SettingFault) -> [String] {
    if count != .list && values.count != 1 { throw SettingFault("is one value") }
    var result: [String] = []
    for value in values { result.append(try canonical(value)) }
    return result
  }

  /// Whether a value is what holds without it.
  func isStandard(_ values: [String]) -> Bool { standard.map { values == [$0] } ?? values.isEmpty }
}

extension Setting {
  /// What holds where nothing is given, for help and docs; empty where nothing does.
  public var defaultText: String { count == .flag ? "" : assumed ?? standard ?? "" }
}
