/// A tone reproduction curve of a profile, from device value to linear light, 0...1 to 0...1.
package enum ToneCurve: Sendable, Hashable {
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
