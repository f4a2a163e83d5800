/// A curve between codes of a space, 0...1 of the full range, and light of a scene, 1.0 = a perfect diffuser. All are
/// formulas of their makers, in binary64; both directions continue outside 0...1 (docs/colour-formulas.md#spaces).
package enum CodeCurve: Sendable, Hashable {
  case linear
  /// A curve of H.273, odd-extended.
  case transfer(TransferCurve)
  /// A power from 0 on; numbers below 0 stay as they are.
  case power(Double)
  /// A power with a line below, which goes on below 0: sRGB's is gamma 2.4 with offset 0.055.
  case lineAndPower(gamma: Double, offset: Double)
  /// A logarithm with a line below a break, or without one.
  case log(LogCurve)
  /// ACEScc (S-2014-003) and ACESproxy of 10 bits (S-2013-001).
  case acesCC, acesProxy
  case canonLog2, canonLog3
  case appleLog
  case nikonNLog
  /// A linear relation: light is `scale` × code + `offset`.
  case affine(scale: Double, offset: Double)
  /// From channel-independent density to light on the negative: the table of ADX (S-2008-002), then 10^x.
  case density

  /// Returns the light of a code.
  package func decode(_ y: Double) -> Double {
    switch self {
    case .linear: return y
    case .transfer(let curve): return curve.decode(y)
    case .power(let gamma): return y > 0 ? ExactMath.pow(y, gamma) : y
    case .lineAndPower(let gamma, let offset):
      let (at, slope) = Self.line(gamma, offset)
      return y > at ? ExactMath.pow((y + offset) / (1 + offset), gamma) : y * slope
    case .log(let curve): return curve.decode(y)
    case .acesCC:
      let power = ExactMath.exp2(17.52 * y - 9.72)
      return y < -5.28 / 17.52 ? 2 * (power - 0x1p-16) : min(power, 65_504)
    case .acesProxy: return ExactMath.exp2(min(max((1023 * y - 64) / 50 - 9.72, -9.72), 7.8))
    case .canonLog2:
      return ExactMath.odd(y - 0.092864125) { 0.9 * (ExactMath.exp10($0 / 0.24136077) - 1) / 87.099375 }
    case .canonLog3:
      if y < 0.097465473 { return -0.9 * (ExactMath.exp10((0.12783901 - y) / 0.36726845) - 1) / 14.98325 }
      if y <= 0.15277891 { return 0.9 * (y - 0.12512219) / 1.9754798 }
      return 0.9 * (ExactMath.exp10((y - 0.12240537) / 0.36726845) - 1) / 14.98325
    case .appleLog:
      if y >= Self.apple.scale * 0.06641088 * 0.06641088 {
        return ExactMath.exp2((y - 0.69336945) / 0.08550479) - 0.00964052
      }
      return (max(y, 0) / Self.apple.scale).squareRoot() - Self.apple.offset
    case .nikonNLog:
      if y < 452.0 / 1023 { return ExactMath.oddPow(1023 * y / 650, 3) - 0.0075 }
      return ExactMath.exp((1023 * y - 619) / 150)
    case .affine(let scale, let offset): return scale * y + offset
    case .density: return ExactMath.exp10(Self.exposure(y))
    }
  }

  /// Returns the code of light. Where a curve is flat it is the end of the flat part that is nearer to 0.
  package func encode(_ x: Double) -> Double {
    switch self {
    case .linear: return x
    case .transfer(let curve): return curve.encode(x)
    case .power(let gamma): return x > 0 ? ExactMath.pow(x, 1 / gamma) : x
    case .lineAndPower(let gamma, let offset):
      let (at, slope) = Self.line(gamma, offset)
      return x > at * slope ? (1 + offset) * ExactMath.pow(x, 1 / gamma) - offset : x / slope
    case .log(let curve): return curve.encode(x)
    case .acesCC:
      if x < 0x1p-15 { return (ExactMath.log2(0x1p-16 + max(x, 0) / 2) + 9.72) / 17.52 }
      return (ExactMath.log2(x) + 9.72) / 17.52
    case .acesProxy:
      if x <= ExactMath.exp2(-9.72) { return 64.0 / 1023 }
      return min(50 * (ExactMath.log2(x) + 9.72) + 64, 940) / 1023
    case .canonLog2:
      return ExactMath.odd(x) { 0.24136077 * ExactMath.log10($0 / 0.9 * 87.099375 + 1) } + 0.092864125
    case .canonLog3:
      let v = x / 0.9
      if v < (0.097465473 - 0.12512219) / 1.9754798 {
        return 0.12783901 - 0.36726845 * ExactMath.log10(1 - 14.98325 * v)
      }
      if v <= (0.15277891 - 0.12512219) / 1.9754798 { return 1.9754798 * v + 0.12512219 }
      return 0.12240537 + 0.36726845 * ExactMath.log10(14.98325 * v + 1)
    case .appleLog:
      if x >= 0.01 { return 0.08550479 * ExactMath.log2(x + 0.00964052) + 0.69336945 }
      let above = max(x + Self.apple.offset, 0)
      return Self.apple.scale * above * above
    case .nikonNLog:
      let code =
        x < ExactMath.exp(-167.0 / 150) ? 650 * ExactMath.oddPow(x + 0.0075, 1.0 / 3) : 150 * ExactMath.log(x) + 619
      return code / 1023
    case .affine(let scale, let offset): return (x - offset) / scale
    case .density: return Self.density(ExactMath.log10(max(x, 1e-10)))
    }
  }

  private static let apple = (scale: 47.28711236, offset: 0.05641088)

  /// Returns the code where the power begins, and the slope of the line below: both pieces have the same tangent.
  private static func line(_ gamma: Double, _ offset: Double) -> (at: Double, slope: Double) {
    let at = offset / (gamma - 1)
    return (at, ExactMath.pow((at + offset) / (1 + offset), gamma) / at)
  }

  /// The table of ADX: channel-independent density, and the base-10 logarithm of light.
  private static let points: [(density: Double, light: Double)] = [
    (-0.19, -6), (0.01, -2.721718645), (0.028, -2.521718645), (0.054, -2.321718645), (0.095, -2.121718645),
    (0.145, -1.921718645), (0.22, -1.721718645), (0.3, -1.521718645), (0.4, -1.321718645), (0.5, -1.121718645),
    (0.6, -0.926545676714876),
  ]
  /// The line above the table.
  private static let above = (slope: 100.0 / 55, offset: 0.7 * 100 / 55 - ExactMath.log10(0.18), most: 4.8162678)

  private static func exposure(_ density: Double) -> Double {
    if density >= points[points.count - 1].density { return min(above.slope * density - above.offset, above.most) }
    let high = max(points.firstIndex { density < $0.density } ?? 1, 1), a = points[high - 1], b = points[high]
    return max(a.light + (density - a.density) * (b.light - a.light) / (b.density - a.density), -10)
  }

  private static func density(_ exposure: Double) -> Double {
    if exposure >= points[points.count - 1].light { return (min(exposure, above.most) + above.offset) / above.slope }
    let high = max(points.firstIndex { exposure < $0.light } ?? 1, 1), a = points[high - 1], b = points[high]
    return a.density + (exposure - a.light) * (b.density - a.density) / (b.light - a.light)
  }
}

