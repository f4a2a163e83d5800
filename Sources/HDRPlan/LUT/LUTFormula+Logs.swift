import HDRCore
import OCIOConfig

extension LogSides {
  /// Returns logSlope · log_base(max(linSlope · x + linOffset, 2⁻¹²⁶)) + logOffset.
  fileprivate func value(_ x: Double, base: Double) -> Double {
    logSlope * ExactMath.log2(max(linSlope * x + linOffset, 0x1p-126)) / ExactMath.log2(base) + logOffset
  }

  fileprivate func linear(_ y: Double, base: Double) -> Double {
    (ExactMath.exp2(min(max((y - logOffset) / logSlope * ExactMath.log2(base), -1000), 1000)) - linOffset) / linSlope
  }
}

extension FixedFunction.GammaLog {
  private func power(_ x: Double) -> Double { postScale * ExactMath.pow(max(0, x + preOffset), power) }

  func value(_ x: Double) -> Double {
    let away = x - mirror, e = abs(away) + mirror
    let y = e < self.break ? power(e) : sides.value(e, base: base)
    return away < 0 ? -y : y
  }

  func linear(_ y: Double) -> Double {
    let middle = power(mirror), away = y - middle, e = abs(away) + middle
    let x =
      e < power(self.break)
      ? ExactMath.pow(max(0, e / postScale), 1 / power) - preOffset : sides.linear(e, base: base)
    return away < 0 ? -x : x
  }
}

extension FixedFunction.DoubleLog {
  func value(_ x: Double) -> Double {
    if x <= low { return lowSides.value(x, base: base) }
    return x < high ? slope * x + offset : highSides.value(x, base: base)
  }

  func linear(_ y: Double) -> Double {
    if y <= lowSides.value(low, base: base) { return lowSides.linear(y, base: base) }
    return y < highSides.value(high, base: base) ? (y - offset) / slope : highSides.linear(y, base: base)
  }
}
