import HDRCore

/// A fault in a recipe, with its place.
public struct RecipeFault: Error, Sendable, Hashable {
  public var spot: RecipeSpot
  public var message: Message

  init(_ spot: RecipeSpot, _ message: Message) {
    self.spot = spot
    self.message = message
  }
}
