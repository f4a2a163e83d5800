import HDRCore

/// The E32 arithmetic (docs/exact-arithmetic.md#contract): binary32, one rounding an operation, in the order written.
/// The GLSL twin is Shaders/glsl/shared/numerics.glsl: same steps, same names, same bits.
public enum E32 {
  /// The largest magnitude after a load, 2^20, so that no intermediate overflows.
  public static let largest: Float = 1_048_576

  /// Returns log2(x) for normal x > 0. 2.0 ulp in [0.707, 1.414], 0.25 ulp on average.
  @inlinable @inline(always) public static func log2(_ x: Float) -> Float {
    let i = Int32(bitPattern: x.pattern)
    let e = (i &- 0x3f35_04f3) &>> 23
    let f = Float(bitPattern: UInt32(bitPattern: i &- (e &<< 23))) - 1
    var p: Float = 0x1.01b9d6p-3
    p = p * f + -0x1.a78006p-3
    p = p * f + 0x1.b94e02p-3
    p = p * f + -0x1.e980a2p-3
    p = p * f + 0x1.26dd48p-2
    p = p * f + -0x1.715b7ep-2
    p = p * f + 0x1.ec7366p-2
    p = p * f + -0x1.715472p-1
    p = p * f + 0x1.715476p+0
    return Float(e) + f * p
  }

  /// Returns 2^x, x clamped to [-125, 127]. 1.05 ulp.
  @inlinable @inline(always) public static func exp2(_ x: Float) -> Float {
    let low: Float = x < -125 ? -125 : x
    let c: Float = low > 127 ? 127 : low
    let t = c + 12_582_912
    let f = c - (t - 12_582_912)
    var q: Float = 0x1.416b5ep-13
    q = q * f + 0x1.5f082ep-10
    q = q * f + 0x1.3b2de0p-7
    q = q * f + 0x1.c6af7cp-5
    q = q * f + 0x1.ebfbdcp-3
    q = q * f + 0x1.62e430p-1
    let p = 1 + f * q
    return Float(bitPattern: p.pattern &+ (t.pattern &<< 23))
  }

  /// Returns 1/y for y in 2^-120...2^115. 1.16 ulp.
  @inlinable @inline(always) public static func reciprocal(_ y: Float) -> Float {
    var r = Float(bitPattern: 0x7ef3_11c7 &- y.pattern)
    r = r * (2 - y * r)
    r = r * (2 - y * r)
    return r + r * (1 - y * r)
  }

  /// Returns the binary16 of a finite x: to nearest, ties to even; saturates at 65504; -0 becomes 0.
  @inlinable @inline(always) public static func half(_ x: Float) -> UInt32 {
    let u = x.pattern
    let a = u & 0x7fff_ffff
    let normal = (a &+ 0xc800_0fff &+ ((a &>> 13) & 1)) &>> 13
    let tiny = (Float(bitPattern: a) + 0.5).pattern &- 0x3f00_0000
    var h = a < 0x3880_0000 ? tiny : normal
    h = a < 0x477f_f000 ? h : 0x7bff
    let sign = (u &>> 16) & 0x8000
    return h == 0 ? 0 : h | sign
  }

  /// Returns the binary32 of a binary16: NaN to 0, infinities to +-65504.
  @inlinable @inline(always) public static func float(half h: UInt32) -> Float {
    let m = h & 0x7fff
    let normal = (m &<< 13) &+ 0x3800_0000
    let tiny = (Float(Int32(bitPattern: m)) * 0x1p-24).pattern
    var bits = m < 0x400 ? tiny : normal
    bits = m < 0x7c00 ? bits : (m == 0x7c00 ? 0x477f_e000 : 0)
    return Float(bitPattern: bits | ((h & 0x8000) &<< 16))
  }

  /// Turns NaN and magnitudes below 2^-30 to 0, above 2^20 to +-2^20; in integers, so no mode of the machine matters.
  @inlinable @inline(always) public static func sanitize(_ x: Float) -> Float {
    let u = x.pattern
    let a = u & 0x7fff_ffff
    var m = a < 0x3080_0000 ? 0 : a
    m = a > 0x4980_0000 ? 0x4980_0000 : m
    m = a > 0x7f80_0000 ? 0 : m
    return Float(bitPattern: m == 0 ? 0 : m | (u & 0x8000_0000))
  }

  /// Rounds x in [0, 1] times `scale` (2^n - 1, n <= 16) to the nearest integer, ties to even.
  @inlinable @inline(always) public static func quantize(_ x: Float, _ scale: Float) -> UInt32 {
    let low: Float = x > 0 ? x : 0
    let c: Float = low < 1 ? low : 1
    return (c * scale + 8_388_608).pattern & 0x7f_ffff
  }
}

extension Float {
  /// The number's bits. The compiler stops inlining `bitPattern` in large stages, and loops that call it take one pixel at
  /// a time.
  @inlinable @inline(always) var pattern: UInt32 { Self.bits(self, as: UInt32.self) }

  /// Returns a value of the same bits; generic, as the compiler would have `bitPattern` here.
  @inlinable @inline(always) static func bits<From, To>(_ x: From, as type: To.Type) -> To {
    unsafeBitCast(x, to: type)
  }
}
