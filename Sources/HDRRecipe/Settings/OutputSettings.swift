/// Settings for outputs that already exist.
public struct OutputSettings: SettingGroup {
  public var title: String { "Outputs" }
  public var scope: Setting.Scope { .run }

  public let onExisting = SettingKey(
    "on-existing", .one(of: ["skip", "replace", "fail"], "rule"), standard: "fail",
    "Outputs that are there already: fail stops before any work, skip keeps them, replace writes them again.")
}
