/// The condition under which a file counts as done (docs/reliability.md#durability): `--durability`.
package enum Durability: String, Sendable, Hashable, CaseIterable {
  /// File and folder are synced before the journal row is written.
  case file
  /// Groups of files are acknowledged after one sync of the file system: faster with many small files.
  case batch
  /// Nothing is synced: outputs survive a killed process, not a power cut.
  case none
}
