import Kernels

/// Functions that kernels call, as loops over lanes. They have the same steps and the same bits as those in
/// Shaders/glsl/shared/user_functions.glsl. They save the CPU from running a kernel's module instruction by
/// instruction; functions without a loop here run that way.
package enum ExactFunctions {
  package typealias Row = UnsafePointer<Float>
  /// Rows of arguments (unused ones may be any row), the row of the result (none of the arguments' rows), and lanes.
  package typealias Loop = @Sendable (_ x: Row, _ y: Row, _ z: Row, _ result: UnsafeMutablePointer<Float>, Int) -> Void

  package static let loops: [String: (arguments: Int, run: Loop)] = [
    "exact_trunc": one { Exact.trunc($0) }, "exact_floor": one { Exact.floor($0) }, "exact_ceil": one { ceil($0) },
    "exact_round": one { round($0) }, "exact_fract": one { $0 - Exact.floor($0) },
    "exact_div": two { Exact.div($0, $1) }, "exact_mod": two { $0 - $1 * Exact.floor(Exact.div($0, $1)) },
    "exact_sqrt": one { Exact.sqrt($0) }, "exact_inversesqrt": one { Exact.inverseSqrt($0) },
    "exact_exp2": one { Exact.exp2($0) }, "exact_log2": one { Exact.log2($0) }, "exact_exp": one { exp($0) },
    "exact_log": one { Exact.log2($0) * 0.693147181 }, "exact_pow": two { pow($0, $1) },
    "exact_sin": one { Exact.wave($0, 0) }, "exact_cos": one { Exact.wave($0, 1) },
    "exact_tan": one { Exact.div(Exact.wave($0, 0), Exact.wave($0, 1)) }, "exact_tanh": one { tanh($0) },
    "exact_atan": one { Exact.atan($0) }, "exact_smoothstep": three { smoothstep($0, $1, $2) },
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

  @inline(__always) private static func ceil(_ x: Float) -> Float {
    let t = Exact.trunc(x)
    return t < x ? t + 1 : t
  }

  @inline(__always) private static func round(_ x: Float) -> Float {
    let isSmall = abs(x) < 4_194_304
    let nearest = ((isSmall ? x : 0) + 12_582_912) - 12_582_912
    return isSmall ? nearest : Exact.floor(x + 0.5)
  }

  @inline(__always) private static func exp(_ x: Float) -> Float {
    let low: Float = x > -86 ? x : -86
    let c: Float = low < 88 ? low : 88
    let n = (c * 1.44269504 + 12_582_912) - 12_582_912
    let f = (c - n * 0.693359375) + n * 2.12194440e-4
    return E32.exp2(n) * E32.exp2(f * 1.44269504)
  }

  @inline(__always) private static func pow(_ x: Float, _ y: Float) -> Float {
    let power = Exact.exp2(y * Exact.log2(x))
    let none: Float = y > 0 ? 0 : power
    return x > bits(0x0100_0000) ? power : none
  }

  @inline(__always) private static func tanh(_ x: Float) -> Float {
    let a = abs(x), z = x * x
    let p = (((-5.70498873e-3 * z + 2.06390888e-2) * z - 5.37397156e-2) * z + 0.133314423) * z - 0.333332819
    let most: Float = 16 < a ? 16 : a
    let large = 1 - Exact.div(2, exp(2 * most) + 1)
    let signed: Float = x < 0 ? -large : large
    return a < 0.625 ? p * z * x + x : signed
  }

  @inline(__always) private static func smoothstep(_ low: Float, _ high: Float, _ x: Float) -> Float {
    let t = clamp(Exact.div(x - low, high - low), 0, 1)
    return t * t * (3 - 2 * t)
  }
}
