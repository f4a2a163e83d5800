import BatchEngine
import HDRRecipe
import PlainData
import Synchronization

/// Recipes of earlier requests, as long as they name no files: files may change.
final class PreparedOptions: Sendable {
  /// A recipe, and the size of what it made last: the next output of the same options is often as large.
  final class Known: Sendable {
    let recipe: PreparedRecipe
    private let bytes = Atomic<Int>(0)

    fileprivate init(_ recipe: PreparedRecipe) { self.recipe = recipe }

    var lastBytes: Int {
      get { bytes.load(ordering: .relaxed) }
      set { bytes.store(newValue, ordering: .relaxed) }
    }
  }

  private struct Key: Hashable {
    var options: [String]
    var recipe: JSON?
  }

  /// The options that are kept.
  private static let most = 64

  private let known = Mutex<[Key: Known]>([:])

  /// Returns what options mean, made by `prepare` if they are new.
  ///
  /// - Parameter prepare: returns also whether it is always the same.
  func get(
    _ options: [String], _ recipe: JSON?,
    _ prepare: () throws(RequestFault) -> (PreparedRecipe, isFixed: Bool)
  ) throws(RequestFault) -> Known {
    let key = Key(options: options, recipe: recipe)
    if let found = known.withLock({ $0[key] }) { return found }
    let (recipe, isFixed) = try prepare()
    let made = Known(recipe)
    if isFixed {
      known.withLock { known in
        if known.count >= Self.most { known = [:] }
        known[key] = made
      }
    }
    return made
  }
}
