import BatchEngine
import HDRRecipe

/// A command with what it was told.
struct Invocation: Sendable {
  var command: Command
  /// The words that name it, as in `farm slurm`.
  var path: String
  var values = SettingValues()
  var arguments: [String] = []
  /// What `Defaults` added, as options.
  var defaults: [String] = []
  /// After `--`, of commands that hand words on.
  var rest: [String] = []

  subscript<Value>(key: SettingKey<Value>) -> Value { values[key] }

  func has(_ key: some SettingRow) -> Bool { values.has(key) }

  /// A setting that the command cannot do without.
  ///
  /// - Throws: `UsageError`.
  func need<Value>(_ key: SettingKey<Value?>) throws(UsageError) -> Value {
    guard let value = values[key] else {
      throw UsageError("\(path) needs --\(key.name) \(key.setting.valueName)")
    }
    return value
  }

  /// An error about what was told.
  func refuse(_ condition: Bool, _ message: String) throws(UsageError) {
    if condition { throw UsageError(message) }
  }
}

/// Ends the program with an exit code; what there is to say was said.
struct ExitCode: Error {
  var code: Int32
  init(_ code: Int32) { self.code = code }
}
