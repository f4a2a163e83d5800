/// Settings for the reports of a run, and for stopping it.
package struct ReportSettings: SettingGroup {
  package var title: String { "Progress and records" }
  package var scope: Setting.Scope { .run }

  package let progress = SettingKey(
    "progress", .choice(ProgressMode.self, "mode"),
    assumed: "human; openjd in a session of Open Job Description",
    """
    Progress on stderr for people, on stdout as JSON Lines or in the words of Open Job Description, or none.
    """)
  package let record = SettingKey(
    "record", .text("file.jsonl"), "Writes one JSON line an item; - is standard output.")
  package let gallery = SettingKey(
    flag: "gallery", "Makes a page to look at the batch afterwards, in gallery of --out, as hdrbatch gallery does.")
  package let explain = SettingKey(
    "explain", .choice(ExplanationForm.self, "text|dot"), bare: "text",
    """
    Before a picture is rendered, print what was decided and why, its edits, passes and the memory they move; \
    --explain=dot prints the passes as a graph for GraphViz to stdout.
    """)
  package let maxFailures = SettingKey(
    "max-failures", .integer(1...4096, "k"), assumed: "never", "Stop after so many failed inputs.")
  package let failFast = SettingKey(flag: "fail-fast", "Stop at the first failed input.")
  package let journal = SettingKey(
    "journal", .text("folder"), assumed: ".hdrbatch/journal in --out", rare: true,
    "Folder of the journals that --resume and status read, or none.")
  package let durability = SettingKey(
    "durability", .choice(Durability.self, "rule"), standard: .file, rare: true,
    """
    file: an output counts as done when it and its folder are on the disk; batch: after a sync for several; none: \
    without, which a power cut can undo.
    """)
}

/// The audience of progress messages.
package enum ProgressMode: String, Sendable, Hashable, CaseIterable {
  case none, human, jsonl, openjd
}

/// The form of explanations of plans.
package enum ExplanationForm: String, Sendable, Hashable, CaseIterable {
  case text
  /// A graph for GraphViz.
  case dot
}

/// The condition under which a file counts as done (docs/reliability.md#durability).
package enum Durability: String, Sendable, Hashable, CaseIterable {
  /// File and folder are synced before the journal row is written.
  case file
  /// Groups of files are acknowledged after one sync of the file system: faster with many small files.
  case batch
  /// Nothing is synced: outputs survive a killed process, not a power cut.
  case none
}
