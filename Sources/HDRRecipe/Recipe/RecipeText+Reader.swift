import HDRCore
import HDRPlan
import PlainData

extension RecipeText {
  /// Keys of older recipes, with the text to write now.
  static let gone = [
    "filter": "write steps: [exposure: {ev: 0.5}]", "filters": "write steps: [exposure: {ev: 0.5}]",
    "input": "write inputs: {name: file}", "extract": "write outputs: [{to: extract-base}]",
    "recipe": "it belongs to the command line", "set": "it belongs to the command line",
    "edits": "write steps: [exposure: {ev: 0.5}]",
  ]

  /// The keys that are not settings.
  static let keys = ["steps", "sdr", "hdr", "map", "inputs", "outputs", "size", "overrides"]

  init(_ root: RecipeNode, folder: String) throws(UsageError) {
    self.init()
    places[.recipe] = root.place
    let beside = { (path: String) in path.hasPrefix("/") || folder.isEmpty ? path : "\(folder)/\(path)" }
    for (key, value) in try root.entries("a recipe is a map: steps, inputs, outputs and options of render") {
      switch key.text ?? "" {
      case "inputs":
        for (name, node) in try value.entries("inputs is a map of names") {
          recipe.inputs[name.text ?? ""] = try Recipe.FilterInput(node, beside)
          places[.input(name.text ?? "")] = node.place
        }
      case "outputs":
        for node in try value.items("outputs is a list") { try addOutput(node, beside) }
      case "overrides":
        for node in try value.items("overrides is a list") { try addOverride(node) }
      case "size": recipe.size = try Recipe.Size(value)
      case "map":
        guard value.text == "keep" else { throw value.place.error("map is keep: the gain map stays as it is") }
        recipe.keepsMap = true
      case "steps", "sdr", "hdr": try addSteps(key, value, output: nil)
      case let name:
        if name == "to" || name == "name" {
          throw key.place.error("\(name) belongs to an output: outputs: [{to: ..., name: ...}]")
        }
        try addSetting(key, value, output: nil, beside)
      }
    }
    nameFiles(beside)
    try checkLabels()
  }

  /// Adds the files that steps name, kernels and LUTs, to the inputs.
  package mutating func nameFiles(_ beside: (String) -> String = { $0 }) {
    for list in stepLists {
      for (index, step) in self[list].enumerated() {
        for name in step.fileNames where recipe.inputs[name] == nil {
          recipe.inputs[name] = .file(beside(name))
          places[.input(name)] = places[.step(list, index)]
        }
      }
    }
  }

  private mutating func addOutput(_ node: RecipeNode, _ beside: (String) -> String) throws(UsageError) {
    let index = recipe.outputs.count
    let entries = try node.entries("an output is a map: to, name, steps and options of render")
    guard let to = entries.first(where: { $0.key.text == "to" }) else {
      throw node.place.error("an output says what to make: to")
    }
    let word = try to.value.word("to is the name of a kind of output")
    do throws(SettingFault) {
      recipe.outputs.append(Recipe.Output(try SettingType<String>.outputKind.read(word)))
    } catch {
      throw to.key.place.error("to \(error.message)")
    }
    places[.output(index)] = node.place
    for (key, value) in entries {
      switch key.text ?? "" {
      case "to": break
      case "name": recipe.outputs[index].name = try value.word("name is a template")
      case "steps", "sdr", "hdr": try addSteps(key, value, output: index)
      default: try addSetting(key, value, output: index, beside)
      }
    }
  }

  private mutating func addSetting(
    _ key: RecipeNode, _ value: RecipeNode, output: Int?, _ beside: (String) -> String
  ) throws(UsageError) {
    let text = key.text ?? ""
    // Recipes have always used this word.
    let name = text == "strategy" ? "edit-strategy" : text
    guard let found = Nearest.match(name, among: Settings.recipe.keys), let setting = Settings.recipe[found] else {
      if let now = Self.gone[name] { throw key.place.error("\"\(name)\" is no key of recipes: \(now)") }
      let all = (output == nil ? Self.keys : ["to", "name", "steps"]) + Settings.recipe.keys.sorted()
      throw key.place.error("there is no \"\(text)\" here\(Nearest.hint(text, among: all))")
    }
    let spot = RecipeSpot.setting(setting.name, output: output)
    if places.updateValue(key.place, forKey: spot) != nil { throw key.place.error("\(setting.name) is given twice") }
    var words: [String]
    if case .list(let list) = value.content {
      words = try list.map { item throws(UsageError) in try item.word("\(text) is a list of words") }
    } else if value.text == "", !value.isNull, (try? setting.normalized([""])) != nil {
      // An empty text is a value of looks: none.
      words = [""]
    } else {
      words = [try value.word("\(text) is a word or a number")]
    }
    words = words.map { setting.isPath($0) ? beside($0) : $0 }
    do throws(SettingFault) {
      if let output {
        try recipe.outputs[output].settings.set(setting, words)
      } else {
        try recipe.settings.set(setting, words)
      }
    } catch {
      throw key.place.error("\(text) \(error.message)")
    }
  }

  private mutating func addSteps(_ key: RecipeNode, _ value: RecipeNode, output: Int?) throws(UsageError) {
    var steps: [RecipeStep] = []
    let list: RecipeSpot.StepList =
      switch key.text {
      case "sdr": .sdr(output: output)
      case "hdr": .hdr(output: output)
      default: .common(output: output)
      }
    for node in try value.items("\(key.text ?? "steps") is a list of steps") {
      places[.step(list, steps.count)] = node.place
      steps.append(try RecipeStep(node))
    }
    self[list] = steps
  }

  /// The steps of a list; assigning creates the list if it is missing.
  subscript(list: RecipeSpot.StepList) -> [RecipeStep] {
    get {
      switch list {
      case .common(let output): (output.map { recipe.outputs[$0].steps } ?? recipe.steps).common
      case .sdr(let output): (output.map { recipe.outputs[$0].steps } ?? recipe.steps).sdr ?? []
      case .hdr(let output): (output.map { recipe.outputs[$0].steps } ?? recipe.steps).hdr ?? []
      }
    }
    set {
      func change(_ output: Int?, _ path: WritableKeyPath<Recipe.Steps, [RecipeStep]?>) {
        if let output {
          recipe.outputs[output].steps[keyPath: path] = newValue
        } else {
          recipe.steps[keyPath: path] = newValue
        }
      }
      switch list {
      case .common(let output?): recipe.outputs[output].steps.common = newValue
      case .common(nil): recipe.steps.common = newValue
      case .sdr(let output): change(output, \.sdr)
      case .hdr(let output): change(output, \.hdr)
      }
    }
  }

  /// All lists of steps.
  var stepLists: [RecipeSpot.StepList] {
    let levels = [nil] + recipe.outputs.indices.map { Optional($0) }
    return levels.flatMap { [.common(output: $0), .sdr(output: $0), .hdr(output: $0)] }
  }

  /// Checks that a label names only one step, else `--set` could not choose.
  private func checkLabels() throws(UsageError) {
    var seen: [String: Int] = [:]
    for list in stepLists {
      for (index, step) in self[list].enumerated() {
        guard let label = step.label, let place = places[.step(list, index)] else { continue }
        if let line = seen.updateValue(place.line, forKey: label) {
          throw place.error("the step in line \(line) is called \"\(label)\" too")
        }
      }
    }
  }
}