/// A camera's logarithm: code = `slope` · log_base(`gain` · light + `shift`) + `offset` above the break, else a line.
package struct LogCurve: Sendable, Hashable {
  package let slope: Double, offset: Double, gain: Double, shift: Double, base: Double
  /// The light and the code of the break, and the slope of the line below; `nil`: there is none.
  package let line: Line?

  package struct Line: Sendable, Hashable {
    package let light: Double, code: Double, slope: Double
  }

  /// Makes a curve whose line goes through the break, with the logarithm's own slope there unless one is given.
  package init(
    _ slope: Double, _ offset: Double, gain: Double = 1, shift: Double = 0, base: Double = 10,
    break light: Double? = nil,
    line given: Double? = nil
  ) {
    (self.slope, self.offset, self.gain, self.shift, self.base) = (slope, offset, gain, shift, base)
    line = light.map { light in
      let inner = gain * light + shift
      return Line(
        light: light, code: slope * ExactMath.log(inner) / ExactMath.log(base) + offset,
        slope: given ?? slope * gain / (inner * ExactMath.log(base)))
    }
  }

  /// Makes a curve with a line as its maker states it: code = `line.slope` · light + `line.offset` below `light`.
  package init(
    _ slope: Double, _ offset: Double, gain: Double, shift: Double, below light: Double,
    line: (slope: Double, offset: Double)
  ) {
    (self.slope, self.offset, self.gain, self.shift, base) = (slope, offset, gain, shift, 10)
    self.line = Line(light: light, code: line.slope * light + line.offset, slope: line.slope)
  }

  func decode(_ y: Double) -> Double {
    if let line, y <= line.code { return line.light + (y - line.code) / line.slope }
    return (ExactMath.exp2((y - offset) / slope * ExactMath.log2(base)) - shift) / gain
  }

  func encode(_ x: Double) -> Double {
    if let line, x <= line.light { return line.code + (x - line.light) * line.slope }
    return slope * ExactMath.log2(max(gain * x + shift, 0x1p-126)) / ExactMath.log2(base) + offset
  }
}

extension ExactMath {
  /// Returns 10^x.
  package static func exp10(_ x: Double) -> Double { exp2(x * (2.302585092994045684 / ln2)) }

  /// Returns `f` of the magnitude of x, with the sign of x.
  package static func odd(_ x: Double, _ f: (Double) -> Double) -> Double { x < 0 ? -f(-x) : f(x) }
}
