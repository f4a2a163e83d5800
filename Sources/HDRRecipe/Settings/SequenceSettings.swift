/// Settings for numbered frames as inputs.
public struct SequenceSettings: SettingGroup {
  public var title: String { "Sequences" }
  public var scope: Setting.Scope { .recipe }

  public let missing = SettingKey(
    "missing", .choice(MissingFrames.self, "rule"), standard: .fail,
    "Frames that are not there: fail each of them, skip them, or hold the last one before.")
  public let fps = SettingKey(
    "fps", .frameRate, assumed: "what Y4M says; needed where an expression asks for time",
    "Frames a second, for time in expressions: a number, or two with a slash, as 24000/1001.")
}

/// The handling of a missing frame.
public enum MissingFrames: String, Sendable, Hashable, CaseIterable {
  case fail, skip, hold
}
