/// One tone reproduction curve of a profile, device value to linear light, 0...1 to 0...1.
public enum ToneCurve: Sendable, Hashable {
  /// `y = x^gamma`.
  case gamma(Double)
  /// ICC `para` types 0...4 with parameters g a b c d e f in this order, unused ones 0.
  /// `y = (a x + b)^g + e` for `x >= d`, else `y = c x + f` (types 1 and 2 are normalised to this form).
  case parametric(g: Double, a: Double, b: Double, c: Double, d: Double, e: Double, f: Double)
  /// Equally spaced samples over 0...1, linearly interpolated; 2 or more.
  case table([Double])
  /// The sRGB curve exactly (docs/colour-formulas.md#transfer).
  case sRGB
  case identity
}

extension ToneCurve {
  /// Device value to light, odd-extended; tables stop at their ends.
  package func value(_ x: Double) -> Double {
    switch self {
    case .identity: return x
    case .sRGB: return Transfer.sRGBDecode(x)
    case .gamma(let g): return ExactMath.oddPow(x, g)
    case .parametric(let g, let a, let b, let c, let d, let e, let f):
      let v = abs(x)
      let y = v >= d ? ExactMath.pow(max(a * v + b, 0), g) + e : c * v + f
      return x < 0 ? -y : y
    case .table(let samples):
      let at = min(max(x, 0), 1) * Double(samples.count - 1)
      let i = min(Int(at), samples.count - 2)
      return samples[i] + (at - Double(i)) * (samples[i + 1] - samples[i])
    }
  }
}
