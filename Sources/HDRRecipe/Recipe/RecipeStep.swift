import HDRCore
import HDRPlan

/// A value of a filter's parameter: fixed, or computed for each picture.
package enum RecipeParameter: Sendable, Hashable {
  case value(FilterValue)
  case expression(Expression)
  /// Several numbers, some of them expressions.
  case list([Expression])
}

/// A filter with its parameters, and a label for `--set`.
package struct RecipeStep: Sendable, Hashable {
  /// The filter's name in `Filters`.
  package var filter: String
  /// The label; `nil` if it is the filter's name.
  package var label: String?
  package var values: [String: RecipeParameter]

  /// Replaces aliases of the filter and its parameters by their names, so that equal steps compare equal.
  package init(_ filter: String, as label: String? = nil, _ values: [String: RecipeParameter] = [:]) {
    let known = Filters.named(filter), alias = Filters.alias(filter)
    self.filter = known?.name ?? filter
    self.label = label == filter ? nil : label
    let given = Dictionary(values.map { (known?.parameter($0.key)?.name ?? $0.key, $0.value) }) { _, last in last }
    let own = alias?.values.mapValues { RecipeParameter.value($0) } ?? [:]
    self.values = own.merging(given) { $1 }
  }

  package init(_ step: FilterStep) {
    self.init(step.name, step.values.values.mapValues { .value($0) })
  }

  package var name: String { label ?? filter }

  /// True for a step of a user's kernel, which is an input of the recipe and has its own parameters.
  package var takesKernel: Bool { Filters.named(filter)?.takesKernel == true }

  /// The name of the step's kernel.
  var kernelName: String? {
    guard takesKernel, case .value(.word(let name))? = values[Self.kernelParameter] else { return nil }
    return name
  }

  package static let kernelParameter = "file"

  /// The names of inputs that are files if the recipe has no such input: the step's kernel, and words that end as LUT
  /// files do, perhaps with `#ID` of a correction.
  var fileNames: [String] {
    if takesKernel { return kernelName.map { [$0] } ?? [] }
    return inputNames.map(\.name).filter { LUTPlace($0) != nil }
  }

  /// The names of the second pictures that the step reads, and if they are optional; for a kernel all words that may be
  /// names.
  var inputNames: [(name: String, isOptional: Bool)] {
    if takesKernel {
      return values.values.compactMap { if case .value(.word(let name)) = $0 { (name, true) } else { nil } }
    }
    return (Filters.named(filter)?.parameters ?? []).compactMap { parameter in
      guard case .input(let standard) = parameter.kind else { return nil }
      var name = standard
      if case .value(.word(let word))? = values[parameter.name] { name = word }
      // The filter's default name need not be given.
      return name.map { ($0, $0 == standard) }
    }
  }

  /// True if a parameter depends on the picture.
  package var hasExpressions: Bool {
    values.values.contains { if case .value = $0 { false } else { true } }
  }
}

extension RecipeStep {
  /// The variables that the parameters depend on.
  package var variables: Set<Expression.Variable> {
    values.values.reduce(into: []) { found, value in
      switch value {
      case .value: break
      case .expression(let expression): found.formUnion(expression.variables)
      case .list(let list): for expression in list { found.formUnion(expression.variables) }
      }
    }
  }

  /// Returns the step for a picture.
  package func step(_ variables: [Expression.Variable: Double]) -> FilterStep {
    let parameters = Filters.named(filter)?.parameters ?? []
    return FilterStep(
      filter,
      Dictionary(
        uniqueKeysWithValues: values.map { key, value in
          switch value {
          case .value(let value): return (key, value)
          case .list(let list): return (key, .numbers(list.map { $0.value(variables) }))
          case .expression(let expression):
            let number = expression.value(variables)
            if case .count? = parameters.first(where: { $0.name == key })?.kind {
              return (key, .number(number.rounded()))
            }
            return (key, .number(number))
          }
        }))
  }

  /// Returns the fault of a kernel's step, after the kernel is known; `nil` if there is none.
  package func complaint(with inputs: [String: FilterInput]) -> String? {
    var known = FilterStep(filter)
    for (key, value) in values { if case .value(let value) = value { known.values.values[key] = value } }
    return known.complaint(with: inputs)
  }

  /// The fault of the step and its parameter, as far as it can be known without a picture; `nil` if there is none.
  package var complaint: (parameter: String?, message: String)? {
    var known = FilterStep(filter)
    for case (let key, .value(let value)) in values { known.values.values[key] = value }
    if let complaint = known.complaint { return complaint }
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      if case .value = value { continue }
      guard let parameter = Filters.named(filter)?.parameters.first(where: { $0.name == key }) else {
        if takesKernel { continue }
        known.values.values[key] = .word("")
        return known.complaint
      }
      switch (parameter.kind, value) {
      case (.number, .expression), (.count, .expression), (.vector(_, 1, _), .expression): continue
      case (.vector(_, let size, _), .list(let list)):
        if list.count != size { return (key, "\(key) of \(filter) is \(size) numbers") }
      case (.color, .list(let list)):
        if list.count != 3 && list.count != 4 { return (key, "\(key) of \(filter) is 3 or 4 numbers: R, G, B and A") }
      default: return (key, "\(key) of \(filter) takes no expression")
      }
    }
    return nil
  }
}
