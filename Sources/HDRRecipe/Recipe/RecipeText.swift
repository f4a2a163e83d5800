import HDRCore
import PlainData

/// A recipe with the places of its parts in a file, for messages. Parts from options have no place.
package struct RecipeText: Sendable {
  package var recipe = Recipe()
  var places: [RecipeSpot: RecipePlace] = [:]

  /// Makes a recipe from options alone.
  package init(_ recipe: Recipe = Recipe()) { self.recipe = recipe }

  /// Reads a recipe file.
  ///
  /// - Parameters:
  ///   - file: its name, for messages.
  ///   - folder: the base of relative paths in it; empty for the working folder.
  /// - Throws: `UsageError` with file, line and column.
  package init(parsing bytes: [UInt8], file: String, folder: String) throws(UsageError) {
    try self.init(RecipeNode(parsing: bytes, file: file), folder: folder)
  }

  /// Returns the error of a fault, with its place if it has one in a file, where only settings of runs are options.
  package func error(_ fault: RecipeFault) -> UsageError {
    if let place = places[fault.spot] { return place.error(fault.message.map(Self.inFile)) }
    // A setting of a file may be wrong because of other settings of the file.
    if case .setting(_, let output?) = fault.spot, let place = places[.output(output)] {
      return place.error(fault.message)
    }
    return UsageError(printable(fault.message))
  }

  private static let ofRuns = Set(Settings.all.map(\.name)).subtracting(Settings.recipe.keys)

  private static func inFile(_ part: Message.Part) -> Message.Part {
    if case .setting(let name) = part, !ofRuns.contains(name) { .text(name) } else { part }
  }

  /// Returns an error about a part of the recipe, with its place if it has one in a file.
  package func error(_ spot: RecipeSpot, _ message: Message) -> UsageError { error(RecipeFault(spot, message)) }

  /// Returns the spot where an output's setting was given: with the output or for all.
  package func spot(_ name: String, output: Int) -> RecipeSpot {
    .setting(name, output: recipe.outputs[output].settings.words[name] == nil ? nil : output)
  }

  /// Gives a setting to all outputs, and removes settings that it replaces.
  ///
  /// - Throws: `UsageError` for a value that the setting does not accept.
  package mutating func set(_ setting: Setting, _ values: [String]) throws(UsageError) {
    do throws(SettingFault) {
      try recipe.set(setting, values)
    } catch {
      throw UsageError("\(setting: setting.name) \(printable(error.message))")
    }
    for spot in places.keys {
      if case .setting(setting.name, _) = spot { places[spot] = nil }
    }
  }

  /// Gives settings to all outputs.
  package mutating func set(_ values: SettingValues) throws(UsageError) {
    for (name, words) in values.words.sorted(by: { $0.key < $1.key }) {
      if let setting = Settings.recipe[name] { try set(setting, words) }
    }
  }
}

extension RecipeText {
  /// Gives a second picture, and replaces one of the same name.
  package mutating func setInput(_ name: String, _ input: Recipe.FilterInput) {
    recipe.inputs[name] = input
    places[.input(name)] = nil
  }
}
