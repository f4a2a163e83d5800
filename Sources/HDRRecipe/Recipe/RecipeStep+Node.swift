import HDRCore
import HDRPlan
import PlainData

extension RecipeStep {
  /// Reads `exposure`, `exposure: {ev: 0.5}`, `exposure: 0.5` (the first parameter) or `{filter: exposure, as: lift,
  /// ev: 0.5}`. A kernel may also be `kernel: look.glsl` or `{kernel: look.glsl, amount: 0.5}`.
  init(_ node: RecipeNode) throws(UsageError) {
    let values: [(key: RecipeNode, value: RecipeNode)]
    let name: RecipeNode
    if node.text != nil {
      (name, values) = (node, [])
    } else {
      let entries = try node.entries("a step is the name of a filter, or one with its parameters")
      if let kernel = entries.first(where: { $0.key.text == "kernel" && $0.value.text != nil }) {
        name = kernel.key
        values = entries.map { $0.key.text == "kernel" ? (kernel.key.renamed(Self.kernelParameter), $0.value) : $0 }
      } else if let named = entries.first(where: { $0.key.text == "filter" }) {
        (name, values) = (named.value, entries.filter { $0.key.text != "filter" })
      } else if entries.count == 1 {
        name = entries[0].key
        values = try entries[0].value.parameters(of: name)
      } else {
        throw node.place.error("a step is NAME: {PARAMETER: VALUE} or {filter: NAME, PARAMETER: VALUE}")
      }
    }
    guard let text = name.text else { throw name.place.error("the name of a filter is a word") }
    let label = try values.first { $0.key.text == "as" }?.value.word("as is the name of the step")
    try self.init(text, as: label, at: name.place, values.filter { $0.key.text != "as" })
  }

  /// Makes a step; throws `UsageError` at the place of a wrong name or parameter.
  init(
    _ name: String, as label: String? = nil, at place: RecipePlace, _ nodes: [(key: RecipeNode, value: RecipeNode)]
  ) throws(UsageError) {
    guard let filter = Filters.named(name) else { throw place.error("\(FilterStep(name).complaint?.message ?? "")") }
    self.init(name, as: label)
    var given: Set<String> = []
    for (key, value) in nodes {
      let parameter = filter.parameter(key.text ?? "")?.name ?? key.text ?? ""
      guard given.insert(parameter).inserted else { throw key.place.error("\(parameter) is given twice") }
      values[parameter] = try value.parameter(parameter, of: filter)
    }
    guard let complaint else { return }
    let at = nodes.first { Nearest.match($0.key.text ?? "", among: [complaint.parameter ?? ""]) != nil }
    let isName = !filter.parameters.contains { $0.name == complaint.parameter }
    throw ((isName ? at?.key : at?.value)?.place ?? place).error("\(complaint.message)")
  }
}

extension RecipeNode {
  /// Returns a map of parameters, or the value of the first one.
  fileprivate func parameters(
    of name: RecipeNode
  ) throws(UsageError) -> [(key: RecipeNode, value: RecipeNode)] {
    if isNull { return [] }
    if let first = name.text.flatMap({ Filters.named($0) })?.parameters.first {
      switch content {
      case .map: break
      case .scalar, .list: return [(name.renamed(first.name), self)]
      }
    }
    return try entries("parameters are a map: name: value")
  }

  /// Reads a list of numbers, or a word by the parameter's kind.
  fileprivate func parameter(_ name: String, of filter: any Filter.Type) throws(UsageError) -> RecipeParameter {
    switch content {
    case .scalar(let text, _):
      do throws(Expression.Fault) {
        return try FilterText.value(text, for: name, of: filter)
      } catch {
        throw place.error("\(error.message)")
      }
    case .list(let list):
      var items: [Expression] = []
      for item in list { items.append(try item.listNumber) }
      return RecipeParameter(items)
    case .map: throw place.error("\(name) is no map")
    }
  }
}

extension RecipeNode {
  fileprivate var listNumber: Expression {
    get throws(UsageError) {
      var found: Expression?
      do throws(Expression.Fault) {
        if let text { found = try FilterText.number(text) }
      } catch {
        throw place.error("\(error.message)")
      }
      guard let found else { throw place.error("a list here has numbers only") }
      return found
    }
  }
}

extension RecipeParameter {
  /// Takes numbers, or expressions if one depends on the picture.
  init(_ items: [Expression]) {
    let isPlain = items.allSatisfy { if case .number = $0 { true } else { false } }
    self = isPlain ? .value(.numbers(items.map { $0.value([:]) })) : .list(items)
  }
}

extension Recipe.FilterInput {
  /// Reads `sky: sky.jpg`, `sky: {file: sky.jpg}` or `sky: {generator: checkerboard, width: 8, size: [640, 480]}`.
  init(_ node: RecipeNode, _ beside: (String) -> String) throws(UsageError) {
    if let file = node.text, !node.isNull {
      self = .file(beside(file))
      return
    }
    let entries = try node.entries("an input is a file, or a map with file or generator")
    if let file = entries.first(where: { $0.key.text == "file" }) {
      if let other = entries.first(where: { $0.key.text != "file" }) {
        throw other.key.place.error("an input of a file has no \"\(other.key.text ?? "")\"")
      }
      self = .file(beside(try file.value.word("file is a path")))
      return
    }
    guard let generator = entries.first(where: { $0.key.text == "generator" }) else {
      throw node.place.error("an input is a file, or a map with file or generator")
    }
    let text = try generator.value.word("generator is the name of a filter")
    let generators = Filters.all.filter { $0.category == .generator }.map { $0.name }
    guard let name = Nearest.match(text, among: generators) else {
      throw generator.value.place.error("there is no generator \"\(text)\"\(Nearest.hint(text, among: generators))")
    }
    var size: Recipe.Size?
    if let entry = entries.first(where: { $0.key.text == "size" }) { size = try Recipe.Size(entry.value) }
    let step = try RecipeStep(
      name, at: generator.value.place, entries.filter { $0.key.text != "generator" && $0.key.text != "size" })
    if step.hasExpressions { throw generator.value.place.error("a generator of an input takes no expressions") }
    self = .generator(step, size)
  }
}

extension Recipe.Size {
  init(_ node: RecipeNode) throws(UsageError) {
    var sides: [Int] = []
    for side in try node.items("size is [width, height]") {
      guard let value = side.text.flatMap({ Int($0) }), (1...65_536).contains(value) else {
        throw side.place.error("size is [width, height], each 1...65536 pixels")
      }
      sides.append(value)
    }
    guard sides.count == 2 else { throw node.place.error("size is [width, height]") }
    self.init(width: sides[0], height: sides[1])
  }
}

extension RecipeNode {
  func items(_ what: Message) throws(UsageError) -> [RecipeNode] {
    guard case .list(let list) = content else { throw place.error(what) }
    return list
  }

  package func entries(_ what: Message) throws(UsageError) -> [(key: RecipeNode, value: RecipeNode)] {
    guard case .map(let map) = content else { throw place.error(what) }
    return map
  }

  package func word(_ what: Message) throws(UsageError) -> String {
    guard let text, !isNull, !text.isEmpty else { throw place.error(what) }
    return text
  }
}
