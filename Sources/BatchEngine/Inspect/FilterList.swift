import HDRCore
import HDRPlan
import HDRRecipe
import HDRRender
import PlainData

/// The filters as text, JSON, and the table of docs/data/filters.md.
package struct FilterList: Sendable {
  package let filters: [any Filter.Type]

  /// - Parameters:
  ///   - category: a name of `FilterCategory`, or `high-dynamic-range` for those that are HDR-safe; `nil` for all.
  ///   - words: each must be in a filter's name, aliases, names of Core Image, category, summary or parameters.
  /// - Throws: `UsageError` for another category, and where no filter is about the words.
  package init(category: String? = nil, about words: [String] = []) throws(UsageError) {
    let all = try Self.filters(of: category)
    // Another program's word may stand in a filter that does something else.
    let other = words.count == 1 ? FilterWords.filter(words[0]) : nil
    filters = all.filter { filter in other.map { filter.name == $0 } ?? words.allSatisfy { filter.isAbout($0) } }
    if filters.isEmpty {
      let names = Filters.all.map { $0.name } + Filters.aliases.map(\.name)
      throw UsageError(
        "no filter is about \(printable(words.joined(separator: " ")))\(Nearest.hint(words[0], among: names))")
    }
  }

  private static func filters(of category: String?) throws(UsageError) -> [any Filter.Type] {
    switch category {
    case nil: return Filters.all
    case Self.hdrSafe: return Filters.all.filter { $0.isHDRSafe }
    case let word?:
      guard let found = FilterCategory(rawValue: word) else {
        throw UsageError(
          "--category \(word): there is no such category\(Nearest.hint(word, among: Self.categories)); "
            + "there are \(Self.categories.joined(separator: ", "))")
      }
      return Filters.all.filter { $0.category == found }
    }
  }

  package static let hdrSafe = "high-dynamic-range"
  package static let categories = FilterCategory.allCases.map(\.rawValue) + [hdrSafe]

  /// The list as text, a block for each filter, by category.
  package var lines: [String] {
    var lines: [String] = []
    for category in FilterCategory.allCases {
      let members = filters.filter { $0.category == category }
      if members.isEmpty { continue }
      if !lines.isEmpty { lines.append("") }
      lines.append(category.rawValue)
      for filter in members {
        lines.append("  \(filter.name): \(filter.summary)")
        lines.append("    " + filter.traits.joined(separator: ", "))
        if !filter.aliases.isEmpty { lines.append("    also " + filter.aliases.joined(separator: ", ")) }
        for parameter in filter.parameters {
          lines.append("    " + parameter.line)
        }
      }
    }
    return lines
  }

  /// The table of docs/data/filters.md.
  package var markdown: [String] {
    [
      "| name | what it does | parameters: default (range) | HDR safe | alpha | headroom |",
      "|---|---|---|---|---|---|",
    ]
      + filters.map { filter in
        let parameters = filter.parameters.map { "`\($0.name)` \($0.defaultText) (\($0.rangeText))" }
        return "| `\(filter.name)` | \(filter.summary) | \(parameters.joined(separator: "<br>")) | "
          + "\(filter.isHDRSafe ? "yes" : "no") | \(filter.alpha.rawValue) | \(filter.headroomEffect.rawValue) |"
      }
  }

  package var json: JSON {
    .array(
      filters.map { filter in
        [
          "name": .string(filter.name), "summary": .string(filter.summary),
          "category": .string(filter.category.rawValue), "hdrSafe": .bool(filter.isHDRSafe),
          "geometric": .bool(filter.isGeometric), "alpha": .string(filter.alpha.rawValue),
          "headroom": .string(filter.headroomEffect.rawValue),
          "coreImage": .array(filter.coreImageClasses.map { .string($0.className) }),
          "parameters": .array(filter.parameters.map(\.json)),
        ]
      })
  }
}

extension Filter {
  /// Other names, with what they set: `rotate90 (angle -90)`.
  fileprivate static var aliases: [String] {
    Filters.aliases.filter { $0.filter.name == name }.map { alias in
      let values = alias.values.sorted { $0.key < $1.key }.map { key, value in
        if case .number(let x) = value { "\(key) \(short(x))" } else { key }
      }
      return alias.name + (values.isEmpty ? "" : " (\(values.joined(separator: ", ")))")
    } + coreImageClasses.filter(\.isAlias).map(\.className)
  }

