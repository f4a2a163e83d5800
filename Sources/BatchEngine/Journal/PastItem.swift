import CodecService
import HDRRecipe
import HDRRender
import PlainData

/// A journal's record of an input and its run.
package struct PastItem: Sendable {
  package var digest: Digest
  /// The path as given to the run, relative to its folder; odd bytes are written as `\xHH`.
  package var input: String
  /// Number of the picture that was read of a file with several.
  package var image: Int?
  package var id: String
  package var status: ItemStatus
  package var code: String?
  package var message: String?
  /// The version of the program.
  package var version: String
  package var unixTime: Int
  /// The folder where the run's relative paths begin; `nil` in journals of older versions.
  package var folder: FilePath?
  package var command: [String]
  /// The recipe for every input; `nil` in journals of older versions.
  package var recipe: JSON?
  /// The digest of the recipe and of the files that it names.
  package var recipeDigest: Digest?
  /// The digest of the manifest; `nil` for `render`.
  package var manifest: Digest?

  /// Finds the last row of an input; of several rows the last that failed or was rejected.
  ///
  /// - Parameter digest: the first digits of its SHA-256.
  /// - Throws: `UsageError` where there is none, or two inputs begin with these digits.
  package static func find(_ digest: String, in journals: [Journal]) throws(UsageError) -> PastItem {
    let wanted = digest.lowercased()
    var found: [Digest: PastItem] = [:]
    for journal in journals.sorted(by: { ($0.unixTime, $0.name) < ($1.unixTime, $1.name) }) {
      guard let head = journal.header else { continue }
      try journal.eachRow(JournalRow.outcomeKeys) { row in
        guard case .item(let item) = row, let digest = item.inputDigest, digest.hex.hasPrefix(wanted),
          let status = item.status
        else { return }
        // A skipped item has no outcome.
        let isRepeated = item.code == Quarantine.code || item.code == JournalIndex.Rejection.earlierCode
        let isFailure = (status == .failed || status == .rejected) && !isRepeated
        if found[digest] != nil && !isFailure { return }
        found[digest] = PastItem(
          digest: digest, input: item.input ?? "", image: item.image, id: item.id ?? "", status: status,
          code: item.code,
          message: item.message, version: head.version ?? "", unixTime: journal.unixTime, folder: head.folder,
          command: head.command, recipe: head.recipe, recipeDigest: head.recipeDigest,
          manifest: head.manifest)
      }
    }
    guard let only = found.values.first else {
      throw UsageError("no journal knows an input whose digest begins with \(wanted)")
    }
    guard found.count == 1 else {
      throw UsageError("\(found.count) inputs have digests that begin with \(wanted): give more digits")
    }
    return only
  }
}
