/// Settings for outputs that already exist.
public struct OutputSettings: SettingGroup {
  public var title: String { "Outputs" }
  public var scope: Setting.Scope { .run }

  public let onExisting = SettingKey(
    "on-existing", .choice(OnExisting.self, "rule"), standard: .fail,
    "Outputs that are there already: fail stops before any work, skip keeps them, replace writes them again.")
}

/// The handling of an output that exists before the batch.
public enum OnExisting: String, Sendable, Hashable, CaseIterable {
  case skip, replace, fail
}
