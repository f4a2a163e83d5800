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

extension ExactMath {
  /// Returns the angle of a vector in degrees, 0 to 360; 0 for the zero vector.
  package static func degrees(y: Double, x: Double) -> Double {
    let across = abs(x), up = abs(y), least = min(across, up), most = max(across, up)
    if most == 0 { return 0 }
    // The angle's half twice: then the series needs few terms.
    var t = least / most
    for _ in 0..<2 { t = t / (1 + (1 + t * t).squareRoot()) }
    var sum = 0.0
    for n in stride(from: 27, through: 3, by: -2) { sum = (1 / Double(n) - sum) * (t * t) }
    let eighth = 4 * (t - t * sum) * (180 / 3.141592653589793238462643383279503)
    let quarter = up > across ? 90 - eighth : eighth
    let half = x < 0 ? 180 - quarter : quarter
    return y < 0 ? 360 - half : half
  }
}
