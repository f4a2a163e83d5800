/// Settings for outputs that already exist.
package struct ExistingFileSettings: SettingGroup {
  package var title: String { "Outputs" }
  package var scope: Setting.Scope { .run }

  package let onExisting = SettingKey(
    "on-existing", .choice(OnExisting.self, "rule"), standard: .fail,
    "Outputs that are there already: fail stops before any work, skip keeps them, replace writes them again.")
}

/// The handling of an output that exists before the batch.
package enum OnExisting: String, Sendable, Hashable, CaseIterable {
  case skip, replace, fail
}
