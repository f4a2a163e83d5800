import CodecService
import HDRRender

/// The files that earlier runs made of a batch's items, whatever their recipes were.
struct PastWork: Sendable {
  /// The reason why an item is made again.
  enum Change: String, Sendable, CaseIterable { case recipe, version }

  /// The last file that a run finished in an item's place, by the item's index.
  private var done: [Int: JournalIndex.Done] = [:]
  /// The last rejection in an item's place, unless a file was finished there later.
  private var rejected: [Int: JournalIndex.Rejection] = [:]

  /// Creates the past of a batch without earlier runs.
  init() {}

  init(_ index: JournalIndex, of items: [BatchItem]) {
    for item in items {
      let ids = index.recipes.map { item.id($0) }
      done[item.index] = ids.compactMap { index.done[$0] }.max { $0.order < $1.order }
      rejected[item.index] = ids.compactMap { index.rejected[$0] }.max { $0.made.order < $1.made.order }
    }
  }

  /// The last file that a run finished in the item's place.
  func last(of item: BatchItem) -> JournalIndex.Done? { done[item.index] }

  /// The last rejection in the item's place.
  func rejection(of item: BatchItem) -> JournalIndex.Rejection? { rejected[item.index] }

  /// Returns the difference since the file was made; `nil` for none. The files themselves are not looked at.
  ///
  /// - Parameter recipe: the digest of the whole recipe, the only digest in rows of older versions.
  static func change(since past: JournalIndex.Done, _ choice: ResolvedOutput, recipe: Digest) -> Change? {
    if past.version != hdrbatchVersion { return .version }
    guard let settings = past.settings, let own = choice.digest else { return past.recipe == recipe ? nil : .recipe }
    return settings == own ? nil : .recipe
  }
}
