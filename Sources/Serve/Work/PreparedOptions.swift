import BatchEngine
import HDRRecipe
import PlainData
import Synchronization

/// Recipes of earlier requests, as long as they name no files: files may change.
final class PreparedOptions: Sendable {
  private struct Key: Hashable {
    var options: [String]
    var recipe: JSON?
  }

  /// The options that are kept.
  private static let most = 64

  private let known = Mutex<[Key: PreparedRecipe]>([:])

  /// Returns what options mean, made by `prepare` if they are new.
  ///
  /// - Parameter prepare: returns also whether it is always the same.
  func get(
    _ options: [String], _ recipe: JSON?,
    _ prepare: () throws(RequestFault) -> (PreparedRecipe, isFixed: Bool)
  ) throws(RequestFault) -> PreparedRecipe {
    let key = Key(options: options, recipe: recipe)
    if let found = known.withLock({ $0[key] }) { return found }
    let (made, isFixed) = try prepare()
    if isFixed {
      known.withLock { known in
        if known.count >= Self.most { known = [:] }
        known[key] = made
      }
    }
    return made
  }
}
