import HDRCore
import Kernels
import OCIOConfig

/// A formula for a channel that LUT files and configs name: powers, logarithms and their inverses
/// (docs/filter-formulas.md#luts).
package enum LUTFormula: Sendable, Hashable {
  /// A power clamps, mirrors or passes negative numbers.
  package enum Negatives: Sendable, Hashable {
    /// They become 0.
    case clamp
    /// The formula of their magnitude, with their sign.
    case mirror
    /// They stay as they are.
    case pass
  }

  case identity
  case power(Double, Negatives)
  /// A power with a line near 0: ((x + offset) / (1 + offset))^gamma above the break.
  case monCurve(MonCurve, isReversed: Bool, mirrors: Bool)
  /// The logarithm of max(x, 2⁻¹²⁶).
  case log(base: Double)
  case exp(base: Double)
  case camera(CameraLog, isReversed: Bool)
  /// From codes of a named space to light; reversed: from light to codes.
  case code(CodeCurve, isReversed: Bool)
  /// From light, 1.0 = 100 cd/m², to codes of ST 2084, odd.
  case pq(isReversed: Bool)
  case gammaLog(FixedFunction.GammaLog, isReversed: Bool)
  case doubleLog(FixedFunction.DoubleLog, isReversed: Bool)
  /// scale · x + offset.
  case line(scale: Double, offset: Double)
  case bounds(low: Double?, high: Double?)
  /// Several, one after the other.
  case composed([LUTFormula])

  /// Returns the formula that does what several do one after the other.
  static func chain(_ formulas: [LUTFormula]) -> LUTFormula {
    let rest = formulas.filter { $0 != .identity }
    return rest.count > 1 ? .composed(rest) : rest.first ?? .identity
  }

  var inverse: LUTFormula {
    switch self {
    case .identity: self
    case .power(let exponent, let negatives): .power(1 / exponent, negatives)
    case .monCurve(let curve, let isReversed, let mirrors):
      .monCurve(curve, isReversed: !isReversed, mirrors: mirrors)
    case .log(let base): .exp(base: base)
    case .exp(let base): .log(base: base)
    case .camera(let log, let isReversed): .camera(log, isReversed: !isReversed)
    case .code(let curve, let isReversed): .code(curve, isReversed: !isReversed)
    case .pq(let isReversed): .pq(isReversed: !isReversed)
    case .gammaLog(let log, let isReversed): .gammaLog(log, isReversed: !isReversed)
    case .doubleLog(let log, let isReversed): .doubleLog(log, isReversed: !isReversed)
    case .line(let scale, let offset): .line(scale: 1 / scale, offset: -offset / scale)
    case .bounds: self
    case .composed(let list): .composed(list.reversed().map(\.inverse))
    }
  }

  /// True if no two numbers become the same one: the inverse then undoes the formula everywhere.
  var isOneToOne: Bool {
    switch self {
    case .identity, .monCurve, .exp, .camera, .pq, .line, .power(_, .mirror), .power(_, .pass): true
    case .code(let curve, _): curve.isOneToOne
    case .power(_, .clamp), .log, .gammaLog, .doubleLog, .bounds, .composed: false
    }
  }

  func value(_ x: Double) -> Double {
    switch self {
    case .identity: x
    case .power(let exponent, .clamp): x > 0 ? ExactMath.pow(x, exponent) : 0
    case .power(let exponent, .mirror): ExactMath.oddPow(x, exponent)
    case .power(let exponent, .pass): x > 0 ? ExactMath.pow(x, exponent) : x
    case .monCurve(let curve, let isReversed, let mirrors):
      if mirrors && x < 0 {
        -(isReversed ? curve.reversed(-x) : curve.value(-x))
      } else {
        isReversed ? curve.reversed(x) : curve.value(x)
      }
    case .log(let base): ExactMath.log2(max(x, 0x1p-126)) / ExactMath.log2(base)
    case .exp(let base): ExactMath.exp2(min(max(x * ExactMath.log2(base), -1000), 1000))
    case .camera(let log, let isReversed): isReversed ? log.linear(x) : log.value(x)
    case .code(let curve, let isReversed): isReversed ? curve.encode(x) : curve.decode(x)
    // The formula has a pole at code 1.99.
    case .pq(true): Transfer.pqEOTF(min(max(x, -1.5), 1.5)) / 100
    case .pq(false): Transfer.pqInverseEOTF(100 * x)
    case .gammaLog(let log, let isReversed): isReversed ? log.linear(x) : log.value(x)
    case .doubleLog(let log, let isReversed): isReversed ? log.linear(x) : log.value(x)
    case .line(let scale, let offset): scale * x + offset
    case .bounds(let low, let high): min(max(x, low ?? -.infinity), high ?? .infinity)
    case .composed(let list): list.reduce(x) { $1.value($0) }
    }
  }

  /// The octaves of the magnitude over which the formula is no line and has not reached its largest number, and log2 of
  /// the segments in each.
  var domain: (low: Int, high: Int, k: Int) {
    switch self {
    case .identity: (-1, 120, 0)
    case .power(let exponent, _): (-30, 120, exponent > 4 ? 8 : 7)
    case .monCurve: (-24, 120, 7)
    case .log: (-30, 120, 6)
    case .exp: (-20, 7, 9)
    case .camera(_, let isReversed): isReversed ? (-20, 120, 8) : (-24, 120, 7)
    case .code(_, let isReversed): isReversed ? (-24, 120, 8) : (-20, 3, 8)
    case .pq(let isReversed): isReversed ? (-16, 1, 8) : (-30, 120, 7)
    case .gammaLog(_, let isReversed), .doubleLog(_, let isReversed): isReversed ? (-24, 7, 9) : (-30, 120, 8)
    case .line, .bounds: (-30, 120, 0)
    case .composed(let list): (-30, 120, max(8, list.map(\.domain.k).max() ?? 8))
    }
  }
}

