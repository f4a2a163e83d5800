import HDRCore
import Kernels

/// A formula for a channel that LUT files name: powers, logarithms and their inverses (docs/filter-formulas.md#luts).
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

  var inverse: LUTFormula {
    switch self {
    case .identity: self
    case .power(let exponent, let negatives): .power(1 / exponent, negatives)
    case .monCurve(let curve, let isReversed, let mirrors):
      .monCurve(curve, isReversed: !isReversed, mirrors: mirrors)
    case .log(let base): .exp(base: base)
    case .exp(let base): .log(base: base)
    case .camera(let log, let isReversed): .camera(log, isReversed: !isReversed)
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
