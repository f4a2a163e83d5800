/// A fraction as gain map metadata stores it: a 32-bit numerator, signed or not by field, over an unsigned 32-bit
/// denominator. It is kept as read, so that a payload can be written again bit for bit.
package struct Rational32: Sendable, Hashable, Codable {
  /// The numerator, -2^31 ... 2^32 - 1; the field decides if it is signed.
  package var numerator: Int64
  package var denominator: UInt32

  package init(_ numerator: Int64, _ denominator: UInt32) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// The quotient; infinite or NaN for a zero denominator, which parsers refuse first.
  package var value: Double { Double(numerator) / Double(denominator) }

  /// Finds the simplest fraction that readers cannot tell from `value`: the first convergent of its continued fraction
  /// within 2^-40 * max(1, |value|), or the last one whose parts still fit.
  ///
  /// Returns `nil` for NaN, infinities, values beyond 32 bits, and negative values if `signed` is false. Source:
  /// docs/gain-map-maths.md#metadata (the stop rule is this project's).
  package init?(approximating value: Double, signed: Bool) {
    let limit: Double = signed ? 2_147_483_647 : 4_294_967_295
    guard value.isFinite, signed || value >= 0 else { return nil }
    let magnitude = value.magnitude
    guard magnitude <= limit else { return nil }
    let tolerance = 0x1p-40 * Swift.max(1, magnitude)
    var (n0, n1) = (0.0, 1.0), (d0, d1) = (1.0, 0.0)
    var rest = magnitude
    // Parts stay integers below 2^53, so Double holds them exactly; 39 steps reach 2^32 in the slowest case.
    for _ in 0..<40 {
      let whole = rest.rounded(.down)
      let n2 = whole * n1 + n0, d2 = whole * d1 + d0
      guard n2 <= limit, d2 <= 4_294_967_295 else { break }
      (n0, n1, d0, d1) = (n1, n2, d1, d2)
      let fraction = rest - whole
      if (n1 / d1 - magnitude).magnitude <= tolerance || fraction == 0 { break }
      rest = 1 / fraction
    }
    // The first convergent is floor(value)/1 and always fits, so d1 is at least 1 here.
    self.init(Int64(value < 0 ? -n1 : n1), UInt32(d1))
  }
}
