import HDRCore
import Kernels
import Synchronization

extension LUTFormula {
  /// The octaves of the magnitude over which tables hold formulas, and log2 of the segments in each.
  struct Domain: Hashable {
    var low: Int, high: Int, k: Int
  }

  /// Returns the domain that tables of formulas for R, G and B share, for numbers within a bound.
  static func domain(_ formulas: [LUTFormula], within bound: Double) -> Domain {
    let domains = formulas.filter { $0 != .identity }.map(\.domain)
    let low = domains.map(\.low).min() ?? -1, most = domains.map(\.high).max() ?? 1
    return Domain(
      low: low, high: max(low + 1, min(most, Int(bound.exponent) + 1)), k: domains.map(\.k).max() ?? 0)
  }
}

/// The tables of a formula for the stage `signed_curve`: numbers from 0 on, and below. They are kept for the next
/// picture: a batch makes a plan for every file.
struct FormulaTables {
  let positive: CurveTable, negative: CurveTable

  private struct Key: Hashable {
    var formula: LUTFormula
    var domain: LUTFormula.Domain
  }

  private static let made = Mutex<[Key: FormulaTables]>([:]), followed = Mutex<[Key: Bool]>([:])
  private static let mostKept = 32

  static func known(_ formula: LUTFormula, _ domain: LUTFormula.Domain) -> FormulaTables {
    let key = Key(formula: formula, domain: domain)
    if let tables = made.withLock({ $0[key] }) { return tables }
    let tables = FormulaTables(formula, domain)
    made.withLock { known in
      if known.count >= mostKept { known.removeAll() }
      known[key] = tables
    }
    return tables
  }

  private init(_ formula: LUTFormula, _ domain: LUTFormula.Domain) {
    let octaves = domain.low..<domain.high
    positive = CurveTable(octaves: octaves, k: domain.k) { formula.bounded($0) }
    negative = CurveTable(octaves: octaves, k: domain.k) { formula.bounded(-$0) }
  }

  /// Returns true if tables follow a formula everywhere within 1e-6 of its magnitude, or 1e-9.
  static func follow(_ formula: LUTFormula, _ domain: LUTFormula.Domain) -> Bool {
    let key = Key(formula: formula, domain: domain)
    if let answer = followed.withLock({ $0[key] }) { return answer }
    let answer = known(formula, domain).follow(formula, domain)
    followed.withLock { known in
      if known.count >= mostKept { known.removeAll() }
      known[key] = answer
    }
    return answer
  }

  private func follow(_ formula: LUTFormula, _ domain: LUTFormula.Domain) -> Bool {
    let segments = Double(1 << domain.k)
    for octave in domain.low..<domain.high {
      let base = Double(sign: .plus, exponent: octave, significand: 1)
      for segment in 0..<1 << domain.k {
        for (table, sign) in [(positive, 1.0), (negative, -1)] {
          let entry = 4 * ((octave - domain.low) << domain.k + segment)
          func coefficient(_ i: Int) -> Double { Double(Float(bitPattern: table.words[entry + i])) }
          // Between the nodes, which are the ends and the middle.
          for place in [0.25, 0.75] {
            let want = formula.bounded(sign * base * (1 + (Double(segment) + place) / segments))
            let found = coefficient(0) + place * (coefficient(1) + place * coefficient(2))
            // Near what tables hold at most curves are cut.
            if abs(want) < LUTChain.largestValue / 4, abs(found - want) > 1e-6 * max(abs(want), 0x1p-10) {
              return false
            }
          }
        }
      }
    }
    return true
  }
}

extension LUTFormula {
  /// Returns the value within what tables hold.
  func bounded(_ x: Double) -> Double {
    let y = value(x), most = LUTChain.largestValue
    return y.isNaN ? 0 : min(max(y, -most), most)
  }
}
