import HDRCore
import HDRPlan
import PlainData

extension Recipe {
  /// The recipe as plain data, as in recipe files. Defaults are left out.
  package var value: JSON {
    var map = settings.values(beside: SettingValues())
    if let size { map["size"] = size.value }
    if !inputs.isEmpty { map["inputs"] = JSON(sorting: inputs.mapValues(\.value)) }
    map.merge(steps.values) { $1 }
    if keepsMap { map["map"] = .string("keep") }
    if !outputs.isEmpty { map["outputs"] = .array(outputs.map { $0.value(beside: settings) }) }
    if !overrides.isEmpty {
      map["overrides"] = .array(
        overrides.map { one in
          let match = JSON.array(one.match.map(JSON.string))
          return JSON(sorting: one.changes.mapValues(JSON.string).merging(["match": match]) { $1 })
        })
    }
    return JSON(sorting: map)
  }

  /// The canonical JSON of the recipe: equal recipes have equal texts.
  package var canonical: String { value.canonical }

  /// The recipe in YAML, which reads back as the same recipe.
  package var yaml: String {
    value.yaml(
      first: ["to", "name", "filter", "as", "file", "generator"], last: ["steps", "sdr", "hdr", "outputs"])
  }

  /// Returns the text that decides pixels and files, for digests: labels of steps are left out, and all paths replaced.
  ///
  /// - Parameter content: returns a stand-in for the file at a path.
  package func decisive(_ content: (String) -> String) -> String {
    replacingPaths(content).withoutLabels.canonical
  }

  /// Returns the text that decides one output: settings, steps and second pictures from all levels, but not its name.
  ///
  /// - Parameter content: as for `decisive`.
  package func decisive(output index: Int, _ content: (String) -> String) -> String {
    var own = Recipe(), output = Output(outputs[index].kind)
    (output.settings, output.steps) = (settings(of: outputs[index]), steps(of: outputs[index]))
    let names = Set(output.steps.all.flatMap(\.inputNames).map(\.name))
    (own.size, own.keepsMap, own.outputs) = (size, keepsMap, [output])
    own.inputs = inputs.filter { names.contains($0.key) }
    return own.decisive(content)
  }

  /// The paths of all settings and inputs, each once.
  package var paths: [String] {
    var found: Set<String> = []
    _ = replacingPaths { path in
      found.insert(path)
      return path
    }
    return found.sorted()
  }

  /// Returns the recipe with other paths.
  package func replacingPaths(_ replace: (String) -> String) -> Recipe {
    var result = self
    result.settings = settings.replacingPaths(replace)
    for index in outputs.indices { result.outputs[index].settings = outputs[index].settings.replacingPaths(replace) }
    result.inputs = inputs.mapValues { if case .file(let path) = $0 { .file(replace(path)) } else { $0 } }
    return result
  }

  private var withoutLabels: Recipe {
    var result = self
    result.steps = steps.withoutLabels
    for index in outputs.indices { result.outputs[index].steps = outputs[index].steps.withoutLabels }
    return result
  }
}

extension Recipe.Steps {
  fileprivate var withoutLabels: Recipe.Steps {
    func plain(_ list: [RecipeStep]) -> [RecipeStep] { list.map { RecipeStep($0.filter, $0.values) } }
    return Recipe.Steps(plain(common), sdr: sdr.map(plain), hdr: hdr.map(plain))
  }

  fileprivate var values: [String: JSON] {
    var map: [String: JSON] = [:]
    if !common.isEmpty { map["steps"] = .array(common.map(\.value)) }
    if let sdr { map["sdr"] = .array(sdr.map(\.value)) }
    if let hdr { map["hdr"] = .array(hdr.map(\.value)) }
    return map
  }
}

extension Recipe.Output {
  fileprivate func value(beside common: SettingValues) -> JSON {
    var map = settings.values(beside: common)
    map["to"] = .string(kind)
    if let name, name != Recipe.standardName { map["name"] = .string(name) }
    map.merge(steps.values) { $1 }
    return JSON(sorting: map)
  }
}

