/// Sine and cosine from `+ - * /` alone, as in `ExactMath`: equal words on every machine.
package enum ExactTurn {
  /// Returns sine and cosine of an angle in radians, to 1e-15 for angles up to some hundred.
  package static func sineCosine(_ angle: Double) -> (sine: Double, cosine: Double) {
    // Quarter turns, then Taylor series on [-pi/4, pi/4].
    let quarters = (angle * 2 / Double.pi).rounded()
    let x = (angle - quarters * 1.5707963267948966) - quarters * 6.123233995736766e-17, q = x * x
    var sine = 1.0, cosine = 1.0
    for n in stride(from: 20, through: 2, by: -2) {
      sine = 1 - q / Double(n * (n + 1)) * sine
      cosine = 1 - q / Double(n * (n - 1)) * cosine
    }
    sine *= x
    switch Int(quarters) & 3 {
    case 0: return (sine, cosine)
    case 1: return (cosine, -sine)
    case 2: return (-sine, -cosine)
    default: return (-cosine, sine)
    }
  }
}
