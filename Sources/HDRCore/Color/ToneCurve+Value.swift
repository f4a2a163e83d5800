extension ToneCurve {
  /// Returns the light of a device value, odd-extended; tables stop at their ends.
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

  /// True if larger device values are never darker, and 1 is brighter than 0.
  package var isIncreasing: Bool {
    switch self {
    case .identity, .sRGB, .gamma: return true
    case .table(let samples):
      return zip(samples, samples.dropFirst()).allSatisfy { $0 <= $1 } && samples[0] < samples[samples.count - 1]
    case .parametric(let g, let a, _, let c, let d, _, _):
      let ends = value(0) < value(1) && value(1).isFinite
      // Check where the pieces meet, within the rounding of their parameters.
      let meets = !(0...1).contains(d) || value(d) >= value(d * (1 - 1e-9)) - 1e-3
      return ends && meets && (d > 1 || a > 0 && g > 0) && (d <= 0 || c >= 0)
    }
  }

  /// Returns the device value 0...1 for light 0...1, of an increasing curve; the smallest if several match.
  package func inverse(_ light: Double) -> Double {
    guard light > value(0) else { return 0 }
    guard light < value(1) else { return 1 }
    if case .table(let samples) = self {
      var low = 0, high = samples.count - 1
      while high - low > 1 {
        let middle = (low + high) / 2
        if samples[middle] < light { low = middle } else { high = middle }
      }
      return (Double(low) + (light - samples[low]) / (samples[high] - samples[low])) / Double(samples.count - 1)
    }
    switch self {
    case .sRGB: return Transfer.sRGBEncode(light)
    case .gamma(let g): return ExactMath.pow(light, 1 / g)
    case .parametric(let g, let a, let b, let c, let d, let e, let f):
      let bent = (ExactMath.pow(max(light - e, 0), 1 / g) - b) / a
      let straight = c > 0 ? (light - f) / c : d
      return min(max(light >= value(d) || d <= 0 ? max(bent, d) : min(straight, d), 0), 1)
    case .identity, .table: return light
    }
  }
}