extension SettingValues {
  /// Returns the values that differ from `common`, which applies if none are given here.
  fileprivate func values(beside common: SettingValues) -> [String: JSON] {
    var map: [String: JSON] = [:]
    for (name, words) in words {
      guard let setting = Settings.recipe[name] else { continue }
      let isInherited =
        common.words[name].map { $0 == words } ?? (!hasRival(setting, in: common) && setting.isStandard(words))
      if !isInherited { map[name] = setting.value(words) }
    }
    return map
  }

  private func hasRival(_ setting: Setting, in common: SettingValues) -> Bool {
    guard let label = setting.alternative else { return false }
    return common.words.keys.contains { Settings.recipe[$0]?.alternative == label }
  }

  fileprivate func replacingPaths(_ replace: (String) -> String) -> SettingValues {
    var result = self
    for (name, words) in words {
      guard let setting = Settings.recipe[name], setting.isPath else { continue }
      result.replace(name, words.map { setting.isPath($0) ? replace($0) : $0 })
    }
    return result
  }
}

extension Setting {
  fileprivate func value(_ words: [String]) -> JSON {
    func one(_ word: String) -> JSON {
      if count == .flag { return .bool(word == "true") }
      if isNumber, let x = Double(word) { return .number(x) }
      return .string(word)
    }
    return count == .list ? .array(words.map(one)) : one(words[0])
  }
}

extension Recipe.Size {
  fileprivate var value: JSON { .array([.number(Double(width)), .number(Double(height))]) }
}

extension Recipe.FilterInput {
  fileprivate var value: JSON {
    switch self {
    case .file(let path): return .string(path)
    case .generator(let step, let size):
      var map = step.parameterValues
      map["generator"] = .string(step.filter)
      if let size { map["size"] = size.value }
      return JSON(sorting: map)
    }
  }
}

extension RecipeStep {
  fileprivate var value: JSON {
    let values = parameterValues
    if label == nil && values.isEmpty { return .string(filter) }
    guard let label else { return JSON(sorting: [filter: JSON(sorting: values)]) }
    return JSON(sorting: values.merging(["filter": .string(filter), "as": .string(label)]) { $1 })
  }

  /// The parameters that differ from their defaults.
  fileprivate var parameterValues: [String: JSON] {
    let parameters = Filters.named(filter)?.parameters ?? []
    var result: [String: JSON] = [:]
    for (key, value) in values {
      guard case .value(let plain) = value, let parameter = parameters.first(where: { $0.name == key }) else {
        result[key] = value.value
        continue
      }
      let canonical = parameter.canonical(plain)
      if parameter.standard != canonical { result[key] = RecipeParameter.value(canonical).value }
    }
    return result
  }
}

extension RecipeParameter {
  fileprivate var value: JSON {
    switch self {
    case .value(.number(let x)): .number(x)
    case .value(.numbers(let list)): .array(list.map(JSON.number))
    case .value(.word(let word)): .string(word)
    case .value(.flag(let flag)): .bool(flag)
    case .expression(let expression): .string("=" + expression.text)
    case .list(let list):
      .array(list.map { if case .number(let x) = $0 { .number(x) } else { .string("=" + $0.text) } })
    }
  }
}

extension FilterParameter {
  /// Returns the canonical form of a value, one for all that mean the same.
  fileprivate func canonical(_ value: FilterValue) -> FilterValue {
    switch (kind, value) {
    case (.color, _): value.canonicalColor
    case (.space, .word(let word)): .word(ColorSpace(word)?.name ?? word)
    default: value
    }
  }

  fileprivate var standard: FilterValue? {
    switch kind {
    case .number(let x, _): x.map { .number($0) }
    case .count(let n, _): n.map { .number(Double($0)) }
    case .vector(let list, _, _): list.map { .numbers($0) }
    case .color(let list): FilterValue.numbers(list).canonicalColor
    case .space(let space): .word(space.name)
    case .choice(let word, _): .word(word)
    case .flag(let flag): .flag(flag)
    case .input(let word): word.map { .word($0) }
    case .text(let word): .word(word)
    }
  }
}

extension Recipe: Codable {
  public init(from decoder: any Decoder) throws {
    self = try RecipeText(RecipeNode(try JSON(from: decoder)), folder: "").recipe
  }

  public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
