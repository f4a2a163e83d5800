import HDRCore

/// Functions with the same steps and the same bits as those of their names in Shaders/glsl/shared/user_functions.glsl:
/// each accepts every number, and nothing is divided by zero (docs/kernels.md#functions).
public enum Exact {
  @inlinable @inline(always) static func bits(_ word: UInt32) -> Float { Float(bitPattern: word) }
  @inlinable @inline(always) static func abs(_ x: Float) -> Float { bits(x.pattern & 0x7fff_ffff) }

  /// Returns the whole part; numbers from 2^23 on are whole.
  @inlinable @inline(always) public static func trunc(_ x: Float) -> Float {
    let isWhole = abs(x) >= 8_388_608
    let small: Float = isWhole ? 0 : x
    let low: Float = small > -2_147_483_520 ? small : -2_147_483_520
    let whole = Float(Int32(low < 2_147_483_520 ? low : 2_147_483_520))
    return isWhole ? x : whole
  }

  /// Returns the largest whole number not above `x`.
  @inlinable @inline(always) public static func floor(_ x: Float) -> Float {
    let t = Exact.trunc(x)
    return t > x ? t - 1 : t
  }

  /// Returns x / y, y limited to 2^-80...2^80. 0.8 ulp.
  @inlinable @inline(always) public static func div(_ x: Float, _ y: Float) -> Float {
    let a = abs(y), least = bits(0x1780_0000), most = bits(0x6780_0000)
    let low: Float = a > least ? a : least
    let c: Float = low < most ? low : most
    let d: Float = y < 0 ? -c : c
    let r = E32.reciprocal(d)
    let q = x * r
    return q + (x - q * d) * r
  }

  /// Returns 1/sqrt(x) for x in 2^-100...2^100. 1.9 ulp.
  @inlinable @inline(always) public static func rootReciprocal(_ x: Float) -> Float {
    var r = bits(0x5f37_5a86 &- (x.pattern &>> 1))
    let h = 0.5 * x
    r = r * (1.5 - (h * r) * r)
    r = r * (1.5 - (h * r) * r)
    return r * (1.5 - (h * r) * r)
  }

  /// Returns the root of x up to 2^100; 0 below 2^-100. 0.8 ulp.
  @inlinable @inline(always) public static func sqrt(_ x: Float) -> Float {
    let isSome = x > bits(0x0d80_0000), most = bits(0x7180_0000)
    let low: Float = isSome ? x : 1
    let c: Float = low < most ? low : most
    let r = rootReciprocal(c)
    let s = c * r
    return isSome ? s + (c - s * s) * (0.5 * r) : 0
  }

  /// Returns 1/sqrt(x), x limited to 2^-100...2^100.
  @inlinable @inline(always) public static func inverseSqrt(_ x: Float) -> Float {
    let least = bits(0x0d80_0000), most = bits(0x7180_0000)
    let low: Float = x > least ? x : least
    return rootReciprocal(low < most ? low : most)
  }

  /// Returns 2^x, x limited to -125...127.
  @inlinable @inline(always) public static func exp2(_ x: Float) -> Float { E32.exp2(x > -125 ? x : -125) }

  /// Returns log2(x), x limited to 2^-125...2^125.
  @inlinable @inline(always) public static func log2(_ x: Float) -> Float {
    let least = bits(0x0100_0000), most = bits(0x7e80_0000)
    let low: Float = x > least ? x : least
    return E32.log2(low < most ? low : most)
  }

  /// Returns sin(x + quarter pi/2) for |x| up to 65,536; beyond as of 0. 1e-7 absolute.
  @inlinable @inline(always) public static func wave(_ x: Float, _ quarter: Int32) -> Float {
    let c: Float = abs(x) <= 65_536 ? x : 0
    let t = c * 0.636619772 + 12_582_912, n = t - 12_582_912
    let y = ((c - n * 1.5703125) - n * 4.83751297e-4) - n * 7.54978995e-8
    let z = y * y
    let sine = y + y * z * (-0.166666546 + z * (8.33216087e-3 + z * -1.95152959e-4))
    let cosine = (1 - 0.5 * z) + z * z * (4.16666457e-2 + z * (-1.38873163e-3 + z * 2.44331571e-5))
    // The last bits of t are those of n. A conversion would check its range, and loops would take one pixel at a time.
    let turns = Int32(bitPattern: t.pattern) &+ quarter
    let part: Float = turns & 1 == 0 ? sine : cosine
    return turns & 2 == 0 ? part : -part
  }

  /// Returns the angle whose tangent is x. 0.9 ulp.
  @inlinable @inline(always) public static func atan(_ x: Float) -> Float {
    let a = abs(x)
    let isSteep = a > 2.41421366, isMiddle = a > 0.414213568
    let middle: Float = isMiddle ? div(a - 1, a + 1) : a
    // From 2^40 on the angle is the same, and squares of smaller quotients would be subnormal.
    let far: Float = a < 0x1p40 ? a : 0x1p40
    let t: Float = isSteep ? div(-1, far) : middle
    let z = t * t
    let p = ((8.05374450e-2 * z - 0.138776854) * z + 0.199777111) * z - 0.333329499
    let start: Float = isSteep ? 1.57079637 : (isMiddle ? 0.785398185 : 0)
    let angle = start + (p * z * t + t)
    return x < 0 ? -angle : angle
  }

  /// Returns the angle of the vector (x, y), -pi...pi.
  @inlinable @inline(always) public static func atan2(_ y: Float, _ x: Float) -> Float {
    let angle = Exact.atan(div(y, x)), upright: Float = y > 0 ? 1.57079637 : (y < 0 ? -1.57079637 : 0)
    let behind: Float = y < 0 ? angle - 3.14159274 : angle + 3.14159274
    return x > 0 ? angle : (x < 0 ? behind : upright)
  }
}
