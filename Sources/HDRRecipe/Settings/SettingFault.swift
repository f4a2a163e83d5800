/// The reason why a setting rejects a value: words that follow the setting's name.
package struct SettingFault: Error, Sendable, Hashable {
  package var message: String
  package init(_ message: String) { self.message = message }
}
