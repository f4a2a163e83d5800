import HDRCore

extension LUTChain {
  /// Returns a shorter chain that does the same, within 1e-6: matrices are multiplied, what undoes the operation before
  /// it goes with it, and curves after each other become one.
  package func folded() -> LUTChain {
    var stack: [LUTOperation] = []
    var rest = Array(operations.flatMap(\.parts).reversed())
    while let next = rest.popLast() {
      if next.isIdentity { continue }
      if let last = stack.last, let merged = last.merged(with: next) {
        stack.removeLast()
        rest += merged.reversed()
      } else {
        stack.append(next)
      }
    }
    var chain = self
    chain.operations = Self.withRunsJoined(stack)
    return chain
  }

  /// Makes one curve of each run of curves with two formulas at least, if a table of it is as near as two are.
  private static func withRunsJoined(_ operations: [LUTOperation]) -> [LUTOperation] {
    var result: [LUTOperation] = [], run: [LUTOperation] = []
    func flush() {
      result += joined(run) ?? run
      run = []
    }
    for operation in operations {
      if operation.curves == nil {
        flush()
        result.append(operation)
      } else {
        run.append(operation)
      }
    }
    flush()
    return result
  }

  /// The most operations that become one curve: a stranger's file must not take long to be shortened.
  private static let longestRun = 8

  private static func joined(_ run: [LUTOperation]) -> [LUTOperation]? {
    guard run.count <= longestRun, run.count(where: { if case .formulas = $0 { true } else { false } }) > 1 else {
      return nil
    }
    let lists = run.compactMap(\.curves)
    let formulas = (0..<3).map { channel in LUTFormula.chain(lists.map { $0[channel] }) }
    let domain = LUTFormula.domain(formulas, within: 0x1p20)
    for formula in Set(formulas) {
      guard FormulaTables.follow(formula, domain) else { return nil }
    }
    return [.formulas(formulas)]
  }
}

extension LUTOperation {
  /// The operations of a CDL; of others themselves.
  fileprivate var parts: [LUTOperation] {
    if case .cdl(let cdl) = self { cdl.operations } else { [self] }
  }

  fileprivate var isIdentity: Bool {
    switch self {
    case .matrix(let matrix, let offset): matrix.isIdentity(within: 1e-10) && offset.allSatisfy { abs($0) < 1e-10 }
    case .clamp(nil, nil): true
    case .formulas(let formulas): formulas.allSatisfy { $0 == .identity }
    default: false
    }
  }

  /// The curves that the operation is for R, G and B each; `nil` if it mixes them, or is a table.
  fileprivate var curves: [LUTFormula]? {
    switch self {
    case .matrix(let matrix, let offset) where matrix.isDiagonal:
      (0..<3).map { .line(scale: matrix[$0, $0], offset: offset[$0]) }
    case .clamp(let low, let high): Array(repeating: .bounds(low: low, high: high), count: 3)
    case .formulas(let formulas): formulas
    default: nil
    }
  }

  /// Returns the operations that do the same as this one and then another; `nil`: there are no fewer.
  fileprivate func merged(with next: LUTOperation) -> [LUTOperation]? {
    switch (self, next) {
    case (.matrix(let first, let offset), .matrix(let second, let then)):
      let product = second * first, sum = zip(second * offset, then).map { $0 + $1 }
      // Larger numbers are bounded between operations.
      guard (product.rows + sum).allSatisfy({ abs($0) <= LUTChain.largestFactor }) else { return nil }
      return [.matrix(product, offset: sum)]
    case (.clamp(let low, let high), .clamp(let nextLow, let nextHigh)):
      func inside(_ x: Double) -> Double { min(max(x, nextLow ?? -.infinity), nextHigh ?? .infinity) }
      return [.clamp(low: low.map(inside) ?? nextLow, high: high.map(inside) ?? nextHigh)]
    case (.formulas(let first), .formulas(let second)):
      let merged = zip(first, second).map { $0.merged(with: $1) }
      guard merged.allSatisfy({ $0 != nil }) else { return nil }
      let formulas = merged.compactMap(\.self)
      if case .bounds(let low, let high) = formulas[0], formulas.allSatisfy({ $0 == formulas[0] }) {
        return [.clamp(low: low, high: high)]
      }
      return [.formulas(formulas)]
    case (.gamut(let first, false), .gamut(let second, true)) where first == second: return []
    case (.luminancePower(let first), .luminancePower(let second)) where first.inverse == second: return []
    default: return nil
    }
  }
}

extension LUTFormula {
  /// Returns the formula that does the same as this one and then another; `nil`: there is none.
  fileprivate func merged(with next: LUTFormula) -> LUTFormula? {
    switch (self, next) {
    case (.identity, _): return next
    case (_, .identity): return self
    case (.power(let first, .clamp), .power(let second, .clamp)) where abs(first * second - 1) < 1e-12:
      return .bounds(low: 0, high: nil)
    case (.power(let first, let negatives), .power(let second, let same)) where negatives == same:
      return abs(first * second - 1) < 1e-12 ? .identity : .power(first * second, negatives)
    case (.log(let base), .exp(let same)) where base == same: return .bounds(low: 0, high: nil)
    default: return isOneToOne && next == inverse ? .identity : nil
    }
  }
}

extension Matrix3 {
  /// True if all but the diagonal is 0.
  var isDiagonal: Bool { (0..<9).allSatisfy { $0 % 4 == 0 || rows[$0] == 0 } }
}
