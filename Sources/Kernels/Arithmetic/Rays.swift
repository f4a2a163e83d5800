import HDRCore

/// Rays around a centre: cosines and sines of 7, 11 and 19 times the direction, from powers of the unit vector.
@usableFromInline enum Rays {
  /// Returns 0...1 by the direction of (x, y), whose length is `d`.
  @inlinable @inline(always) static func of(_ x: Float, _ y: Float, _ d: Float, contrast: Float) -> Float {
    let inverse = E32.reciprocal(d > 0x1p-20 ? d : 1), a = x * inverse, b = y * inverse
    let a2 = a * a - b * b, b2 = 2 * (a * b), a3 = a2 * a - b2 * b, b3 = a2 * b + b2 * a
    let a4 = a2 * a2 - b2 * b2, b4 = 2 * (a2 * b2), a8 = a4 * a4 - b4 * b4, b8 = 2 * (a4 * b4)
    let a16 = a8 * a8 - b8 * b8, b16 = 2 * (a8 * b8)
    let cos7 = a4 * a3 - b4 * b3, sin11 = a8 * b3 + b8 * a3, cos19 = a16 * a3 - b16 * b3
    let q = 0.5 + contrast * ((0.2 * cos7 + 0.15 * sin11) + 0.15 * cos19)
    let low: Float = q > 0 ? q : 0
    return low < 1 ? low : 1
  }
}
