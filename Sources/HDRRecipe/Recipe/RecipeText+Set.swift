import HDRCore
import HDRPlan
import PlainData

extension RecipeText {
  /// Applies `--set`: `STEP.PARAMETER=VALUE`, `SETTING=VALUE` for all outputs, or `KIND.SETTING=VALUE` for one.
  ///
  /// - Throws: `UsageError` for an unknown step, parameter or setting, with the nearest one, and for invalid values.
  package mutating func set(_ text: String) throws(UsageError) {
    try set(text) { UsageError(printable("\(setting: "set") \($0)")) }
  }

  /// Applies the text of a `--set`; `error` makes the error from a message.
  mutating func set(_ text: String, _ error: (Message) -> UsageError) throws(UsageError) {
    func fail(_ what: Message) -> UsageError { error("\(text): \(what)") }
    let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let names = sides[0].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard sides.count == 2, names.count == 1 || names.count == 2 else {
      throw fail("it is STEP.PARAMETER=VALUE or SETTING=VALUE")
    }
    if let setting = Nearest.match(names.last ?? "", among: Settings.recipe.keys).flatMap({ Settings.recipe[$0] }) {
      if names.count == 1 {
        do throws(UsageError) {
          return try set(setting, Self.values(sides[1], of: setting))
        } catch {
          throw fail(error.message)
        }
      }
      if let output = recipe.outputs.firstIndex(where: { $0.kind == names[0] }) {
        do throws(SettingFault) {
          var own = SettingValues()
          try own.set(setting, Self.values(sides[1], of: setting))
          recipe.outputs[output].settings = own.over(recipe.outputs[output].settings, Settings.recipe)
        } catch {
          throw fail("\(setting.name) \(error.message)")
        }
        return
      }
    }
    guard names.count == 2 else {
      let hint = Nearest.hint(names[0], among: Settings.recipe.keys.sorted())
      throw fail("it is STEP.PARAMETER=VALUE or SETTING=VALUE\(hint)")
    }
    let (list, index) = try find(names[0], fail)
    var step = self[list][index]
    guard let filter = Filters.named(step.filter) else { return }
    let parameter = filter.parameter(names[1])?.name ?? names[1]
    do throws(Expression.Fault) {
      step.values[parameter] = try FilterText.value(sides[1], for: parameter, of: filter)
    } catch {
      throw fail("\(error.message)")
    }
    if let complaint = step.complaint { throw fail("\(complaint.message)") }
    self[list][index] = step
  }

  private static func values(_ text: String, of setting: Setting) -> [String] {
    setting.count == .list ? text.split(separator: ",").map(String.init) : [text]
  }

  /// Finds the step of a name: labels come before filters.
  private func find(
    _ name: String, _ fail: (Message) -> UsageError
  ) throws(UsageError) -> (list: RecipeSpot.StepList, index: Int) {
    let all = stepLists.flatMap { list in self[list].indices.map { (list: list, index: $0) } }
    var found = all.filter { self[$0.list][$0.index].label == name }
    // Aliases of filters are names of their steps too.
    let filter = Filters.named(name)?.name
    if found.isEmpty {
      found = all.filter {
        let step = self[$0.list][$0.index]
        return step.label == nil && step.filter == filter
      }
    }
    if found.isEmpty { found = all.filter { self[$0.list][$0.index].filter == filter } }
    guard let first = found.first else {
      let labels = all.map { self[$0.list][$0.index].name } + recipe.outputs.map(\.kind)
      throw fail("the recipe has no step \"\(name)\"\(Nearest.hint(name, among: labels))")
    }
    guard found.count == 1 else {
      throw fail("the recipe has \(found.count) steps \"\(name)\": give them names with as")
    }
    return first
  }
}