/// A power with a line near 0, as ICC and sRGB have it (OpenColorIO's moncurve).
package struct MonCurve: Sendable, Hashable {
  let gamma: Double
  let offset: Double

  /// Keeps the break and the slope finite.
  package init(gamma: Double, offset: Double) {
    self.gamma = max(gamma, 1.000001)
    self.offset = max(offset, 1e-6)
  }

  private var limit: Double { offset / (gamma - 1) }
  private var slope: Double {
    ExactMath.pow(gamma * offset / ((gamma - 1) * (1 + offset)), gamma) * (gamma - 1) / offset
  }

  func value(_ x: Double) -> Double {
    x > limit ? ExactMath.pow((x + offset) / (1 + offset), gamma) : x * slope
  }

  func reversed(_ y: Double) -> Double {
    y > limit * slope ? ExactMath.pow(y, 1 / gamma) * (1 + offset) - offset : y / slope
  }
}

/// A camera's logarithm: scale · log_base(x) + offset above a break, and a line below it. The x is what the affine
/// operation before it makes of light.
package struct CameraLog: Sendable, Hashable {
  let base: Double
  let scale: Double
  let offset: Double
  let limit: Double
  /// The slope of the line; `nil`: the logarithm's at the break.
  let lineSlope: Double?

  private var limitValue: Double { log(limit) }
  private var slope: Double { lineSlope ?? scale / (limit * ExactMath.log(base)) }

  private func log(_ x: Double) -> Double {
    scale * ExactMath.log2(max(x, 0x1p-126)) / ExactMath.log2(base) + offset
  }

  func value(_ x: Double) -> Double { x > limit ? log(x) : limitValue + slope * (x - limit) }

  func linear(_ y: Double) -> Double {
    guard y > limitValue else { return limit + (y - limitValue) / slope }
    return ExactMath.exp2(min((y - offset) / scale * ExactMath.log2(base), 1000))
  }
}
