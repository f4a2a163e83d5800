import CodecService
import HDRRender

/// The files that earlier runs made of a batch's items, whatever their recipes were.
struct PastWork: Sendable {
  /// The reason why an item is made again.
  enum Change: String, Sendable, CaseIterable { case recipe, version }

  private let done: [String: JournalIndex.Done]
  private let recipes: Set<Digest>

  /// Creates the past of a batch without earlier runs.
  init() { (done, recipes) = ([:], []) }

  init(_ index: JournalIndex) { (done, recipes) = (index.done, index.recipes) }

  /// The last file that a run finished in the item's place.
  func last(of item: BatchItem) -> JournalIndex.Done? {
    recipes.compactMap { done[item.id($0)] }.max { $0.order < $1.order }
  }

  /// Returns the difference since the file was made; `nil` for none. The files themselves are not looked at.
  ///
  /// - Parameter recipe: the digest of the whole recipe, the only digest in rows of older versions.
  static func change(since past: JournalIndex.Done, _ choice: OutputChoice, recipe: Digest) -> Change? {
    if past.version != hdrbatchVersion { return .version }
    guard let settings = past.settings, let own = choice.digest else { return past.recipe == recipe ? nil : .recipe }
    return settings == own ? nil : .recipe
  }
}
