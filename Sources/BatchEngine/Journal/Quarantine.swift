import CodecService

/// Inputs that crashed or hung a codec process, from the journals (docs/reliability.md#quarantine). A list of its own
/// would be a file that runs share; so each run reads it off the rows.
package struct Quarantine: Sendable {
  /// A quarantined input and its failure.
  package struct Entry: Sendable, Hashable {
    package var digest: Digest
    /// The path of the input in the row.
    package var input: String
    /// Number of the picture, where it was one of a file's several.
    package var image: Int?
    package var code: String
    package var message: String
    /// The version of the program.
    package var version: String
    /// The recipe of the run; `nil` if nothing of the input was decoded, so that the entry holds for any recipe.
    package var recipe: Digest?

    /// Returns true if the entry is of that picture of its file, or if either number is not known.
    func isOf(_ other: Int?) -> Bool { image == nil || other == nil || image == other }
  }

  /// Outcomes that quarantine an input: a process that crashed, hung, or sent an invalid reply.
  package static let codes: Set<String> = ["codec.crashed", "codec.timeout", "codec.protocol"]
  /// The code of an item that was left out because its input is quarantined.
  package static let code = "codec.quarantined"

  package private(set) var entries: [Entry] = []
  /// The sizes of quarantined inputs in bytes: an input of another size needs no digest.
  private var sizes: Set<Int> = []

  package init() {}

  /// Takes in a row of a run: later rows of the same input win.
  mutating func note(_ item: JournalRow.Item, recipe: Digest?, version: String?) {
    guard let recipe, let version, let status = item.status, let digest = item.inputDigest else { return }
    let code = item.code ?? ""
    let isLost = status == .failed && Self.codes.contains(code)
    // A file that is not accepted was made all the same.
    guard isLost || [.ok, .warn, .rejected].contains(status) else { return }
    entries.removeAll {
      $0.digest == digest && $0.isOf(item.image) && $0.version == version && ($0.recipe == nil || $0.recipe == recipe)
    }
    guard isLost else { return }
    entries.append(
      Entry(
        digest: digest, input: item.input ?? "", image: item.image, code: code, message: item.message ?? "",
        version: version,
        recipe: item.format == nil ? nil : recipe))
    // Only the first of several outputs counts the input's bytes.
    if let byteCount = item.bytesIn { sizes.insert(byteCount) }
  }

  /// The entry that keeps this program from trying an input again.
  ///
  /// - Parameters:
  ///   - image: number of a picture of a file with several.
  ///   - digest: asked for only where an input of that size is listed.
  func entry(byteCount: Int, image: Int? = nil, recipe: Digest, digest: () -> Digest?) -> Entry? {
    guard sizes.contains(byteCount), let digest = digest() else { return nil }
    return entries.last {
      $0.digest == digest && $0.isOf(image) && $0.version == hdrbatchVersion
        && ($0.recipe == nil || $0.recipe == recipe)
    }
  }
}
