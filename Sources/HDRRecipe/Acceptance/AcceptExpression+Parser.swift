import PlainData

extension AcceptExpression {
  /// The reason why a text is no expression.
  package struct Fault: Error, Sendable, Hashable {
    /// The place in characters, from 1.
    package var column: Int
    package var message: String

    package init(column: Int, message: String) { (self.column, self.message) = (column, message) }
  }

  package static let maxBytes = 4096, maxConditions = 64, maxDepth = 32

  /// Reads an expression.
  ///
  ///     any := all ("or" all)*      all := not ("and" not)*
  ///     not := "not" not | "(" any ")" | value comparison number | preset
  ///     value := AGGREGATE "(" metric ")" | "abs(" metric ")" | metric | AGGREGATE
  ///     metric := NAME ["@" headroom | "@full" | "@base" | "@map"]
  ///
  /// `||`, `&&` and `!` are `or`, `and` and `not`. An aggregate alone takes the metric of the condition before it.
  package init(_ text: String) throws(Fault) {
    guard text.utf8.count <= Self.maxBytes else {
      throw Fault(column: 1, message: "longer than \(Self.maxBytes) bytes")
    }
    var parser = AcceptParser(text)
    root = try parser.whole()
  }
}

/// A reader of expressions from left to right.
private struct AcceptParser {
  private let text: [Character]
  private var at = 0
  private var depth = 0
  private var count = 0
  /// The metric of the condition before.
  private var last: (metric: Metric, selector: AcceptExpression.Selector?)?

  init(_ text: String) { self.text = Array(text) }

  private func fault(_ message: String, at place: Int? = nil) -> AcceptExpression.Fault {
    AcceptExpression.Fault(column: (place ?? at) + 1, message: message)
  }

  private mutating func skipSpaces() { while at < text.count, text[at].isWhitespace { at += 1 } }

  private var next: Character? { at < text.count ? text[at] : nil }

  /// Takes a sign; a word only if no longer word begins with it.
  private mutating func take(_ sign: String) -> Bool {
    skipSpaces()
    let end = at + sign.count
    guard end <= text.count, String(text[at..<end]).lowercased() == sign else { return false }
    if sign.last?.isLetter == true, end < text.count, Self.isOfName(text[end]) { return false }
    at = end
    return true
  }

  private static func isOfName(_ c: Character) -> Bool {
    c.isASCII && (c.isLetter || c.isNumber || c == "-" || c == ".")
  }

  /// Takes the characters of a name or a number.
  private mutating func word(_ isPart: (Character) -> Bool = isOfName) -> String {
    let start = at
    while let c = next, isPart(c) { at += 1 }
    return String(text[start..<at])
  }

  mutating func whole() throws(AcceptExpression.Fault) -> AcceptExpression.Node {
    skipSpaces()
    if next == nil { throw fault("empty", at: 0) }
    let node = try any()
    skipSpaces()
    if let c = next {
      throw fault(Self.isOfName(c) || c == "(" || c == "!" ? "needs and, or" : "unexpected \(c)")
    }
    return node
  }

  private mutating func any() throws(AcceptExpression.Fault) -> AcceptExpression.Node {
    var nodes = [try all()]
    while take("or") || take("||") { nodes.append(try all()) }
    return nodes.count == 1 ? nodes[0] : .any(nodes)
  }

  private mutating func all() throws(AcceptExpression.Fault) -> AcceptExpression.Node {
    var nodes = [try not()]
    while take("and") || take("&&") { nodes.append(try not()) }
    return nodes.count == 1 ? nodes[0] : .all(nodes)
  }

  private mutating func not() throws(AcceptExpression.Fault) -> AcceptExpression.Node {
    depth += 1
    defer { depth -= 1 }
    if depth > AcceptExpression.maxDepth { throw fault("more than \(AcceptExpression.maxDepth) levels") }
    if take("not") || take("!") { return .not(try not()) }
    if take("(") {
      let node = try any()
      if !take(")") { throw fault("needs )") }
      return node
    }
    return try condition()
  }

