import HDRCore
import HDRPlan
import HDRRecipe
import HDRRender
import PlainData

/// The filters of Core Image and what answers each, as text, JSON, and the table of docs/data/core-image.md.
package struct CoreImageList: Sendable {
  package let filters: [CoreImageFilter]

  /// - Parameter words: each must be in a filter's class, or in what answers it.
  /// - Throws: `UsageError` where nothing is about the words.
  package init(about words: [String] = []) throws(UsageError) {
    filters = CoreImageFilter.all.filter { filter in
      let text = Nearest.folded(filter.className + " " + filter.answerText)
      return words.allSatisfy { text.contains(Nearest.folded($0)) }
    }
    if filters.isEmpty {
      throw UsageError("no filter of Core Image is about \(printable(words.joined(separator: " ")))")
    }
  }

  package var lines: [String] {
    let longest = filters.map(\.className.count).max() ?? 0
    return filters.map { filter in
      let space = String(repeating: " ", count: longest - filter.className.count + 2)
      return filter.className + space + (filter.isHDR ? "HDR  " : "SDR  ") + filter.answerText
    } + ["", summary]
  }

  /// The numbers of all, in words.
  private var summary: String {
    let hdr = filters.filter(\.isHDR)
    func answered(_ list: [CoreImageFilter]) -> Int { list.count { $0.filterName != nil } }
    return
      "\(answered(filters)) of \(filters.count) have a filter here, \(filters.count(where: \.isAlias)) of them by another "
      + "name; of the \(hdr.count) for HDR \(answered(hdr))"
  }

  package var markdown: [String] {
    ["| class | HDR | here |", "|---|---|---|"]
      + filters.map { "| `\($0.className)` | \($0.isHDR ? "yes" : "no") | \($0.answerText) |" }
  }

  package var json: JSON {
    .array(
      filters.map { filter in
        var fields = [
          JSON.Field("class", .string(filter.className)), JSON.Field("hdr", .bool(filter.isHDR)),
          JSON.Field("answer", .string(filter.filterName == nil ? "cannot" : filter.isAlias ? "alias" : "have")),
          JSON.Field("filter", .maybe(filter.filterName)),
        ]
        switch filter.answer {
        case .filter(_, let values):
          fields.append(
            JSON.Field("values", .object(values.sorted { $0.key < $1.key }.map { JSON.Field($0.key, $0.value.json) })))
        case .none(let reason): fields.append(JSON.Field("reason", .string(reason)))
        }
        return .object(fields)
      })
  }
}

extension CoreImageFilter {
  /// The filter with its values, or the reason why there is none.
  fileprivate var answerText: String {
    switch answer {
    case .filter(let name, let values):
      ([name] + values.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value.text)" }).joined(separator: " ")
    case .none(let reason): "none: \(reason)"
    }
  }
}

extension FilterValue {
  fileprivate var text: String {
    switch self {
    case .word(let word): word
    case .number(let x): short(x)
    case .numbers(let list): list.map { short($0) }.joined(separator: "/")
    case .flag(let flag): "\(flag)"
    }
  }

  fileprivate var json: JSON {
    switch self {
    case .word(let word): .string(word)
    case .number(let x): .number(x)
    case .numbers(let list): .array(list.map(JSON.number))
    case .flag(let flag): .bool(flag)
    }
  }
}
