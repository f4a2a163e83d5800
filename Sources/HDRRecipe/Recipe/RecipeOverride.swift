import Glibc
import HDRCore
import HDRPlan

extension Recipe {
  /// Other values for some inputs, chosen by their names.
  package struct Override: Sendable, Hashable {
    /// Glob patterns; one with a slash matches the path below the given folder, any other the file's name.
    package var match: [String]
    /// The changes, as after `--set`: `exposure.ev` to `0.5`, `quality` to `80`.
    package var changes: [String: String]

    package init(match: [String], _ changes: [String: String]) {
      self.match = match
      self.changes = changes
    }

    func matches(_ relative: String) -> Bool {
      let name = relative.split(separator: "/").last.map(String.init) ?? relative
      return match.contains { pattern in
        fnmatch(pattern, pattern.contains("/") ? relative : name, FNM_PATHNAME) == 0
      }
    }
  }

  /// Returns the numbers of the overrides that an input gets, in their order.
  ///
  /// - Parameter relative: its path below the given folder.
  package func overrides(of relative: String) -> [Int] { overrides.indices.filter { overrides[$0].matches(relative) } }
}

extension RecipeText {
  /// Returns the recipe with the changes of some overrides, later ones over earlier ones.
  ///
  /// - Throws: `UsageError` at an override with unknown names or invalid values.
  package func applying(_ numbers: [Int]) throws(UsageError) -> RecipeText {
    var result = self
    result.recipe.overrides = []
    for number in numbers {
      for (name, value) in recipe.overrides[number].changes.sorted(by: { $0.key < $1.key }) {
        if let row = Settings.recipe[name.split(separator: ".").last.map(String.init) ?? ""],
          row.isPath || Self.ofAllInputs.contains(row.name)
        {
          throw error(.override(number), "\(row.name) is of all inputs: give it to the recipe")
        }
        try result.set("\(name)=\(value)") { self.error(.override(number), $0) }
      }
    }
    return result
  }

  /// The settings that are fixed before an input is read.
  private static let ofAllInputs: Set<String> = {
    let reading = Settings.reading,
      rows: [any SettingRow] = [
        reading.from, reading.cicp, reading.chromaSiting, reading.image,
      ]
    return Set(rows.map(\.setting.name) + Settings.sequences.rows.map(\.name))
  }()

  /// Throws `UsageError` at an override that does not fit the recipe.
  func checkOverrides() throws(UsageError) {
    for number in recipe.overrides.indices {
      let changed = try applying([number])
      do throws(RecipeFault) {
        try changed.recipe.check()
      } catch {
        throw self.error(.override(number), error.message)
      }
    }
  }

  /// Adds an override of the form `{match: GLOB or list of them, NAME: VALUE...}`.
  mutating func addOverride(_ node: RecipeNode) throws(UsageError) {
    var match: [String] = [], changes: [String: String] = [:]
    for (key, value) in try node.entries("an override is a map: match: GLOB, then names as after \(setting: "set")") {
      let words: [String]
      if case .list(let list) = value.content {
        words = try list.map { item throws(UsageError) in try item.word("it is a list of words") }
      } else {
        words = [try value.word("it is a word or a number")]
      }
      if key.text == "match" { match = words } else { changes[key.text ?? ""] = words.joined(separator: ",") }
    }
    guard !match.isEmpty else { throw node.place.error("an override says of which inputs it is: match: \"*.heic\"") }
    guard !changes.isEmpty else { throw node.place.error("an override without a change has no effect") }
    places[.override(recipe.overrides.count)] = node.place
    recipe.overrides.append(Recipe.Override(match: match, changes))
  }
}
