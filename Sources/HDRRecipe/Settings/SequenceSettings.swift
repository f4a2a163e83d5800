/// Settings for numbered frames as inputs.
package struct SequenceSettings: SettingGroup {
  package var title: String { "Sequences" }
  package var scope: Setting.Scope { .recipe }

  package let missing = SettingKey(
    "missing", .choice(MissingFrames.self, "rule"), standard: .fail,
    "Frames that are not there: fail each of them, skip them, or hold the last one before.")
  package let fps = SettingKey(
    "fps", .frameRate, assumed: "what Y4M says; needed where an expression asks for time",
    "Frames a second, for time in expressions: a number, or two with a slash, as 24000/1001.")
}

/// The handling of a missing frame.
package enum MissingFrames: String, Sendable, Hashable, CaseIterable {
  case fail, skip, hold
}