  private mutating func condition() throws(AcceptExpression.Fault) -> AcceptExpression.Node {
    skipSpaces()
    guard let c = next else { throw fault("needs a condition") }
    guard c.isASCII, c.isLetter else {
      throw fault(c.isNumber || c == "-" ? "a condition begins with a metric" : "unexpected \(c)")
    }
    let start = at, name = word()
    if let preset = AcceptExpression.presets.first(where: { $0.name == name.lowercased() }) {
      let node = try AcceptExpression(preset.text).root
      count += AcceptExpression(root: node).conditions.count
      try checkCount(start)
      return node
    }
    var condition = try value(name, start)
    last = (condition.metric, condition.selector)
    skipSpaces()
    let sign = at
    guard let comparison = AcceptExpression.Comparison.allCases.first(where: { take($0.rawValue) }) else {
      throw fault(next == "=" ? "= is not a comparison; ==" : "needs a comparison", at: sign)
    }
    skipSpaces()
    let place = at, digits = word { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    guard !digits.isEmpty else { throw fault("needs a number", at: place) }
    guard let bound = decimal(digits) else { throw fault("not a number", at: place) }
    (condition.comparison, condition.bound) = (comparison, bound)
    count += 1
    try checkCount(start)
    return .condition(condition)
  }

  private func checkCount(_ place: Int) throws(AcceptExpression.Fault) {
    if count > AcceptExpression.maxConditions {
      throw fault("more than \(AcceptExpression.maxConditions) conditions", at: place)
    }
  }

  /// Reads a value whose first name was taken.
  private mutating func value(
    _ name: String, _ start: Int
  ) throws(AcceptExpression.Fault) -> AcceptExpression.Condition {
    let aggregate = Aggregate(rawValue: name.lowercased()), isMagnitude = name.lowercased() == "abs"
    if take("(") {
      guard aggregate != nil || isMagnitude else {
        let names = Aggregate.allCases.map(\.rawValue).joined(separator: ", ")
        throw fault("no such aggregate; there are \(names), and abs", at: start)
      }
      skipSpaces()
      let place = at, (metric, selector) = try self.metric(word(), place)
      if !take(")") { throw fault("needs )") }
      if aggregate != nil, !metric.isOfPixels {
        throw fault("\(metric.rawValue) is one number: leave out \(name)", at: start)
      }
      if isMagnitude, metric.isOfPixels { throw fault(Self.advice(metric), at: start) }
      return AcceptExpression.Condition(
        metric: metric, aggregate: aggregate, selector: selector, isMagnitude: isMagnitude)
    }
    if let aggregate {
      guard let last, last.metric.isOfPixels else {
        throw fault("\(aggregate.rawValue) of what: \(aggregate.rawValue)(dE-seen)", at: start)
      }
      return AcceptExpression.Condition(metric: last.metric, aggregate: aggregate, selector: last.selector)
    }
    let (metric, selector) = try self.metric(name, start)
    if metric.isOfPixels { throw fault(Self.advice(metric), at: start) }
    return AcceptExpression.Condition(metric: metric, aggregate: nil, selector: selector)
  }

  private static func advice(_ metric: Metric) -> String { "say which: p95(\(metric.rawValue))" }

  /// Reads what follows a metric's name.
  private mutating func metric(
    _ name: String, _ start: Int
  ) throws(AcceptExpression.Fault) -> (Metric, AcceptExpression.Selector?) {
    guard let metric = Metric.named(name) else {
      let names = AcceptExpression.presets.map(\.name) + Metric.allCases.map(\.rawValue)
      throw fault("unknown metric\(Nearest.hint(name, among: names))", at: start)
    }
    guard next == "@" else { return (metric, nil) }
    at += 1
    let place = at, text = word().lowercased()
    switch text {
    case "base" where metric.has(.base): return (metric, .base)
    case "map" where metric.has(.map): return (metric, .map)
    default:
      if let selector = AcceptExpression.Selector(argument: text) { return (metric, selector) }
      throw fault(
        decimal(text) == nil ? "a headroom such as 4, or full" : "a headroom is from 1 to 65536", at: place)
    }
  }
}
