import HDRCore

/// A fault in a recipe, with its place.
package struct RecipeFault: Error, Sendable, Hashable {
  package var spot: RecipeSpot
  package var message: Message

  init(_ spot: RecipeSpot, _ message: Message) {
    self.spot = spot
    self.message = message
  }
}
