extension ACES1Head {
  /// Returns the light that becomes this one, which is not negative, without hues that stay. `inverse` is near it: it takes
  /// the hue of a changed red for that of the red.
  package func solution(_ changed: [Double]) -> [Double] {
    let red = ACES1Head(redness: redness, width: width), (g, b) = (changed[1], changed[2])
    let r = Self.solution(of: changed[0], in: 0...1.25 * max(changed[0], 0)) { red.apply([$0, g, b])[0] }
    let v = [r, g, b], most = max(r, g, b), glow = ACES1Head(glow: glow, middle: middle)
    guard most > 0 else { return v }
    let factor = Self.solution(of: most, in: 0.9...1) { factor in glow.apply(v.map { factor * $0 }).max()! }
    return v.map { factor * $0 }
  }

  /// Returns where a rising function has a value, by halving.
  private static func solution(of value: Double, in range: ClosedRange<Double>, _ f: (Double) -> Double) -> Double {
    var (low, high) = (range.lowerBound, range.upperBound)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if f(middle) < value { low = middle } else { high = middle }
    }
    return high
  }
}
