import CodecService
import HDRRender

/// What earlier runs made of a batch's items, whatever their recipes were.
struct PastWork: Sendable {
  /// Why something is made again.
  enum Change: String, Sendable, CaseIterable { case recipe, version }

  private let done: [String: JournalIndex.Done]
  private let recipes: Set<Digest>

  /// Nothing.
  init() { (done, recipes) = ([:], []) }

  init(_ index: JournalIndex) { (done, recipes) = (index.done, index.recipes) }

  /// The last file that a run finished in the item's place.
  func last(of item: BatchItem) -> JournalIndex.Done? {
    recipes.compactMap { done[item.id($0)] }.max { $0.order < $1.order }
  }

  /// What is different from when that was made; `nil`: nothing but, perhaps, files.
  ///
  /// - Parameter recipe: the whole one, which rows of older versions know alone.
  static func change(since past: JournalIndex.Done, _ choice: OutputChoice, recipe: Digest) -> Change? {
    if past.version != hdrbatchVersion { return .version }
    guard let settings = past.settings, let own = choice.digest else { return past.recipe == recipe ? nil : .recipe }
    return settings == own ? nil : .recipe
  }
}
