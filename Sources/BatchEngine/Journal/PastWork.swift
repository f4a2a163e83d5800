import CodecService
import HDRRender

/// The files that earlier runs made of a batch's items, whatever their recipes were.
struct PastWork: Sendable {
  /// The reason why an item is made again.
  enum Change: String, Sendable, CaseIterable { case recipe, version }

  /// The last file that a run finished in an item's place, by the item's index.
  private var done: [Int: JournalIndex.Done] = [:]

  /// Creates the past of a batch without earlier runs.
  init() {}

  init(_ index: JournalIndex, of items: [BatchItem]) {
    for item in items {
      done[item.index] = index.recipes.compactMap { index.done[item.id($0)] }.max { $0.order < $1.order }
    }
  }

  /// The last file that a run finished in the item's place.
  func last(of item: BatchItem) -> JournalIndex.Done? { done[item.index] }

  /// Returns the difference since the file was made; `nil` for none. The files themselves are not looked at.
  ///
  /// - Parameter recipe: the digest of the whole recipe, the only digest in rows of older versions.
  static func change(since past: JournalIndex.Done, _ choice: ResolvedOutput, recipe: Digest) -> Change? {
    if past.version != hdrbatchVersion { return .version }
    guard let settings = past.settings, let own = choice.digest else { return past.recipe == recipe ? nil : .recipe }
    return settings == own ? nil : .recipe
  }
}
