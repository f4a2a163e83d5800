import HDRCore
import HDRPlan
import PlainData

/// Parses filters from words: `--filter NAME=key:value,key:value`; the name may be omitted for the first value of a
/// filter's first parameter.
package enum FilterText {
  /// Makes a step from the word after `--filter`. A `/` separates numbers of a list; expressions begin with `=`;
  /// colours with a space are `p3(1,0,0)` or `p3(1/0/0)`.
  ///
  /// - Throws: `UsageError` for any other form, and for unknown names and values, with the nearest one.
  package static func step(_ text: String) throws(UsageError) -> RecipeStep {
    let parts = sides(text, "=")
    return try step(RecipeStep(parts[0]), parts.count == 2 ? parts[1] : nil, of: "\(setting: "filter") \(text)")
  }

  /// Makes a step from the word after `--kernel`: a file, then parameters as in `step`.
  ///
  /// - Throws: `UsageError`.
  package static func kernel(_ text: String) throws(UsageError) -> RecipeStep {
    let parts = sides(text, "=")
    guard !parts[0].isEmpty else { throw UsageError("\(setting: "kernel"): it is FILE or FILE=key:value,...") }
    let kernel = RecipeStep("kernel", [RecipeStep.kernelParameter: .value(.word(parts[0]))])
    return try step(kernel, parts.count == 2 ? parts[1] : nil, of: "\(setting: "kernel") \(text)")
  }

  private static func sides(_ text: String, _ separator: Character) -> [String] {
    text.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
  }

  /// Adds parameters, given as words, to a step.
  private static func step(
    _ start: RecipeStep, _ words: String?, of option: Message
  ) throws(UsageError) -> RecipeStep {
    func fail(_ what: String) -> UsageError { UsageError(printable("\(option): \(what)")) }
    var step = start
    guard let filter = Filters.named(step.filter) else { throw fail(step.complaint?.message ?? "") }
    var given: Set<String> = []
    let pairs = words.map { split($0, at: ",") } ?? []
    for (place, pair) in pairs.enumerated() {
      var parts = sides(pair, ":")
      if parts.count == 1, place == 0, !filter.takesKernel, let first = filter.parameters.first {
        parts.insert(first.name, at: 0)
      }
      guard parts.count == 2, !parts[0].isEmpty else {
        throw fail("parameters are key:value,key:value; lists of numbers as 10/20/300/200")
      }
      let name = filter.parameter(parts[0])?.name ?? parts[0]
      guard given.insert(name).inserted else { throw fail("\(parts[0]) is given twice") }
      do throws(Expression.Fault) {
        step.values[name] = try value(parts[1], for: name, of: filter)
      } catch {
        throw fail(error.message)
      }
    }
    if let complaint = step.complaint { throw fail(complaint.message) }
    return step
  }

  /// Splits a text at separators that are not within parentheses.
  private static func split(_ text: String, at separator: Character) -> [String] {
    var parts = [""], depth = 0
    for character in text {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if character == separator && depth <= 0 { parts.append("") } else { parts[parts.count - 1].append(character) }
    }
    return parts
  }

  /// Parses a word as the parameter's kind of value; if it does not fit, it stays a word, which a later check rejects.
  static func value(
    _ text: String, for name: String, of filter: any Filter.Type
  ) throws(Expression.Fault) -> RecipeParameter {
    guard let parameter = filter.parameters.first(where: { $0.name == name }) else {
      return filter.takesKernel ? try anyValue(text) : .value(.word(text))
    }
    switch parameter.kind {
    case .number, .count:
      guard let number = try number(text) else { return .value(.word(text)) }
      if case .number(let x) = number { return .value(.number(x)) }
      return .expression(number)
    case .space: return .value(.word(ColorSpace(text.lowercased())?.name ?? text))
    case .color where FilterColor.isMeant(text) && !text.contains("="):
      return .value(FilterValue.word(text).canonicalColor)
    case .vector, .color:
      var items: [Expression] = []
      for part in split(text, at: "/") {
        guard let item = try number(part) else { return .value(.word(text)) }
        items.append(item)
      }
      return RecipeParameter(items)
    case .flag: return .value(text == "true" ? .flag(true) : text == "false" ? .flag(false) : .word(text))
    case .choice(_, let words): return .value(.word(Nearest.match(text, among: words) ?? text))
    default: return .value(.word(text))
    }
  }

  /// Parses a value of a kernel's parameter, whose kind is not known yet.
  private static func anyValue(_ text: String) throws(Expression.Fault) -> RecipeParameter {
    if text == "true" || text == "false" { return .value(.flag(text == "true")) }
    if FilterColor.isMeant(text) && !text.contains("=") { return .value(FilterValue.word(text).canonicalColor) }
    var items: [Expression] = []
    for part in split(text, at: "/") {
      guard let item = try number(part) else { return .value(.word(text)) }
      items.append(item)
    }
    guard items.count == 1 else { return RecipeParameter(items) }
    if case .number(let x) = items[0] { return .value(.number(x)) }
    return .expression(items[0])
  }

  /// Parses a finite decimal, a ratio as 4:5, or an expression after `=`; one without variables becomes its value.
  /// Returns `nil` for anything else.
  static func number(_ text: String) throws(Expression.Fault) -> Expression? {
    guard text.hasPrefix("=") else { return (decimal(text) ?? ratio(text)).map { .number($0) } }
    let expression = try Expression(parsing: String(text.dropFirst()))
    guard expression.variables.isEmpty else { return expression }
    let value = expression.value([:])
    guard value.isFinite else { throw Expression.Fault(message: "\"\(text)\" is not a finite number") }
    return .number(value)
  }

  private static func ratio(_ text: String) -> Double? {
    let sides = text.split(separator: ":", omittingEmptySubsequences: false).map { decimal(String($0)) }
    guard sides.count == 2, let a = sides[0], let b = sides[1], b != 0 else { return nil }
    let quotient = a / b
    return quotient.isFinite ? quotient : nil
  }
}
