import HDRCore
import HDRPlan
import PlainData

/// Functions with typed parameters for all filters, as source text: Sources/HDRRender/HDRFilter+Typed.swift and
/// Python/hdrbatch/filters.py. A test compares both with this.
package struct FilterSource: Sendable {
  private let filters = Filters.all.filter { !$0.takesKernel }
  /// The types of choices by their words and the names of their parameters.
  private let choices: Choices

  package init() { choices = Choices(filters) }

  // MARK: Swift

  /// The lines of Sources/HDRRender/HDRFilter+Typed.swift.
  package var swift: [String] {
    var lines = [
      "// Made by `hdrbatch filters --swift`.", "// swift-format-ignore-file", "import HDRCore", "import HDRPlan", "",
      "extension HDRFilter {",
    ]
    for type in choices.types {
      lines += [
        "  /// Lists the words of parameters called `\(type.parameter)`.",
        "  public enum \(type.name): String, Sendable {",
      ]
      lines += type.words.map { word in
        let name = Self.camel(word)
        return "    case \(name)" + (name == word ? "" : " = \"\(word)\"")
      }
      lines += ["  }", ""]
    }
    for filter in filters { lines += swift(filter) + [""] }
    lines[lines.count - 1] = "}"
    return lines
  }

  private func swift(_ filter: any Filter.Type) -> [String] {
    var lines = ["  /// Makes `\(filter.name)`: \(filter.summary)."]
    if !filter.parameters.isEmpty { lines += ["  ///", "  /// - Parameters:"] }
    lines += filter.parameters.map { "  ///   - \(Self.camel($0.name)): \($0.sentence)" }
    let parameters = filter.parameters.map { swift($0, of: filter) }
    lines.append("  public static func \(Self.camel(filter.name))(" + (parameters.isEmpty ? ") -> HDRFilter {" : ""))
    if !parameters.isEmpty {
      lines.append("    " + parameters.map(\.declaration).joined(separator: ", "))
      lines.append("  ) -> HDRFilter {")
    }
    let values = parameters.isEmpty ? "" : ", [\(parameters.map(\.value).joined(separator: ", "))]"
    return lines + ["    typed(\"\(filter.name)\"\(values))", "  }"]
  }

  private func swift(_ parameter: FilterParameter, of filter: any Filter.Type) -> (declaration: String, value: String) {
    let name = Self.camel(parameter.name)
    func given(_ type: String, _ standard: String?, _ made: String) -> (String, String) {
      guard let standard else {
        return ("\(name): \(type)? = nil", "\"\(parameter.name)\": \(name).map { \(made.replacing("$", with: "$0")) }")
      }
      return ("\(name): \(type) = \(standard)", "\"\(parameter.name)\": \(made.replacing("$", with: name))")
    }
    func list(_ numbers: [Double]) -> String { "[\(numbers.map { short($0) }.joined(separator: ", "))]" }
    return switch parameter.kind {
    case .number(let value, _): given("Double", value.map { short($0) }, ".number($)")
    case .count(let value, _): given("Int", value.map { "\($0)" }, ".number(Double($))")
    case .vector(let value, _, _): given("[Double]", value.map(list), ".numbers($)")
    case .color: given("FilterColor", nil, ".color($)")
    case .space: given("ColorSpace", nil, ".word($.name)")
    case .choice(let value, let words):
      given(choices.name(parameter.name, words, of: filter.name), ".\(Self.camel(value))", ".word($.rawValue)")
    case .flag(let value): given("Bool", "\(value)", ".flag($)")
    case .input(nil): ("\(name): HDRValue", "\"\(parameter.name)\": \(name)")
    case .input: given("HDRValue", nil, "$")
    case .text: given("String", nil, ".word($)")
    }
  }

  // MARK: Python

  /// The lines of Python/hdrbatch/filters.py.
  package var python: [String] {
    var lines = [
      "\"\"\"Filters as functions. Each returns the word for `--filter`, and `options` of `read` and `write`.", "",
      "    >>> from hdrbatch import filters", "    >>> filters.exposure(ev=0.5)", "    'exposure=ev:0.5'",
      "\"\"\"", "", "# Made by `hdrbatch filters --python`.", "# ruff: noqa: E501", "",
      "from __future__ import annotations", "",
      "from collections.abc import Sequence", "from typing import Literal", "", "from ._filters import PathLike, word",
    ]
    for filter in filters { lines += ["", ""] + python(filter) }
    return lines
  }

  private func python(_ filter: any Filter.Type) -> [String] {
    let parameters = filter.parameters.map { (name: Self.snake($0.name), parameter: $0) }
    let declared = parameters.map { "\($0.name): \($0.parameter.python)" }
    let list = declared.isEmpty ? "" : "*, " + declared.joined(separator: ", ")
    var lines = ["def \(Self.snake(filter.name))(\(list)) -> str:"]
    let summary = "\(filter.summary.prefix(1).uppercased())\(filter.summary.dropFirst())."
    lines += ["    \"\"\"\(summary)" + (parameters.isEmpty ? "\"\"\"" : "")]
    if !parameters.isEmpty {
      lines += [""] + parameters.map { "    \($0.name): \($0.parameter.pythonSentence)" } + ["    \"\"\""]
    }
    let values = parameters.map { ", \($0.name)=\($0.name)" }.joined()
    return lines + ["    return word(\"\(filter.name)\"\(values))"]
  }

  // MARK: Names

  /// Returns a name with hyphens as Swift writes it, in backticks where it is a word of the language.
  static func camel(_ name: String) -> String {
    let pascal = name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    let joined = pascal.prefix(1).lowercased() + pascal.dropFirst()
    return ["default", "in", "is", "as", "case", "repeat", "where", "func", "let", "var", "self"].contains(joined)
      ? "`\(joined)`" : joined.first?.isNumber == true ? "_\(joined)" : joined
  }

  /// Returns a name with hyphens as Python writes it, with a line under it where it is a word of the language.
  static func snake(_ name: String) -> String {
    let joined = name.replacing("-", with: "_")
    return ["from", "in", "is", "as", "lambda", "def", "not", "or", "and", "with"].contains(joined)
      ? joined + "_" : joined
  }
}

