extension ExactMath {
  /// Returns cosine and sine of an angle in degrees; exactly 0, 1 and -1 at multiples of 90 degrees.
  package static func cosSin(degrees: Double) -> (cos: Double, sin: Double) {
    guard degrees.isFinite else { return (.nan, .nan) }
    let turned = degrees.remainder(dividingBy: 360), quarter = (turned / 90).rounded()
    let x = (turned - 90 * quarter) * (3.141592653589793238462643383279503 / 180), q = x * x
    var cos = 1.0, sin = 1.0
    for n in stride(from: 22, through: 2, by: -2) {
      cos = 1 - q / Double(n * (n - 1)) * cos
      sin = 1 - q / Double(n * (n + 1)) * sin
    }
    sin *= x
    switch Int(quarter) & 3 {
    case 0: return (cos, sin)
    case 1: return (-sin, cos)
    case 2: return (-cos, -sin)
    default: return (sin, -cos)
    }
  }
}
