import PlainData

/// A filter of Core Image by its class, and what answers it here. Classes and what they are for are those that Apple
/// published for the systems of 2024; formulas are not among that.
package struct CoreImageFilter: Sendable {
  package enum Answer: Sendable, Hashable {
    /// The name of a filter, and values that make it do the same.
    case filter(String, [String: FilterValue])
    /// The reason why there is none.
    case none(String)
  }
  /// The class, as `CIGaussianBlur`.
  package let className: String
  /// True if Core Image lists it among those for high dynamic range.
  package let isHDR: Bool
  package let answer: Answer

  /// The class without its prefix.
  package var bareName: String { String(className.dropFirst(2)) }

  /// The name of the filter here; `nil` for none.
  package var filterName: String? { if case .filter(let name, _) = answer { name } else { nil } }

  /// True if the filter here has another name than the class, hyphens and capitals aside.
  package var isAlias: Bool { filterName.map { !Nearest.same($0, bareName) } == true }

  package static let all = list.split(separator: "\n").map { CoreImageFilter(line: String($0)) }

  /// Finds a filter by its class, also without the prefix, however hyphens and capitals are written; `nil` for none.
  package static func named(_ name: String) -> CoreImageFilter? {
    byName[Nearest.folded(name)].map { all[$0] }
  }

  private static let byName = Dictionary(
    all.enumerated().flatMap { index, filter in
      [(Nearest.folded(filter.className), index), (Nearest.folded(filter.bareName), index)]
    }, uniquingKeysWith: { first, _ in first })

  /// Reads `CLASS [sdr] = FILTER [PARAMETER:WORD]` or `CLASS [sdr]: REASON`.
  private init(line: String) {
    func values(_ words: ArraySlice<Substring>) -> [String: FilterValue] {
      Dictionary(
        words.map { word in
          let parts = word.split(separator: ":")
          return (String(parts[0]), FilterValue.word(String(parts[1])))
        }, uniquingKeysWith: { $1 })
    }
    let reasoned = line.split(separator: ": ", maxSplits: 1)
    let words = (reasoned.count == 2 ? reasoned[0] : Substring(line)).split(separator: " ")
    className = String(words[0])
    isHDR = !words.contains("sdr")
    if let sign = words.firstIndex(of: "=") {
      answer = .filter(String(words[sign + 1]), values(words[(sign + 2)...]))
    } else {
      answer = .none(String(reasoned[reasoned.count - 1]))
    }
  }
}

extension Filters {
  /// Finds an alias that a class of Core Image is. Without its prefix a name means the filter here of that name first.
  static func coreImageAlias(_ name: String) -> FilterAlias? {
    guard let known = CoreImageFilter.named(name), case .filter(let own, let values) = known.answer,
      known.isAlias || Nearest.same(known.className, name), let filter = all.first(where: { $0.name == own })
    else { return nil }
    return FilterAlias(known.className, filter, values)
  }
}
