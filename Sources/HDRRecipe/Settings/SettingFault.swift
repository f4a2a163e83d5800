/// The reason why a setting rejects a value: words that follow the setting's name.
public struct SettingFault: Error, Sendable, Hashable {
  public var message: String
  public init(_ message: String) { self.message = message }
}
