import BatchEngine
import HDRCore
import HDRRecipe

/// A command with its settings and arguments.
struct Invocation: Sendable {
  var command: Command
  /// The words that name the command, as in `farm slurm`.
  var path: String
  var values = SettingValues()
  var arguments: [String] = []
  /// The options that `Defaults` added.
  var defaults: [String] = []
  /// The words after `--`, for commands that pass words on.
  var rest: [String] = []

  subscript<Value>(key: SettingKey<Value>) -> Value { values[key] }

  func has(_ key: some SettingRow) -> Bool { values.has(key) }

  /// Returns a setting that the command requires.
  ///
  /// - Throws: `UsageError`.
  func need<Value>(_ key: SettingKey<Value?>) throws(UsageError) -> Value {
    guard let value = values[key] else {
      throw UsageError("\(path) needs --\(key.name) \(key.setting.valueName)")
    }
    return value
  }

  /// Throws an error about the settings if a condition holds.
  func refuse(_ condition: Bool, _ message: Message) throws(UsageError) {
    if condition { throw UsageError(message) }
  }
}

/// An exit code that ends the program; all messages were already printed.
struct ExitCode: Error {
  var code: Int32
  init(_ code: Int32) { self.code = code }
}
