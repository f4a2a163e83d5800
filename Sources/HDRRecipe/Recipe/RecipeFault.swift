/// A fault in a recipe, with its place. Names of settings have dashes if they came from options.
public struct RecipeFault: Error, Sendable, Hashable {
  public var spot: RecipeSpot
  public var message: RecipeMessage

  init(_ spot: RecipeSpot, _ message: RecipeMessage) {
    self.spot = spot
    self.message = message
  }
}
