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
    for operation in folded().operations {
      var next = operation.bound(after: bound, extrapolates: extrapolates)
      // A stranger's file must not make numbers that are not finite.
      let limit = operation.largestInput ?? (next > Self.largest ? 0x1p90 : .infinity)
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
  static let largestFactor = 0x1p30, largestValue = 0x1p36
}

extension LUTOperation {
  /// The largest magnitude that the operation takes: where numbers become places in a table, or are squared; `nil`: any.
  fileprivate var largestInput: Double? {
    switch self {
    case .table, .cube, .output1, .head, .gamut: 0x1p40
    case .coordinates: 0x1p20
    default: nil
    }
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
    case .luminancePower: return bound * LUTChain.largestFactor
    case .output, .output1: return 0x1p18
    case .head: return bound * 8
    case .gamut(_, let isInverse): return bound * (isInverse ? 0x1p26 : 4)
    case .coordinates(let kind, let isInverse):
      // Divisors are 2^-30 at least.
      return kind == .hsv ? bound * 0x1p11 : isInverse ? 0x1p110 : 0x1p80
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
    case .knots(let curves): return [.knots(curves)]
    case .formulas(let formulas): return Self.steps(formulas, within: bound)
    case .cdl(let cdl):
      return cdl.operations.flatMap { $0.steps(extrapolates: extrapolates, interpolation, within: bound) }
    case .luminancePower(let power): return [power.step]
    case .output(let output, let isInverse): return [output.step(isInverse: isInverse)]
    case .output1(let output, let isInverse): return output.operations(isInverse: isInverse)
    case .head(let head, let isInverse): return [head.step(isInverse: isInverse)]
    case .gamut(let gamut, let isInverse):
      return [
        .custom { data in
          let words = ACESGamutCompress.words(isInverse ? .inverse : .forward, gamut) { data.table($0) }
          return data.stage(.acesGamutCompress, words)
        }
      ]
    case .coordinates(let kind, let isInverse): return [kind.step(isInverse: isInverse)]
    }
  }

  /// Returns one stage for all channels, for numbers within a bound.
  private static func steps(_ formulas: [LUTFormula], within bound: Double) -> [PixelOperation] {
    if formulas.allSatisfy({ $0 == .identity }) { return [] }
    if case .code(let curve, let isReversed) = formulas[0], formulas.allSatisfy({ $0 == formulas[0] }) {
      return [isReversed ? .encodeCode(curve) : .decodeCode(curve)]
    }
    let domain = LUTFormula.domain(formulas, within: bound)
    return [
      .custom { words in
        let pairs = (formulas.allSatisfy { $0 == formulas[0] } ? [formulas[0]] : formulas).map {
          FormulaTables.known($0, domain)
        }
        return words.stage(
          .signedCurve,
          SignedCurve.words(
            pairs.map { ($0.positive, $0.negative) },
            offsets: pairs.map { words.table($0.positive.words + $0.negative.words) }))
      }
    ]
  }
}

extension LuminancePower {
  fileprivate var step: PixelOperation {
    .custom { words in
      let table = CurveTable(octaves: Int(least.exponent)..<20, k: 6) {
        min(ExactMath.pow(max($0, least), exponent - 1), LUTChain.largestFactor)
      }
      let offset = words.table(table.words)
      return takesMagnitude
        ? words.stage(.scaleByLuminance, ScaleByLuminance.words(weights: weights, table, offset: offset))
        : words.stage(.luminanceGain, LuminanceGain.words(weights: weights, source: nil, table, offset: offset))
    }
  }
}

extension PixelOperation {
  /// Returns the curves of R, G and B as one stage.
  static func knots(_ curves: [KnotCurve]) -> PixelOperation {
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
}

extension ColorCoordinates {
  fileprivate func step(isInverse: Bool) -> PixelOperation {
    let model: ChromaticityStage.Model
    switch self {
    case .hsv: return .custom { $0.stage(.hsv, HSVStage.words(isInverse ? .inverse : .forward)) }
    case .xyY: model = .xyY
    case .uvY: model = .uvY
    case .luv: model = .luv
    }
    return .custom { $0.stage(.chromaticity, ChromaticityStage.words(model, isInverse ? .inverse : .forward)) }
  }
}
