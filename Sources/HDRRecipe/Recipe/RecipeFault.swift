/// What is wrong with a recipe, and with what of it. Names of settings have dashes where they came from options.
public struct RecipeFault: Error, Sendable, Hashable {
  public var spot: RecipeSpot
  public var message: RecipeMessage

  init(_ spot: RecipeSpot, _ message: RecipeMessage) {
    self.spot = spot
    self.message = message
  }
}
