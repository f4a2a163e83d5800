extension ExactMath {
  /// Returns cosine and sine of an angle in degrees; exactly 0, 1 and -1 at multiples of 90 degrees.
  package static func cosSin(degrees: Double) -> (cos: Double, sin: Double) {
    (cos(degrees: degrees), sin(degrees: degrees))
  }

  /// Returns the cosine of an angle in degrees, as `cosSin`.
  package static func cos(degrees: Double) -> Double { sine(degrees, turnedBy: 1) }

  /// Returns the sine of an angle in degrees, as `cosSin`.
  package static func sin(degrees: Double) -> Double { sine(degrees, turnedBy: 0) }

  /// Returns the sine of an angle and some quarter turns.
  private static func sine(_ degrees: Double, turnedBy quarters: Int) -> Double {
    guard degrees.isFinite else { return .nan }
    let turned = degrees.remainder(dividingBy: 360), quarter = (turned / 90).rounded()
    let x = (turned - 90 * quarter) * (3.141592653589793238462643383279503 / 180), q = x * x
    let place = (Int(quarter) + quarters) & 3, isCosine = place & 1 == 1, step = isCosine ? -1 : 1
    var sum = 1.0
    for n in stride(from: 22, through: 2, by: -2) { sum = 1 - q / Double(n * (n + step)) * sum }
    let value = isCosine ? sum : sum * x
    return place < 2 ? value : -value
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
