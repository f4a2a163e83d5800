import Kernels

/// Functions that kernels call, as loops over lanes. They have the same steps and the same bits as those in
/// Shaders/glsl/shared/user_functions.glsl. They save the CPU from running a kernel's module instruction by
/// instruction; functions without a loop here run that way.
package enum ExactFunctions {
  package typealias Row = UnsafePointer<Float>
  /// Rows of arguments (unused ones may be any row), the row of the result (none of the arguments' rows), and lanes.
  package typealias Loop = @Sendable (_ x: Row, _ y: Row, _ z: Row, _ result: UnsafeMutablePointer<Float>, Int) -> Void

  package static let loops: [String: (arguments: Int, run: Loop)] = [
    "exact_trunc": one { trunc($0) }, "exact_floor": one { floor($0) }, "exact_ceil": one { ceil($0) },
    "exact_round": one { round($0) }, "exact_fract": one { $0 - floor($0) },
    "exact_div": two { div($0, $1) }, "exact_mod": two { $0 - $1 * floor(div($0, $1)) },
    "exact_sqrt": one { sqrt($0) }, "exact_inversesqrt": one { inverseSqrt($0) },
    "exact_exp2": one { exp2($0) }, "exact_log2": one { log2($0) }, "exact_exp": one { exp($0) },
    "exact_log": one { log2($0) * 0.693147181 }, "exact_pow": two { pow($0, $1) },
    "exact_sin": one { wave($0, 0) }, "exact_cos": one { wave($0, 1) },
    "exact_tan": one { div(wave($0, 0), wave($0, 1)) }, "exact_tanh": one { tanh($0) },
    "exact_atan": one { atan($0) }, "exact_smoothstep": three { smoothstep($0, $1, $2) },
    "exact_clamp": three { clamp($0, $1, $2) }, "exact_mix": three { $0 * (1 - $2) + $1 * $2 },
    "exact_min": two { $1 < $0 ? $1 : $0 }, "exact_max": two { $0 < $1 ? $1 : $0 },
    "exact_step": two { $1 < $0 ? 0 : 1 },
    "e32_sanitize": one { E32.sanitize($0) }, "limit_alpha": one { clamp($0, 0, 1) },
  ]

  // MARK: Loops

  @inline(__always)
  private static func one(_ f: @escaping @Sendable (Float) -> Float) -> (Int, Loop) {
    (1, { x, _, _, result, count in for i in 0..<count { result[i] = f(x[i]) } })
  }

  @inline(__always)
  private static func two(_ f: @escaping @Sendable (Float, Float) -> Float) -> (Int, Loop) {
    (2, { x, y, _, result, count in for i in 0..<count { result[i] = f(x[i], y[i]) } })
  }

  @inline(__always)
  private static func three(_ f: @escaping @Sendable (Float, Float, Float) -> Float) -> (Int, Loop) {
    (3, { x, y, z, result, count in for i in 0..<count { result[i] = f(x[i], y[i], z[i]) } })
  }

  // MARK: Functions

  @inline(__always) private static func bits(_ word: UInt32) -> Float { Float(bitPattern: word) }
  @inline(__always) private static func abs(_ x: Float) -> Float { bits(x.bitPattern & 0x7fff_ffff) }
  @inline(__always) private static func clamp(_ x: Float, _ low: Float, _ high: Float) -> Float {
    let a: Float = x < low ? low : x
    return high < a ? high : a
  }

  @inline(__always) private static func trunc(_ x: Float) -> Float {
    let isWhole = abs(x) >= 8_388_608
    let small: Float = isWhole ? 0 : x
    let low: Float = small > -2_147_483_520 ? small : -2_147_483_520
    let whole = Float(Int32(low < 2_147_483_520 ? low : 2_147_483_520))
    return isWhole ? x : whole
  }

  @inline(__always) private static func floor(_ x: Float) -> Float {
    let t = trunc(x)
    return t > x ? t - 1 : t
  }

  @inline(__always) private static func ceil(_ x: Float) -> Float {
    let t = trunc(x)
    return t < x ? t + 1 : t
  }

  @inline(__always) private static func round(_ x: Float) -> Float {
    let isSmall = abs(x) < 4_194_304
    let nearest = ((isSmall ? x : 0) + 12_582_912) - 12_582_912
    return isSmall ? nearest : floor(x + 0.5)
  }

  @inline(__always) private static func div(_ x: Float, _ y: Float) -> Float {
    let a = abs(y), least = bits(0x1780_0000), most = bits(0x6780_0000)
    let low: Float = a > least ? a : least
    let c: Float = low < most ? low : most
    let d: Float = y < 0 ? -c : c
    let r = E32.reciprocal(d)
    let q = x * r
    return q + (x - q * d) * r
  }

  @inline(__always) private static func rootReciprocal(_ x: Float) -> Float {
    var r = bits(0x5f37_5a86 &- (x.bitPattern &>> 1))
    let h = 0.5 * x
    r = r * (1.5 - (h * r) * r)
    r = r * (1.5 - (h * r) * r)
    return r * (1.5 - (h * r) * r)
  }

  @inline(__always) private static func sqrt(_ x: Float) -> Float {
    let isSome = x > bits(0x0d80_0000), most = bits(0x7180_0000)
    let low: Float = isSome ? x : 1
    let c: Float = low < most ? low : most
    let r = rootReciprocal(c)
    let s = c * r
    return isSome ? s + (c - s * s) * (0.5 * r) : 0
  }

  @inline(__always) private static func inverseSqrt(_ x: Float) -> Float {
    let least = bits(0x0d80_0000), most = bits(0x7180_0000)
    let low: Float = x > least ? x : least
    return rootReciprocal(low < most ? low : most)
  }

  @inline(__always) private static func exp2(_ x: Float) -> Float { E32.exp2(x > -125 ? x : -125) }

  @inline(__always) private static func log2(_ x: Float) -> Float {
    let least = bits(0x0100_0000), most = bits(0x7e80_0000)
    let low: Float = x > least ? x : least
    return E32.log2(low < most ? low : most)
  }

  @inline(__always) private static func exp(_ x: Float) -> Float {
    let low: Float = x > -86 ? x : -86
    let c: Float = low < 88 ? low : 88
    let n = (c * 1.44269504 + 12_582_912) - 12_582_912
    let f = (c - n * 0.693359375) + n * 2.12194440e-4
    return E32.exp2(n) * E32.exp2(f * 1.44269504)
  }

  @inline(__always) private static func pow(_ x: Float, _ y: Float) -> Float {
    let power = exp2(y * log2(x))
    let none: Float = y > 0 ? 0 : power
    return x > bits(0x0100_0000) ? power : none
  }

  @inline(__always) private static func wave(_ x: Float, _ quarter: Int32) -> Float {
    let c: Float = abs(x) <= 65_536 ? x : 0
    let n = (c * 0.636619772 + 12_582_912) - 12_582_912
    let y = ((c - n * 1.5703125) - n * 4.83751297e-4) - n * 7.54978995e-8
    let z = y * y
    let sine = y + y * z * (-0.166666546 + z * (8.33216087e-3 + z * -1.95152959e-4))
    let cosine = (1 - 0.5 * z) + z * z * (4.16666457e-2 + z * (-1.38873163e-3 + z * 2.44331571e-5))
    let turns = Int32(n) &+ quarter
    let part: Float = turns & 1 == 0 ? sine : cosine
    return turns & 2 == 0 ? part : -part
  }

  @inline(__always) private static func atan(_ x: Float) -> Float {
    let a = abs(x)
    let isSteep = a > 2.41421366, isMiddle = a > 0.414213568
    let middle: Float = isMiddle ? div(a - 1, a + 1) : a
    let t: Float = isSteep ? div(-1, a) : middle
    let z = t * t
    let p = ((8.05374450e-2 * z - 0.138776854) * z + 0.199777111) * z - 0.333329499
    let start: Float = isSteep ? 1.57079637 : (isMiddle ? 0.785398185 : 0)
    let angle = start + (p * z * t + t)
    return x < 0 ? -angle : angle
  }

  @inline(__always) private static func tanh(_ x: Float) -> Float {
    let a = abs(x), z = x * x
    let p = (((-5.70498873e-3 * z + 2.06390888e-2) * z - 5.37397156e-2) * z + 0.133314423) * z - 0.333332819
    let most: Float = 16 < a ? 16 : a
    let large = 1 - div(2, exp(2 * most) + 1)
    let signed: Float = x < 0 ? -large : large
    return a < 0.625 ? p * z * x + x : signed
  }

  @inline(__always) private static func smoothstep(_ low: Float, _ high: Float, _ x: Float) -> Float {
    let t = clamp(div(x - low, high - low), 0, 1)
    return t * t * (3 - 2 * t)
  }
}
