import BatchEngine
import CodecService
import HDRComparison
import HDRRecipe
import HDRRender
import PlainData

/// The journal of `--journal`. A pair that it has is not compared again, while both files have their sizes and times of
/// change, and version and options are the same.
struct PairJournal {
  private let journal: WorkJournal
  /// The pairs that were not compared again.
  private var taken = 0
  /// All but the files that decides a row.
  private let context: Digest

  /// Options that decide which pairs there are and where reports go, not what a row says.
  private static let others: Set = ["journal", "json", "csv", "list", "pair-by", "shard"]

  /// Returns `nil` without `--journal`.
  init?(_ invocation: Invocation, _ wanted: ComparisonOptions) throws {
    guard let folder = invocation[CompareCommand.options.journal] else { return nil }
    let groups: [any SettingGroup] = [CompareCommand.options, SideOptions.a, SideOptions.b] + SideOptions.shared
    var hasher = Digest.Hasher()
    hasher.add("\(hdrbatchVersion) \(wanted.accept?.text ?? "")\n")
    for name in groups.flatMap(\.rows).map(\.name).filter({ !Self.others.contains($0) && $0 != "accept" }) {
      for word in invocation.values.words[name] ?? [] { hasher.add("\(name)=\(word)\n") }
    }
    context = hasher.finish()
    journal = try WorkJournal(in: FilePath(folder), kind: "compare", version: hdrbatchVersion)
  }

  /// Returns the key of a pair as its files are now; `nil` if one is not there.
  func place(of pair: FilePair) -> String? {
    var hasher = Digest.Hasher()
    hasher.add(context.hex)
    for file in [pair.a, pair.b] {
      guard let file, let stamp = file.path.stamp else { return nil }
      hasher.add("\n\(stamp) ")
      hasher.add(file.path.bytes)
    }
    return hasher.finish().hex
  }

  /// Returns the row of a pair that was compared earlier.
  ///
  /// - Parameter restore: takes what was drawn of the pair, and returns `false` if that is not there.
  mutating func row(_ place: String?, restore: (JSON, PairRow) -> Bool) -> PairRow? {
    guard let found = place.flatMap({ journal[$0] }), let row = found["row"].flatMap(PairRow.init),
      let drawings = found["drawings"], restore(drawings, row)
    else { return nil }
    taken += 1
    return row
  }

  /// Adds a pair that was compared. Others are tried again.
  func add(_ place: String?, _ report: PairReport, _ drawings: JSON) {
    guard let place, report.comparison != nil else { return }
    journal.add(place, ["row": PairRow(report).json, "drawings": drawings])
  }

  /// Ends the journal, and says how many pairs were not compared again.
  func close() throws(ResultFileError) {
    if taken > 0 { Terminal.note("\(taken) pair\(taken == 1 ? "" : "s") of the journal, not compared again") }
    try journal.close()
  }
}
