import HDRCore
import HDRPlan

/// A recipe file: filters in their order, second pictures, settings, and the renditions to make. docs/recipes.md.
public struct RecipeFile: Sendable {
  /// A filter with the name that `--set` calls it by.
  public struct Step: Sendable {
    public var label: String
    public var filter: FilterStep
    public var place: RecipePlace
  }

  /// A second picture.
  public struct Input: Sendable {
    public enum Content: Sendable {
      /// Relative to the recipe's folder.
      case file(String)
      /// A generator and its size; the size of the edited picture where none is given.
      case generator(FilterStep, width: Int?, height: Int?)
    }
    public var name: String
    public var content: Content
    public var place: RecipePlace
  }

  /// An option of the command line without its dashes.
  public struct Setting: Sendable {
    public var name: String
    /// Several for a list.
    public var values: [String]
    public var place: RecipePlace
  }

  /// A rendition.
  public struct Output: Sendable {
    public var settings: [Setting]
    public var place: RecipePlace
  }

  public var steps: [Step] = []
  public var inputs: [Input] = []
  public var settings: [Setting] = []
  public var outputs: [Output] = []
  public var path: FilePath

  /// Reads a recipe.
  ///
  /// - Parameters:
  ///   - path: of the file, for messages and for what lies beside it.
  ///   - settings: names of options that a recipe may set.
  /// - Throws: `UsageError` with file, line and column.
  public init(parsing bytes: [UInt8], path: FilePath, settings known: [String]) throws(UsageError) {
    self.path = path
    let root = try RecipeNode(parsing: bytes, file: path.display)
    for (key, value) in try root.entries("a recipe is a map: steps, inputs, outputs and options of render") {
      switch key.text ?? "" {
      case "steps": steps = try value.items("steps is a list").map { node throws(UsageError) in try Step(node) }
      case "inputs":
        inputs = try value.entries("inputs is a map of names").map { key, node throws(UsageError) in
          try Input(key, node)
        }
      case "outputs":
        outputs = try value.items("outputs is a list").map { node throws(UsageError) in
          Output(
            settings: try node.entries("an output is a map: to, name and options of render").map {
              key, value throws(UsageError) in
              try Setting(key, value, known: known + ["to", "name"])
            }, place: node.place)
        }
        for output in outputs where !output.settings.contains(where: { $0.name == "to" }) {
          throw output.place.error("an output says what to make: to")
        }
      case let name:
        if name == "to" || name == "name" {
          throw key.place.error("\(name) belongs to an output: outputs: [{to: ..., name: ...}]")
        }
        self.settings.append(try Setting(key, value, known: known, also: ["steps", "inputs", "outputs"]))
      }
    }
    // A label names one step, because `--set` would be ambiguous otherwise.
    var seen: [String: Int] = [:]
    for step in steps where step.label != step.filter.name {
      if let line = seen.updateValue(step.place.line, forKey: step.label) {
        throw step.place.error("the step in line \(line) is called \"\(step.label)\" too")
      }
    }
  }

  /// `--set STEP.PARAM=VALUE`.
  ///
  /// - Throws: `UsageError` for a step or parameter that is not there, with the nearest one, and for values out of
  ///   range.
  public mutating func set(_ text: String) throws(UsageError) {
    func fail(_ what: String) -> UsageError { UsageError("--set \(text): \(what)") }
    let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let names = sides[0].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard sides.count == 2, names.count == 2 else { throw fail("it is STEP.PARAMETER=VALUE") }
    var found = steps.indices.filter { steps[$0].label == names[0] }
    if found.isEmpty { found = steps.indices.filter { steps[$0].filter.name == names[0] } }
    guard let index = found.first else {
      let labels = steps.map(\.label)
      throw fail("the recipe has no step \"\(names[0])\"\(Nearest.hint(names[0], among: labels))")
    }
    guard found.count == 1 else {
      throw fail("the recipe has \(found.count) steps \"\(names[0])\": give them names with as")
    }
    guard let filter = steps[index].filter.filter else { return }
    steps[index].filter.values.values[names[1]] = FilterText.value(sides[1], for: names[1], of: filter)
    if let complaint = steps[index].filter.complaint { throw fail(complaint.message) }
  }
}

extension RecipeFile.Step {
  /// `exposure`, `exposure: {ev: 0.5}` or `{filter: exposure, as: lift, ev: 0.5}`.
  fileprivate init(_ node: RecipeNode) throws(UsageError) {
    place = node.place
    let values: [(key: RecipeNode, value: RecipeNode)]
    let name: RecipeNode
    if node.text != nil {
      (name, values) = (node, [])
    } else {
      let entries = try node.entries("a step is the name of a filter, or one with its parameters")
      if let named = entries.first(where: { $0.key.text == "filter" }) {
        (name, values) = (named.value, entries.filter { $0.key.text != "filter" })
      } else if entries.count == 1 {
        name = entries[0].key
        values = entries[0].value.isNull ? [] : try entries[0].value.entries("parameters are a map: name: value")
      } else {
        throw node.place.error("a step is NAME: {PARAMETER: VALUE} or {filter: NAME, PARAMETER: VALUE}")
      }
    }
    guard let text = name.text else { throw name.place.error("the name of a filter is a word") }
    let label = values.first { $0.key.text == "as" }
    self.label = try label?.value.word("as is the name of the step") ?? text
    filter = try FilterStep(text, at: name.place, values.filter { $0.key.text != "as" })
  }
}

