/// Settings for continuing an earlier run.
package struct ResumeSettings: SettingGroup {
  package var title: String { "Outputs" }
  package var scope: Setting.Scope { .run }

  package let resume = SettingKey(
    "resume", .choice(OutputCheck.self, "size|verify"), bare: "size",
    """
    Goes on where an earlier run ended: what journals call done and is as it was is not done again; of a changed \
    recipe the outputs that it changes are. --resume=verify \
    reads outputs again and compares their digests; else their size will do, but for runs with --durability none.
    """)
  package let retryQuarantined = SettingKey(
    flag: "retry-quarantined", rare: true, "With --resume: tries inputs again that crashed or hung a codec process.")
  package let retryRejected = SettingKey(
    flag: "retry-rejected", rare: true, "With --resume: makes outputs again that --accept has rejected.")
}

/// The check of outputs of an earlier run.
package enum OutputCheck: String, Sendable, Hashable, CaseIterable {
  case size
  /// Outputs are read again and their digests compared.
  case verify
}