  /// The classes of Core Image that the filter answers.
  fileprivate static var coreImageClasses: [CoreImageFilter] { CoreImageFilter.all.filter { $0.filterName == name } }

  fileprivate static func isAbout(_ word: String) -> Bool {
    let wanted = Nearest.folded(word)
    let texts =
      [name, summary, category.rawValue] + aliases + coreImageClasses.map(\.className)
      + parameters.flatMap { [$0.name, $0.summary] }
    return texts.contains { Nearest.folded($0).contains(wanted) }
  }

  fileprivate static var traits: [String] {
    var traits = [
      isHDRSafe ? "HDR safe" : "not HDR safe", "alpha \(alpha.rawValue)", "headroom \(headroomEffect.rawValue)",
    ]
    if isGeometric { traits.append("moves pixels only") }
    return traits
  }
}

extension FilterParameter {
  /// Name, kind, default and summary.
  var line: String { "\(name)  \(kindText), default \(defaultText): \(summary)" }

  /// "number -20...20" and the like.
  fileprivate var kindText: String {
    switch kind {
    case .choice, .flag, .input, .text, .color, .space: rangeText
    default: "\(kindName) \(rangeText)"
    }
  }

  private var kindName: String {
    switch kind {
    case .number: "number"
    case .count: "count"
    case .vector: "vector"
    case .color: "color"
    case .space: "space"
    case .choice: "choice"
    case .flag: "flag"
    case .input: "input"
    case .text: "text"
    }
  }

  var defaultText: String {
    func list(_ values: [Double]) -> String { values.map { short($0) }.joined(separator: "/") }
    return switch kind {
    case .number(let value, _): value.map { short($0) } ?? "fitting"
    case .count(let value, _): value.map { "\($0)" } ?? "fitting"
    case .vector(let value, _, _): value.map(list) ?? "fitting"
    case .color(let value): list(value)
    case .space(let space): space.name
    case .choice(let word, _): word
    case .flag(let value): "\(value)"
    case .input(let name): name ?? "none"
    case .text(let text): text.isEmpty ? "none" : text
    }
  }

  var rangeText: String {
    switch kind {
    case .number(_, let range): "\(short(range.lowerBound))...\(short(range.upperBound))"
    case .count(_, let range): "\(range.lowerBound)...\(range.upperBound)"
    case .vector(_, let size, let range): "\(size) of \(short(range.lowerBound))...\(short(range.upperBound))"
    case .color: "colour"
    case .space: "colour space"
    case .choice(_, let words): words.joined(separator: ", ")
    case .flag: "true, false"
    case .input: "name of an input"
    case .text: "text"
    }
  }

  var json: JSON {
    let standard: JSON, range: JSON
    func limits(_ range: ClosedRange<Double>) -> JSON {
      .array([.number(range.lowerBound), .number(range.upperBound)])
    }
    switch kind {
    case .number(let value, let allowed): (standard, range) = (.maybe(value), limits(allowed))
    case .count(let value, let allowed):
      (standard, range) = (.maybe(value), .array([.int(allowed.lowerBound), .int(allowed.upperBound)]))
    case .vector(let value, _, let allowed):
      (standard, range) = (value.map { .array($0.map(JSON.number)) } ?? .null, limits(allowed))
    case .color(let value): (standard, range) = (.array(value.map(JSON.number)), .null)
    case .space(let space):
      (standard, range) = (.string(space.name), .array(ColorSpace.all.map { .string($0.name) }))
    case .choice(let word, let words): (standard, range) = (.string(word), .array(words.map(JSON.string)))
    case .flag(let value): (standard, range) = (.bool(value), .null)
    case .input(let name): (standard, range) = (.maybe(name), .null)
    case .text(let text): (standard, range) = (.string(text), .null)
    }
    var fields = [
      JSON.Field("name", .string(name)), JSON.Field("kind", .string(kindName)), JSON.Field("default", standard),
      JSON.Field("range", range),
    ]
    if case .vector(_, let size, _) = kind { fields.append(JSON.Field("size", .int(size))) }
    fields.append(JSON.Field("summary", .string(summary)))
    return .object(fields)
  }
}
