import HDRCore
import HDRPlan

/// Filters as text: `--filter NAME=key:value,key:value` and `--set STEP.PARAM=VALUE`.
public enum FilterText {
  /// A step from the word after `--filter`. Numbers of a list are separated by `/`.
  ///
  /// - Throws: `UsageError` for what has another form, and for names and values that do not exist, with the nearest
  ///   one.
  public static func step(_ text: String) throws(UsageError) -> FilterStep {
    func fail(_ what: String) -> UsageError { UsageError("--filter \(text): \(what)") }
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    var step = FilterStep(parts[0])
    guard let filter = step.filter else { throw fail(step.complaint?.message ?? "") }
    if parts.count == 2 {
      for pair in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
        let sides = pair.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard sides.count == 2, !sides[0].isEmpty else {
          throw fail("parameters are key:value,key:value; lists of numbers as 10/20/300/200")
        }
        guard step.values.values[sides[0]] == nil else { throw fail("\(sides[0]) stands there twice") }
        step.values.values[sides[0]] = value(sides[1], for: sides[0], of: filter)
      }
    }
    if let complaint = step.complaint { throw fail(complaint.message) }
    return step
  }

  /// A word as the kind of value that a parameter has; what is none stays a word, and is complained of.
  static func value(_ text: String, for name: String, of filter: any Filter.Type) -> FilterValue {
    guard let parameter = filter.parameters.first(where: { $0.name == name }) else { return .word(text) }
    switch parameter.kind {
    case .number, .count: return number(text).map { .number($0) } ?? .word(text)
    case .vector, .color:
      let list = text.split(separator: "/", omittingEmptySubsequences: false).map { number(String($0)) }
      return list.allSatisfy { $0 != nil } ? .numbers(list.compactMap(\.self)) : .word(text)
    case .flag: return text == "true" ? .flag(true) : text == "false" ? .flag(false) : .word(text)
    default: return .word(text)
    }
  }

  /// A finite decimal.
  static func number(_ text: String) -> Double? {
    guard !text.isEmpty, text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }), let value = Double(text),
      value.isFinite
    else { return nil }
    return value
  }
}
