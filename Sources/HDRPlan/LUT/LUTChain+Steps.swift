import HDRCore
import Kernels

extension LUTChain {
  /// The operations as steps of a plan.
  ///
  /// - Parameters:
  ///   - extrapolates: true if tables go on beyond their domains.
  ///   - interpolation: of 3D tables whose file asks for none.
  func steps(extrapolates: Bool, _ interpolation: LUTChoice.Interpolation) -> [PixelOperation] {
    let most = Double(E32.largest)
    var steps: [PixelOperation] = [], bound = most
    for operation in operations.flatMap(\.parts) {
      var next = operation.bound(after: bound, extrapolates: extrapolates)
      // A stranger's file must not make numbers that are not finite.
      let limit: Double = operation.isTable ? 0x1p40 : next > Self.largest ? 0x1p90 : .infinity
      if bound > limit {
        steps.append(.clamp(low: -limit, high: limit))
        bound = limit
        next = operation.bound(after: bound, extrapolates: extrapolates)
      }
      steps += operation.steps(extrapolates: extrapolates, interpolation, within: bound)
      bound = min(next, 4 * Self.largest)
    }
    return steps + (bound > Self.largestAtEnd ? [.clamp(low: -most, high: most)] : [])
  }

  /// The largest magnitude that operations hand on to each other, and that they may leave behind.
  fileprivate static let largest = 0x1p120, largestAtEnd = 0x1p60
  /// The largest factor, and the largest result of a formula: the words of tables hold no more.
  fileprivate static let largestFactor = 0x1p30, largestValue = 0x1p36
}

extension LUTOperation {
  /// True if numbers become places in a table.
  fileprivate var isTable: Bool {
    switch self {
    case .table, .cube: true
    default: false
    }
  }

  /// The operations of a CDL; of others themselves.
  fileprivate var parts: [LUTOperation] {
    if case .cdl(let cdl) = self { cdl.operations } else { [self] }
  }

  /// Returns a bound of the result's magnitude for numbers within a bound.
  fileprivate func bound(after bound: Double, extrapolates: Bool) -> Double {
    func most(_ values: [Float]) -> Double { Double(values.lazy.map(abs).max() ?? 0) }
    switch self {
    case .matrix(let matrix, let offset):
      return (0..<3).map { row in
        (0..<3).reduce(abs(offset[row])) { $0 + abs(matrix[row, $1]) * bound }
      }.max() ?? bound
    case .clamp(let low, let high):
      guard let low, let high else { return max(bound, abs(low ?? high ?? 0)) }
      return max(abs(low), abs(high))
    case .table(let table):
      let widths = zip(table.domainMin, table.domainMax).map { (bound + abs($0) + abs($1)) / ($1 - $0) }
      return most(table.values) * (extrapolates ? 2 + 2 * Double(table.size) * (widths.max() ?? 0) : 1)
    case .cube(let cube, _):
      return most(cube.values) * (extrapolates ? 1 + 6 * PlanBuilder.extrapolationLimit * Double(cube.size) : 1)
    case .knots(let curves):
      var most = 0.0
      for curve in curves {
        most = max(most, abs(curve.value(curve.end)))
        for piece in curve.pieces { most = max(most, abs(piece.a)) }
      }
      return 4 * most
    case .formulas(let formulas):
      // They rise or fall everywhere.
      var most = 0.0
      for formula in formulas {
        for x in [bound, 0, -bound] { most = max(most, abs(formula.value(x))) }
      }
      return min(most, LUTChain.largestValue)
    case .cdl: return .infinity
    case .surround: return bound * LUTChain.largestFactor
    }
  }
}

extension LUTOperation {
  fileprivate func steps(
    extrapolates: Bool, _ interpolation: LUTChoice.Interpolation, within bound: Double
  ) -> [PixelOperation] {
    switch self {
    case .matrix(let matrix, let offset):
      func finite(_ x: Double) -> Double { min(max(x, -LUTChain.largestFactor), LUTChain.largestFactor) }
      let offset = offset.map { min(max($0, -LUTChain.largestFactor), LUTChain.largestFactor) }
      if matrix.isDiagonal {
        return [.affine(scale: [matrix[0, 0], matrix[1, 1], matrix[2, 2]].map(finite), offset: offset)]
      }
      return [.matrix(Matrix3(matrix.rows.map(finite))), .affine(scale: [1, 1, 1], offset: offset)]
    case .clamp(let low, let high):
      let most = Double(E32.largest)
      return [.clamp(low: low ?? -most, high: high ?? most)]
    case .table(let table):
      return [.lut(CubeLUT(shaper: table, cube: nil), extrapolates: extrapolates, interpolation)]
    case .cube(let cube, let own):
      return [.lut(CubeLUT(shaper: nil, cube: cube), extrapolates: extrapolates, own ?? interpolation)]
    case .knots(let curves): return [Self.knots(curves)]
    case .formulas(let formulas): return Self.steps(formulas, within: bound)
    case .cdl: return parts.flatMap { $0.steps(extrapolates: extrapolates, interpolation, within: bound) }
    case .surround(let exponent):
      return [
        .custom { words in
          let table = CurveTable(octaves: -14..<20, k: 6) {
            min(ExactMath.pow(max($0, 1e-4), exponent - 1), LUTChain.largestFactor)
          }
          return words.stage(
            .scaleByLuminance,
            ScaleByLuminance.words(weights: Transfer.HLG.luminance, table, offset: words.table(table.words)))
        }
      ]
    }
  }

  private static func knots(_ curves: [KnotCurve]) -> PixelOperation {
    .custom { words in
      words.stage(
        .knots,
        KnotsStage.words(
          curves.map { curve in
            KnotsStage.Curve(
              table: words.table(curve.words), count: curve.pieces.count, low: curve.pieces[0].start, high: curve.end)
          }))
    }
  }

  /// Returns one stage for all channels, for numbers within a bound.
  private static func steps(_ formulas: [LUTFormula], within bound: Double) -> [PixelOperation] {
    if formulas.allSatisfy({ $0 == .identity }) { return [] }
    let domains = formulas.filter { $0 != .identity }.map(\.domain)
    let low = domains.map(\.low).min() ?? -1, most = domains.map(\.high).max() ?? 1
    let high = max(low + 1, min(most, Int(bound.exponent) + 1)), k = domains.map(\.k).max() ?? 0
    return [
      .custom { words in
        func tables(_ formula: LUTFormula) -> (positive: CurveTable, negative: CurveTable) {
          let most = LUTChain.largestValue
          func light(_ x: Double) -> Double {
            let y = formula.value(x)
            return y.isNaN ? 0 : min(max(y, -most), most)
          }
          return (
            CurveTable(octaves: low..<high, k: k, light), CurveTable(octaves: low..<high, k: k) { light(-$0) }
          )
        }
        let pairs = (formulas.allSatisfy { $0 == formulas[0] } ? [formulas[0]] : formulas).map(tables)
        return words.stage(
          .signedCurve,
          SignedCurve.words(pairs, offsets: pairs.map { words.table($0.positive.words + $0.negative.words) }))
      }
    ]
  }
}

extension Matrix3 {
  /// True if all but the diagonal is 0.
  fileprivate var isDiagonal: Bool { (0..<9).allSatisfy { $0 % 4 == 0 || rows[$0] == 0 } }
}
