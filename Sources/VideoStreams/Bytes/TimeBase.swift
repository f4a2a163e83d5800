/// The unit of time stamps, in seconds.
package struct TimeBase: Sendable, Hashable {
  package var numerator: Int
  package var denominator: Int

  package init(_ numerator: Int, _ denominator: Int) { (self.numerator, self.denominator) = (numerator, denominator) }

  /// The unit is this one in lowest terms.
  package var reduced: TimeBase {
    let divisor = max(1, Self.gcd(numerator, denominator))
    return TimeBase(numerator / divisor, denominator / divisor)
  }

  /// Returns the greatest common divisor of two numbers of which one is not 0.
  package static func gcd(_ a: Int, _ b: Int) -> Int {
    var (a, b) = (a, b)
    while b != 0 { (a, b) = (b, a % b) }
    return a
  }

  /// Returns the time of a stamp in seconds.
  package func seconds(_ stamp: Int) -> Double { Double(stamp) * Double(numerator) / Double(denominator) }
}

extension TimeBase: CustomStringConvertible {
  package var description: String { "\(numerator)/\(denominator)" }
}