extension FilterStep {
  /// A filter of a recipe.
  ///
  /// - Throws: `UsageError` at the place of the name or of the parameter that is wrong.
  fileprivate init(
    _ name: String, at place: RecipePlace, _ values: [(key: RecipeNode, value: RecipeNode)]
  ) throws(UsageError) {
    self.init(name)
    guard let filter else { throw place.error(complaint?.message ?? "") }
    for (key, value) in values {
      let parameter = key.text ?? ""
      self.values.values[parameter] = try value.filterValue(parameter, of: filter)
    }
    guard let complaint else { return }
    let at = values.first { $0.key.text == complaint.parameter }
    let isName = !filter.parameters.contains { $0.name == complaint.parameter }
    throw ((isName ? at?.key : at?.value)?.place ?? place).error(complaint.message)
  }
}

extension RecipeFile.Input {
  /// `sky: sky.jpg`, `sky: {file: sky.jpg}` or `sky: {generator: checkerboard, width: 8, size: [640, 480]}`.
  fileprivate init(_ key: RecipeNode, _ node: RecipeNode) throws(UsageError) {
    name = key.text ?? ""
    place = node.place
    if let file = node.text, !node.isNull {
      content = .file(file)
      return
    }
    let entries = try node.entries("an input is a file, or a map with file or generator")
    if let file = entries.first(where: { $0.key.text == "file" }) {
      if let other = entries.first(where: { $0.key.text != "file" }) {
        throw other.key.place.error("an input of a file has no \"\(other.key.text ?? "")\"")
      }
      content = .file(try file.value.word("file is a path"))
      return
    }
    guard let generator = entries.first(where: { $0.key.text == "generator" }) else {
      throw node.place.error("an input is a file, or a map with file or generator")
    }
    let text = try generator.value.word("generator is the name of a filter")
    let generators = Filters.all.filter { $0.category == .generator }.map { $0.name }
    guard generators.contains(text) else {
      throw generator.value.place.error("there is no generator \"\(text)\"\(Nearest.hint(text, among: generators))")
    }
    let size = entries.first { $0.key.text == "size" }
    var sides: [Int]?
    if let size {
      sides = try size.value.items("size is [width, height]").map { side throws(UsageError) in
        guard let value = side.text.flatMap({ Int($0) }), (1...65_536).contains(value) else {
          throw side.place.error("size is [width, height], each 1...65536 pixels")
        }
        return value
      }
      guard sides?.count == 2 else { throw size.value.place.error("size is [width, height]") }
    }
    let step = try FilterStep(
      text, at: generator.value.place, entries.filter { $0.key.text != "generator" && $0.key.text != "size" })
    content = .generator(step, width: sides?[0], height: sides?[1])
  }
}

extension RecipeFile.Setting {
  fileprivate init(
    _ key: RecipeNode, _ value: RecipeNode, known: [String], also: [String] = []
  ) throws(UsageError) {
    let text = key.text ?? ""
    // Two words that recipes have always been written with.
    name = text == "strategy" ? "edit-strategy" : text
    place = key.place
    guard known.contains(name) else {
      throw key.place.error("there is no \"\(text)\" here\(Nearest.hint(text, among: also + known))")
    }
    if case .list(let list) = value.content {
      values = try list.map { item throws(UsageError) in try item.word("\(text) is a list of words") }
    } else {
      values = [try value.word("\(text) is a word or a number")]
    }
  }
}

extension RecipeNode {
  fileprivate func items(_ what: String) throws(UsageError) -> [RecipeNode] {
    guard case .list(let list) = content else { throw place.error(what) }
    return list
  }

  fileprivate func entries(_ what: String) throws(UsageError) -> [(key: RecipeNode, value: RecipeNode)] {
    guard case .map(let map) = content else { throw place.error(what) }
    return map
  }

  fileprivate func word(_ what: String) throws(UsageError) -> String {
    guard let text, !isNull, !text.isEmpty else { throw place.error(what) }
    return text
  }

  /// A list of numbers, or a word as the parameter's kind reads it.
  fileprivate func filterValue(_ name: String, of filter: any Filter.Type) throws(UsageError) -> FilterValue {
    switch content {
    case .scalar(let text, _): return FilterText.value(text, for: name, of: filter)
    case .list(let list):
      return .numbers(
        try list.map { item throws(UsageError) in
          guard let number = item.text.flatMap(FilterText.number) else {
            throw item.place.error("a list here has numbers only")
          }
          return number
        })
    case .map: throw place.error("\(name) is no map")
    }
  }
}
