import CodecService
import HDRRecipe
import HDRRender

/// The items that are done according to journals alone, whatever is on the disk.
package struct JournalIndex: Sendable {
  /// The input, output, recipe and version of a finished item.
  package struct Done: Sendable, Hashable {
    package var input: Digest
    package var output: Digest
    package var bytesOut: Int
    package var recipe: Digest
    /// The digest of the output's own settings, steps and files; `nil` in journals of older versions.
    package var settings: Digest?
    package var version: String
    /// The run synced what it wrote; else the bytes may not be what the row says.
    package var isDurable: Bool
    /// Rises from row to row.
    package var order: Int
  }

  /// An item that was made and not accepted.
  package struct Rejection: Sendable, Hashable {
    /// The output that was made, and its recipe; it may have no file.
    package var made: Done
    package var code: String
    package var message: String

    /// The code of an item that is not made again because of such a row.
    package static let earlierCode = "accept.earlier"
  }

  /// Items that were not accepted, by their ids: each item's last row says so.
  package private(set) var rejected: [String: Rejection] = [:]
  /// Finished items by their ids; of several attempts the one that began last.
  package private(set) var done: [String: Done] = [:]
  /// The recipes of the runs, each once: items' ids depend on them.
  private(set) var recipes: Set<Digest> = []
  /// Inputs that are not to be tried again.
  package private(set) var quarantine = Quarantine()
  /// The rows and bytes of all journals that could not be read.
  package private(set) var unread = Journal.UnreadRows()
  /// Journals that end in a torn line.
  package private(set) var torn = 0
  /// Rows that call an item done or rejected.
  private var rows = 0
  /// Items whose last row is a failure.
  private var failed: Set<String> = []

  /// - Parameters:
  ///   - journals: of one manifest.
  ///   - keys: what is read of a row.
  ///   - each: called with each row of an item and its run, and whether it says how the item ended; a later one counts.
  /// - Throws: `UsageError` for journals that cannot be read.
  package init(
    _ journals: [Journal], _ keys: Set<String> = JournalRow.outcomeKeys,
    each: (JournalRow.Item, JournalRow.Header?, Bool) -> Void = { _, _, _ in }
  ) throws(UsageError) {
    for journal in journals.sorted(by: { ($0.unixTime, $0.name) < ($1.unixTime, $1.name) }) {
      let lost = try journal.eachRow(keys) { row in
        guard case .item(let item) = row, let id = item.id else { return }
        each(item, journal.header, item.isOutcome && note(item, id, journal.header))
      }
      unread.rows += lost.rows
      unread.tornBytes += lost.tornBytes
      if lost.tornBytes > 0 { torn += 1 }
    }
  }

  /// - Returns: whether the row says something new.
  private mutating func note(_ item: JournalRow.Item, _ id: String, _ run: JournalRow.Header?) -> Bool {
    // Skipped because of an earlier row.
    if item.code == Quarantine.code, failed.contains(id) { return false }
    if item.code == Rejection.earlierCode, rejected[id] != nil { return false }
    quarantine.note(item, recipe: run?.recipeDigest, version: run?.version)
    if item.status == .failed { failed.insert(id) } else { failed.remove(id) }
    (done[id], rejected[id]) = (nil, nil)
    guard let recipe = run?.recipeDigest, let version = run?.version, let input = item.inputDigest else { return true }
    var made = Done(
      input: input, output: item.outputDigest ?? input, bytesOut: item.bytesOut ?? 0, recipe: recipe,
      settings: item.settingsDigest, version: version, isDurable: run?.isDurable == true, order: rows + 1)
    switch item.status {
    case .ok, .warn:
      guard let output = item.outputDigest, item.bytesOut != nil else { return true }
      made.output = output
      done[id] = made
    case .rejected:
      rejected[id] = Rejection(made: made, code: item.code ?? "", message: item.message ?? "")
    case .failed, .skipped, nil: return true
    }
    recipes.insert(recipe)
    rows += 1
    return true
  }
}