/// The types that Swift gets for choices. Parameters of one name and the same words share a type.
private struct Choices: Sendable {
  struct Kind: Sendable {
    var name: String
    var parameter: String
    var words: [String]
  }
  let types: [Kind]

  init(_ filters: [any Filter.Type]) {
    var types: [Kind] = []
    for filter in filters {
      for parameter in filter.parameters {
        guard case .choice(_, let words) = parameter.kind else { continue }
        if types.contains(where: { $0.parameter == parameter.name && $0.words == words }) { continue }
        let isFirst = !types.contains { $0.parameter == parameter.name }
        let name = (isFirst ? "" : Self.pascal(filter.name)) + Self.pascal(parameter.name)
        types.append(Kind(name: name, parameter: parameter.name, words: words))
      }
    }
    self.types = types
  }

  func name(_ parameter: String, _ words: [String], of filter: String) -> String {
    types.first { $0.parameter == parameter && $0.words == words }?.name ?? "String"
  }

  private static func pascal(_ name: String) -> String {
    name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}

extension FilterParameter {
  /// The summary with the range, and the default where a signature does not show it.
  fileprivate var sentence: String {
    switch kind {
    case .choice: "\(summary)."
    case .color, .space: "\(summary), \(defaultText) if not given."
    case .input(nil): "\(summary)."
    case .input, .text, .flag: "\(summary)."
    default: "\(summary) (\(rangeText))."
    }
  }

  /// The sentence, and where a picture comes from.
  fileprivate var pythonSentence: String {
    if case .input = kind { "\(summary); a name given by `--input NAME=FILE`." } else { sentence }
  }

  /// Type and default in Python.
  fileprivate var python: String {
    func given(_ type: String, _ standard: String?) -> String {
      standard.map { "\(type) = \($0)" } ?? "\(type) | None = None"
    }
    func list(_ numbers: [Double]) -> String { "(\(numbers.map { short($0) }.joined(separator: ", ")))" }
    return switch kind {
    case .number(let value, _): given("float", value.map { short($0) })
    case .count(let value, _): given("int", value.map { "\($0)" })
    case .vector(let value, _, _): given("Sequence[float]", value.map(list))
    case .color: given("str | Sequence[float]", nil)
    case .space, .text: given("str", nil)
    case .choice(let value, let words):
      given("Literal[\(words.map { "\"\($0)\"" }.joined(separator: ", "))]", "\"\(value)\"")
    case .flag(let value): given("bool", value ? "True" : "False")
    case .input(nil): "PathLike"
    case .input: given("PathLike", nil)
    }
  }
}
